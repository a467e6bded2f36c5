internal import HeliumConcurrency
internal import HeliumWebSocketFraming
package import NIOCore
internal import Synchronization

/// One live client as the protocols see it: replies and pushes go out in order, and within a number of bytes.
///
/// Queued objects are kept here and given to the channel in batches as the client reads, so that a client that reads
/// nothing costs the bytes counted here, and one batch.
package final class LiveConnection: Sendable {
    private struct State {
        /// While a request is answered pushes wait, so that a reply comes before the push that it caused.
        var isAnswering = false
        var held: [[UInt8]] = []
        /// The objects to write next. Appending to an empty queue requests a flush.
        var queue = CircularBuffer<LiveOutput>()
        /// The cost of all that is held, queued, or given to the channel and not sent yet.
        var waiting = 0
        /// Nothing is sent any more.
        var isOver = false
        var isAuthenticated = false
        var flush: (@Sendable () -> Void)?
        /// The continuations of callers that wait until the queue is empty.
        var drained: [EventLoopPromise<Void>] = []
    }

    /// The client's address in numbers.
    package let address: String
    /// Which channel it goes over.
    package var channelID: ObjectIdentifier { ObjectIdentifier(channel) }
    private let channel: any Channel
    private let channels: LiveChannels
    private let maximumWaiting: Int
    private let state = Guarded(State())

    /// The overhead of a queued object beside its bytes: its queue entry, its storage's header and the frame's.
    private static let overhead = 64

    /// - Parameter maximumWaiting: The cost of what may wait, in bytes; a client for which more waits is dropped.
    package init(channel: any Channel, channels: LiveChannels, maximumWaiting: Int) {
        self.channel = channel
        self.channels = channels
        self.maximumWaiting = maximumWaiting
        address = channel.remoteAddress?.ipAddress ?? ""
    }
}

// MARK: For the protocols

extension LiveConnection {
    package func beginAnswer() { state.withLock { $0.isAnswering = true } }

    /// Sends the reply and what was pushed meanwhile.
    package func finishAnswer(_ bytes: [UInt8]?) {
        enqueue { state in
            state.isAnswering = false
            if let bytes {
                state.waiting += Self.cost(bytes)
                state.queue.append(.object(bytes))
            }
            for held in state.held { state.queue.append(.object(held)) }
            state.held = []
        }
    }

    /// Sends a push, behind the reply that is being made.
    package func push(_ bytes: [UInt8]) {
        enqueue { state in
            state.waiting += Self.cost(bytes)
            if state.isAnswering {
                state.held.append(bytes)
            } else {
                state.queue.append(.object(bytes))
            }
        }
    }

    /// Ends the connection as its protocol does, when all that waits is sent.
    ///
    /// - Parameter code: A WebSocket's close code (RFC 6455 §7.4.1). Default: 1001, going away.
    package func sayGoodbye(_ code: UInt16 = CloseCode.goingAway) { enqueue { $0.queue.append(.goodbye(code)) } }

    /// Ends the connection with a reason when all that waits is sent, and gives the client a moment to read it. What the
    /// client has sent and nobody has read is dropped.
    ///
    /// - Parameters:
    ///   - code: A WebSocket's close code (RFC 6455 §7.4.1).
    ///   - reason: The reason. More than the 123 bytes of a close frame is cut off at a character.
    package func close(code: UInt16, reason: String) { enqueue { $0.queue.append(.refusal(code, reason: reason)) } }

    /// Whether objects can still be sent.
    package var isOpen: Bool { state.withLock { !$0.isOver } }

    /// How full the queue is, from 0 to 1.
    package var fill: Double { state.withLock { Double($0.waiting) / Double(maximumWaiting) } }

    /// Ends the connection without a word.
    package func drop() {
        finish()
        channel.close(promise: nil)
    }

    /// Whether the client has proved who it is.
    package var isAuthenticated: Bool { state.withLock { $0.isAuthenticated } }

    /// The client has proved who it is.
    ///
    /// - Returns: false where there is no place for it: the connection is to be ended.
    package func authenticate() -> Bool {
        guard channels.authenticate(channel) else { return false }
        state.withLock { $0.isAuthenticated = true }
        return true
    }

    /// Waits until everything is sent; gives a client up that takes longer than a few seconds to read it.
    package func drain() async {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        let isWaiting = state.withLock { state in
            guard state.waiting > 0, !state.isOver else { return false }
            state.drained.append(promise)
            return true
        }
        guard isWaiting else { return promise.succeed() }
        let timer = channel.eventLoop.scheduleTask(in: .seconds(5)) { [channel] in channel.close(promise: nil) }
        try? await promise.futureResult.get()
        timer.cancel()
    }

    /// Changes the queue, and asks for a flush where it was empty. A client that does not read what it asked for would make
    /// it grow for ever: it is dropped.
    private func enqueue(_ change: (inout State) -> Void) {
        let (isSlow, flush) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            if state.isOver { return (false, nil) }
            let wasEmpty = state.queue.isEmpty
            change(&state)
            return (state.waiting > maximumWaiting, wasEmpty && !state.queue.isEmpty ? state.flush : nil)
        }
        if isSlow { drop() } else { flush?() }
    }

    private static func cost(_ bytes: [UInt8]) -> Int { bytes.count + overhead }
}

// MARK: For the handler

extension LiveConnection {
    /// A batch of bytes and its cost until it is sent.
    package struct Batch {
        package var outputs: [LiveOutput] = []
        package var cost = 0
        /// The bytes of its objects.
        package var byteCount = 0
    }

    /// The handler is in place. What was queued before is asked for by it.
    package func attach(flush: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if !state.isOver { state.flush = flush }
        }
    }

    /// Takes what is to be written next: objects up to so many bytes, or one.
    package func takeBatch(maximumBytes: Int) -> Batch {
        state.withLock { state in
            var batch = Batch()
            while batch.outputs.isEmpty || batch.byteCount < maximumBytes, let output = state.queue.popFirst() {
                if case .object(let bytes) = output {
                    batch.byteCount += bytes.count
                    batch.cost += Self.cost(bytes)
                }
                batch.outputs.append(output)
            }
            return batch
        }
    }

    /// A batch was sent, or could not be.
    package func sent(cost: Int) {
        let drained = state.withLock { state -> [EventLoopPromise<Void>] in
            state.waiting -= cost
            guard state.waiting <= 0 else { return [] }
            defer { state.drained = [] }
            return state.drained
        }
        for promise in drained { promise.succeed() }
    }

    /// Nothing is sent any more: the connection ends.
    package func finish() {
        let drained = state.withLock { state in
            state.isOver = true
            state.flush = nil
            state.held = []
            state.queue = CircularBuffer()
            defer { state.drained = [] }
            return state.drained
        }
        for promise in drained { promise.succeed() }
    }
}

/// What goes over a live connection.
package enum LiveOutput: Sendable {
    case object([UInt8])
    /// The server ends the connection, over a WebSocket with this close code.
    case goodbye(UInt16)
    /// The server ends the connection with a reason that the client is to read.
    case refusal(UInt16, reason: String)
}
