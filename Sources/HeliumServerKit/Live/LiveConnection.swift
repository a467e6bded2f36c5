internal import HeliumConcurrency
internal import HeliumWebSocketFraming
package import NIOCore
internal import Synchronization

/// A live client as the protocols see it. Responses and pushes are sent in order, and the number of queued bytes is
/// limited.
///
/// Queued objects are kept here and passed to the channel in batches as the client reads. A client that does not read
/// therefore uses only the bytes that are counted here, and one batch.
package final class LiveConnection: Sendable {
    private struct State {
        /// Whether a request is being processed. Pushes are held meanwhile, so that a response precedes the pushes that
        /// its request caused.
        var isAnswering = false
        var held: [LiveObject] = []
        /// The objects to write next. Appending to an empty queue requests a flush.
        var queue = CircularBuffer<LiveOutput>()
        /// The cost of all objects that are held, queued, or passed to the channel and not yet sent.
        var waiting = 0
        /// Whether the connection has ended. Nothing more is sent then.
        var isOver = false
        var isAuthenticated = false
        var flush: (@Sendable () -> Void)?
        /// The continuations of callers that wait until the queue is empty.
        var drained: [EventLoopPromise<Void>] = []
    }

    /// The client's address in numbers.
    package let address: String
    /// The identity of the connection's channel.
    package var channelID: ObjectIdentifier { ObjectIdentifier(channel) }
    private let channel: any Channel
    private let channels: LiveChannels
    private let maximumWaiting: Int
    private let state = Guarded(State())

    /// The memory overhead of a queued object in bytes: its queue entry, the header of its storage and the header of
    /// its frame.
    private static let overhead = 64

    /// - Parameter maximumWaiting: The maximum cost of queued objects in bytes. A client that exceeds it is
    ///   disconnected.
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

    /// Sends the response and then the pushes that were held.
    package func finishAnswer(_ bytes: [UInt8]?) {
        enqueue { state in
            state.isAnswering = false
            if let bytes {
                let object = LiveObject(bytes)
                state.waiting += Self.cost(object)
                state.queue.append(.object(object))
            }
            for held in state.held { state.queue.append(.object(held)) }
            state.held = []
        }
    }

    /// Sends a push, after the response to a request that is being processed.
    package func push(_ bytes: [UInt8]) { push(LiveObject(bytes)) }

    /// Sends a push whose parts may be shared with other connections.
    package func push(_ object: LiveObject) {
        enqueue { state in
            state.waiting += Self.cost(object)
            if state.isAnswering {
                state.held.append(object)
            } else {
                state.queue.append(.object(object))
            }
        }
    }

    /// Closes the connection according to its protocol, after all queued objects were sent.
    ///
    /// - Parameter code: The close code of a WebSocket (RFC 6455 §7.4.1). Default: 1001, going away.
    package func closeGracefully(_ code: UInt16 = CloseCode.goingAway) { enqueue { $0.queue.append(.close(code)) } }

    /// Closes the connection with a reason after all queued objects were sent, and gives the client time to read it.
    /// Unread data from the client is discarded.
    ///
    /// - Parameters:
    ///   - code: The close code of a WebSocket (RFC 6455 §7.4.1).
    ///   - reason: The reason. It is truncated at a character boundary to the 123 bytes of a close frame.
    package func close(code: UInt16, reason: String) { enqueue { $0.queue.append(.refusal(code, reason: reason)) } }

    /// Whether objects can still be sent.
    package var isOpen: Bool { state.withLock { !$0.isOver } }

    /// The fill level of the queue, from 0 to 1.
    package var fill: Double { state.withLock { Double($0.waiting) / Double(maximumWaiting) } }

    /// Closes the connection at once, without a close message.
    package func drop() {
        finish()
        channel.close(promise: nil)
    }

    /// Whether the client is authenticated.
    package var isAuthenticated: Bool { state.withLock { $0.isAuthenticated } }

    /// Marks the client as authenticated.
    ///
    /// - Returns: `false` if the limit of authenticated connections is reached. The caller must then end the
    ///   connection.
    package func authenticate() -> Bool {
        guard channels.authenticate(channel) else { return false }
        state.withLock { $0.isAuthenticated = true }
        return true
    }

    /// Waits until all queued objects are sent. Disconnects a client that does not read them within a few seconds.
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

    /// Changes the queue, and requests a flush if it was empty. Disconnects a client whose queue exceeds the limit,
    /// because a client that does not read would make it grow without limit.
    private func enqueue(_ change: (inout State) -> Void) {
        let (isSlow, flush) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            if state.isOver { return (false, nil) }
            let wasEmpty = state.queue.isEmpty
            change(&state)
            return (state.waiting > maximumWaiting, wasEmpty && !state.queue.isEmpty ? state.flush : nil)
        }
        if isSlow { drop() } else { flush?() }
    }

    private static func cost(_ object: LiveObject) -> Int { object.count + overhead }
}

// MARK: For the handler

extension LiveConnection {
    /// A batch of outputs and its cost until it is sent.
    package struct Batch {
        package var outputs: [LiveOutput] = []
        package var cost = 0
        /// The number of bytes of its objects.
        package var byteCount = 0
    }

    /// Connects the channel handler. The handler asks for the objects that were queued before.
    package func attach(flush: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if !state.isOver { state.flush = flush }
        }
    }

    /// Removes and returns the next outputs: objects up to `maximumBytes`, but at least one.
    package func takeBatch(maximumBytes: Int) -> Batch {
        state.withLock { state in
            var batch = Batch()
            while batch.outputs.isEmpty || batch.byteCount < maximumBytes, let output = state.queue.popFirst() {
                if case .object(let object) = output {
                    batch.byteCount += object.count
                    batch.cost += Self.cost(object)
                }
                batch.outputs.append(output)
            }
            return batch
        }
    }

    /// Reports that a batch was sent, or could not be sent.
    package func sent(cost: Int) {
        let drained = state.withLock { state -> [EventLoopPromise<Void>] in
            state.waiting -= cost
            guard state.waiting <= 0 else { return [] }
            defer { state.drained = [] }
            return state.drained
        }
        for promise in drained { promise.succeed() }
    }

    /// Marks the connection as ended. Nothing more is sent.
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

/// An output of a live connection.
package enum LiveOutput: Sendable {
    case object(LiveObject)
    /// The server closes the connection. A WebSocket gets this close code.
    case close(UInt16)
    /// The server closes the connection with a reason for the client.
    case refusal(UInt16, reason: String)
}
