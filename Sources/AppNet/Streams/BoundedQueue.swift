internal import HeliumConcurrency
internal import Synchronization

/// Hands elements from one task to a consumer, in order, and never holds more than so many.
final class BoundedQueue<Element: Sendable>: Sendable {
    private typealias Consumer = CheckedContinuation<Element?, any Error>

    private enum Answer { case element(Element), end((any Error)?), cancelled }

    private struct State {
        var elements: [Element] = []
        var head = 0
        var consumers: [(id: Int, continuation: Consumer)] = []
        var writers: [AsyncStream<Void>.Continuation] = []
        var lastID = 0
        /// Once it has ended: why, or `nil` for an end in order.
        var end: (any Error)??

        var count: Int { elements.count - head }

        mutating func popFirst() -> Element? {
            guard head < elements.count else { return nil }
            let element = elements[head]
            head += 1
            // Moves what is left only when as many have gone.
            if head * 2 > elements.count {
                elements.removeFirst(head)
                head = 0
            }
            return element
        }
    }

    private let limit: Int
    private let state = Guarded(State())

    /// - Parameter limit: The most elements that wait, at least 1.
    init(limit: Int) { self.limit = max(1, limit) }

    /// Adds elements, all or none.
    ///
    /// - Parameters:
    ///   - added: The elements.
    ///   - isForced: Whether to add them even if there is no room.
    /// - Returns: `false` if there is no room for them. After the end they are dropped.
    func offer(_ added: [Element], isForced: Bool = false) -> Bool {
        let served = state.withLock { state -> [(Consumer, Element)]? in
            guard state.end == nil else { return [] }
            guard isForced || state.count + added.count - state.consumers.count <= limit else { return nil }
            let direct = min(state.consumers.count, added.count)
            let served = zip(state.consumers.prefix(direct), added).map { ($0.continuation, $1) }
            state.consumers.removeFirst(direct)
            state.elements += added[direct...]
            return served
        }
        for (consumer, element) in served ?? [] { consumer.resume(returning: element) }
        return served != nil
    }

    /// Adds an element once there is room.
    ///
    /// - Throws: `CancellationError`.
    func send(_ element: Element) async throws {
        while !offer([element]) { try await waitForRoom(1) }
    }

    /// Waits until the consumer has taken so much that there is room.
    ///
    /// - Parameter count: For how many; for more than fit, until it is empty.
    /// - Throws: `CancellationError`.
    func waitForRoom(_ count: Int) async throws {
        while true {
            try Task.checkCancellation()
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            let isFull = state.withLock { state in
                guard state.end == nil, state.count > 0, state.count + count > limit else { return false }
                state.writers.append(continuation)
                return true
            }
            guard isFull else { return }
            for await _ in stream {}
        }
    }

    /// Ends the queue: what waits can still be taken, then the end comes.
    func finish(throwing error: (any Error)? = nil) {
        let (consumers, writers) = state.withLock { state in
            if state.end == nil { state.end = .some(error) }
            defer { (state.consumers, state.writers) = ([], []) }
            return (state.consumers, state.writers)
        }
        for writer in writers { writer.finish() }
        for (_, consumer) in consumers {
            if let error { consumer.resume(throwing: error) } else { consumer.resume(returning: nil) }
        }
    }

    /// The next element; `nil` after an end in order.
    ///
    /// - Throws: What it ended with; `CancellationError`, and nothing is lost.
    func next() async throws -> Element? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { take($0, id: id) }
        } onCancel: {
            let consumer = state.withLock { state in
                state.consumers.firstIndex { $0.id == id }.map { state.consumers.remove(at: $0).continuation }
            }
            consumer?.resume(throwing: CancellationError())
        }
    }

    private func take(_ continuation: Consumer, id: Int) {
        let (answer, writers) = state.withLock { state -> (Answer?, [AsyncStream<Void>.Continuation]) in
            if let element = state.popFirst() {
                defer { state.writers = [] }
                return (.element(element), state.writers)
            }
            if let end = state.end { return (.end(end), []) }
            // Under the lock: a cancellation either finds the consumer, or is seen here.
            if Task.isCancelled { return (.cancelled, []) }
            state.consumers.append((id, continuation))
            return (nil, [])
        }
        for writer in writers { writer.finish() }
        switch answer {
        case nil: break
        case .element(let element): continuation.resume(returning: element)
        case .end(let error?): continuation.resume(throwing: error)
        case .end(nil): continuation.resume(returning: nil)
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
    }
}
