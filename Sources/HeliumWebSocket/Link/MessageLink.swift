internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// The part of a connection that tasks use to send and receive messages. Its handler belongs to the loop's
/// thread.
///
/// Both share one state under a lock. The lock is never held while a task is resumed or data is written.
@usableFromInline
final class MessageLink: Sendable {
    /// The operations of a connection that a link uses. All of them may be called from any thread.
    final class Port: Sendable {
        /// Writes the queued items.
        let flush: @Sendable () -> Void
        /// Resumes reading from the network.
        let resume: @Sendable () -> Void
        /// Ends the connection at once.
        let cut: @Sendable () -> Void
        /// The executor of the connection's thread.
        let executor: (any TaskExecutor)?

        init(
            flush: @escaping @Sendable () -> Void,
            resume: @escaping @Sendable () -> Void,
            cut: @escaping @Sendable () -> Void,
            executor: (any TaskExecutor)? = nil
        ) {
            self.flush = flush
            self.resume = resume
            self.cut = cut
            self.executor = executor
        }
    }

    let failures: FailureMaker
    let clock: any HeliumClock
    private let state: Guarded<LinkState>
    private let port = Guarded<Port?>(nil)
    private let home = Guarded<(any TaskExecutor)?>(nil)
    private let monitoring = Guarded(Monitoring.none)
    private let numbers = Atomic<UInt64>(0)
    private let ended = Signal<Void>()

    private enum Monitoring {
        case none
        case watched(LinkMonitor.Watch)
        case ended
    }

    init(limits: LinkState.Limits, clock: any HeliumClock, failures: FailureMaker) {
        self.failures = failures
        self.clock = clock
        state = Guarded(LinkState(limits: limits, clock: clock))
    }

    private func number() -> UInt64 { numbers.wrappingAdd(1, ordering: .relaxed).newValue }
}

// MARK: Interface for tasks

extension MessageLink {
    /// The end of the link; `nil` while it is open.
    var closure: WebSocketClosure? { state.withLock { $0.closure } }

    /// Returns the next message in order of arrival, or `nil` after a normal end.
    nonisolated(nonsending) func receive() async throws -> WebSocketMessage? {
        if let message = try receiveAtOnce() { return message }
        return try await waitForMessage()
    }

    /// Returns the next message if one has arrived, and `.some(nil)` after a normal end. Returns `nil` if the caller has
    /// to wait for one.
    ///
    /// Calling an asynchronous function costs more than taking a message, so the public functions call this one first,
    /// and are inlined into their callers.
    @usableFromInline
    func receiveAtOnce() throws -> WebSocketMessage?? {
        switch state.withLock({ $0.take() }) {
        case .message(let message, let resumes):
            if resumes { withPort { $0.resume() } }
            return .some(message)
        case .end: return .some(nil)
        case .failure(let failure): throw failure
        case .nothing: return nil
        }
    }

    /// Waits for the next message.
    @usableFromInline
    nonisolated(nonsending) func waitForMessage() async throws -> WebSocketMessage? {
        let id = number()
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let reader = LinkWaiter(id: id, continuation: continuation)
                let taken = state.withLock { state -> LinkState.Taken? in
                    // Checked under the lock: a cancellation either finds the reader, or is seen here.
                    if Task.isCancelled { return nil }
                    let taken = state.take()
                    if case .nothing = taken { state.wait(reader) }
                    return taken
                }
                switch taken {
                case nil: continuation.resume(throwing: CancellationError())
                case .message(let message, let resumes):
                    continuation.resume(returning: message)
                    if resumes { withPort { $0.resume() } }
                case .end: continuation.resume(returning: nil)
                case .failure(let failure): continuation.resume(throwing: failure)
                case .nothing: break
                }
            }
        } onCancel: {
            state.withLock { $0.cancelReader(id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// The executor of the connection's thread; `nil` before there was a connection.
    var executor: (any TaskExecutor)? { home.withLock(\.self) }

    /// Queues a message. If more bytes are queued than `unwaitedBytes`, returns when the system has accepted the
    /// message.
    nonisolated(nonsending) func send(_ message: WebSocketMessage) async throws {
        if try sendAtOnce(message) { return }
        try await sendAndWait(message)
    }

    /// Queues a message if few bytes are queued. Returns `false` and queues nothing if the caller has to wait, or if
    /// the message will be refused. Like ``receiveAtOnce()``, it is called first.
    @usableFromInline
    func sendAtOnce(_ message: WebSocketMessage) throws -> Bool {
        if Task.isCancelled { throw CancellationError() }
        let byteCount = message.byteCount
        guard let mustFlush = state.withLock({ $0.queueUnwaited(message, byteCount: byteCount) }) else { return false }
        if mustFlush { withPort { $0.flush() } }
        return true
    }

    /// Queues a message, and returns when the system has accepted it.
    @usableFromInline
    nonisolated(nonsending) func sendAndWait(_ message: WebSocketMessage) async throws {
        let content = Outgoing.Content.message(message, byteCount: message.byteCount)
        let id = number()
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
                let outgoing = Outgoing(
                    content: content,
                    waiter: LinkWaiter(id: id, continuation: continuation)
                )
                var failure: HeliumError?
                let queued = state.withLock { state -> LinkState.Queued? in
                    if Task.isCancelled { return nil }
                    failure = state.failure
                    return state.queue(outgoing)
                }
                switch queued {
                case nil: continuation.resume(throwing: CancellationError())
                case .queued(let mustFlush): if mustFlush { withPort { $0.flush() } }
                case .full: continuation.resume(throwing: queueFullError())
                case .refused:
                    var refusal = failure ?? closedError()
                    refusal[fact: \.delivery] = .notSent
                    continuation.resume(throwing: refusal)
                }
            }
        } onCancel: {
            state.withLock { $0.cancelSend(id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Sends a close message after the queued messages, and returns when the connection has ended, at the latest after
    /// `limit`.
    func close(_ code: WebSocketCloseCode, reason: String, limit: Duration?) async {
        say(.close(code, reason: reason))
        if state.withLock({ $0.stopReceiving() }) { withPort { $0.resume() } }
        let deadline = limit.map { limit in
            Task { [clock] in
                do { try await clock.sleep(for: limit) } catch { return }
                self.cut()
            }
        }
        defer { deadline?.cancel() }
        // A cancelled caller does not wait for the peer's close message.
        await withTaskCancellationHandler {
            try? await ended.valueIgnoringCancellation()
        } onCancel: {
            cut()
        }
    }

    /// Ends the connection without waiting. Used for links that have been released.
    func abandon() {
        say(.close(.goingAway, reason: ""))
        cut()
    }

    /// Ends the connection at once.
    func cut() { withPort { $0.cut() } }

    private func withPort(_ body: (Port) -> Void) {
        if let port = port.withLock({ $0 }) { body(port) }
    }

    /// Returns the error of a message that is refused because too many are queued.
    private func queueFullError() -> HeliumError {
        var error = failures.error(.ceilingExceeded, .notSent, "too many messages are waiting to be sent")
        error[fact: \.ceiling] = .queuedMessages
        return error
    }

    /// Returns the error of a message that is refused because the connection is closed.
    private func closedError() -> HeliumError {
        failures.error(.clientClosed, .notSent, "the connection is closed")
    }
}

// MARK: Interface for the handler and the keep-alive

extension MessageLink {
    /// The values that the keep-alive checks.
    struct LivenessState: Equatable {
        var lastArrival: Duration
        var incompleteSince: Duration?
        var stalledSince: Duration?
        var isHeldBack: Bool
    }

    var liveness: LivenessState {
        state.withLock {
            LivenessState(
                lastArrival: $0.lastArrival,
                incompleteSince: $0.incompleteSince,
                stalledSince: $0.stalledSince,
                isHeldBack: $0.isHeldBack || $0.isPaced
            )
        }
    }

    /// Records whether reading is paused because the peer is too fast. This time does not count as silence of the peer.
    func pace(isPaused: Bool) { state.withLock { $0.isPaced = isPaused } }

    /// Starts the link after the handler has been added.
    func attach(_ port: Port) {
        state.withLock { $0.arrived(at: clock.uptime) }
        home.withLock { $0 = port.executor }
        self.port.withLock { $0 = port }
    }

    /// Monitors the link until it ends.
    func keepAlive(_ keepalive: Keepalive) {
        guard let watch = LinkMonitor.on(clock).watch(self, keepalive) else { return }
        let hasEnded = monitoring.withLock { monitoring in
            if case .ended = monitoring { return true }
            monitoring = .watched(watch)
            return false
        }
        if hasEnded { watch.end() }
    }

    /// The number of tasks that wait for a message.
    var readerCount: Int { state.withLock { $0.readers.count } }

    /// The number of messages that wait to be written.
    var queuedCount: Int { state.withLock { $0.outbox.count } }

    func say(_ content: Outgoing.Content) {
        let queued = state.withLock { $0.queue(Outgoing(content: content, waiter: nil)) }
        if case .queued(true) = queued { withPort { $0.flush() } }
    }

    /// Records that bytes have arrived; see ``LinkState/arrived(at:isIncomplete:hasAdvanced:)``.
    func arrived(isIncomplete: Bool, hasAdvanced: Bool) {
        let now = clock.uptime
        state.withLock { $0.arrived(at: now, isIncomplete: isIncomplete, hasAdvanced: hasAdvanced) }
    }

    /// The size that a queue of messages may reach before it is delivered.
    var room: MessageQueue.Room { state.withLock { $0.room } }

    /// Delivers messages to waiting readers and the inbox. The queue is empty afterwards.
    ///
    /// - Returns: The room for more messages. If it is empty, none may be delivered before ``Port/resume`` is called.
    func deliver(_ messages: inout MessageQueue) -> MessageQueue.Room {
        let (deliveries, room) = state.withLock { ($0.deliver(&messages), $0.room) }
        for (reader, message) in deliveries { reader.continuation.resume(returning: message) }
        if !messages.isEmpty { messages.removeAll() }
        return room
    }

    /// Takes the next messages to write, and resumes the waiters of those in flight, which the system has accepted.
    ///
    /// - Returns: The number of bytes of the messages with their overhead.
    @discardableResult
    func takeBatch(_ batch: inout [Outgoing], maximumBytes: Int, overhead: Int) -> Int {
        let (waiters, byteCount) = state.withLock {
            ($0.takeBatch(&batch, maximumBytes: maximumBytes, overhead: overhead), $0.inFlightBytes)
        }
        for waiter in waiters { waiter.continuation.resume() }
        return byteCount
    }

    /// Resumes the waiters of the messages in flight, which the system has accepted.
    func written() {
        for waiter in state.withLock({ $0.written() }) { waiter.continuation.resume() }
    }

    /// Records that the system has accepted some of the data in flight; see ``LinkState/advance(at:hasWaited:)``.
    func advanced(hasWaited: Bool) {
        let now = clock.uptime
        state.withLock { $0.advance(at: now, hasWaited: hasWaited) }
    }

    /// Records that the system accepts no more data for now.
    func stall() {
        let now = clock.uptime
        state.withLock { $0.stall(at: now) }
    }

    /// Ends the link, once, and resumes all waiting tasks.
    func end(_ closure: WebSocketClosure, failure: HeliumError?) {
        guard let abandoned = state.withLock({ $0.end(closure, failure: failure) }) else { return }
        let last = monitoring.withLock { monitoring in
            defer { monitoring = .ended }
            return monitoring
        }
        if case .watched(let watch) = last { watch.end() }
        for reader in abandoned.readers {
            if let failure {
                reader.continuation.resume(throwing: failure)
            } else {
                reader.continuation.resume(returning: nil)
            }
        }
        // The delivery state of each message is its own: a message that was queued has not been sent, and one that was
        // passed to the channel may have been.
        var unsent = failure ?? closedError()
        unsent[fact: \.delivery] = .maybeSent
        for sender in abandoned.inFlight { sender.continuation.resume(throwing: unsent) }
        unsent[fact: \.delivery] = .notSent
        for sender in abandoned.queued { sender.continuation.resume(throwing: unsent) }
        ended.settle()
    }

    /// Whether this side sent its close message before the end.
    var isClosing: Bool { state.withLock { $0.phase == .closing } }

    /// Removes the port after the connection has ended.
    func detach() { port.withLock { $0 = nil } }
}
