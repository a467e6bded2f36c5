internal import Synchronization

/// A queue between tasks that keeps the order and contains a limited number of elements.
package final class BoundedQueue<Element: Sendable>: Sendable {
    fileprivate typealias Consumer = CheckedContinuation<Element?, any Error>

    private enum Taken { case element(Element), end((any Error)?), cancelled }

    private struct State {
        var elements: [Element] = []
        var head = 0
        var consumers: [(id: Int, continuation: Consumer)] = []
        /// Settled when an element is taken; `nil` if no task waits for room.
        var room: Signal<Void>?
        var lastID = 0
        /// The error of the end, `nil` for a normal end; `nil` as a whole before the end.
        var end: (any Error)??

        var count: Int { elements.count - head }

        mutating func popFirst() -> Element? {
            guard head < elements.count else { return nil }
            let element = elements[head]
            head += 1
            // Moves the rest only when at least as many elements have been removed.
            if head * 2 > elements.count {
                elements.removeFirst(head)
                head = 0
            }
            return element
        }
    }

    private let limit: Int
    private let state = Guarded(State())

    /// Creates a queue.
    ///
    /// - Parameter limit: The maximum number of waiting elements, at least 1.
    package init(limit: Int) { self.limit = max(1, limit) }
}

// MARK: Adding

extension BoundedQueue {
    /// Adds all of the elements or none of them. After the end they are dropped.
    ///
    /// - Parameters:
    ///   - added: The elements.
    ///   - isForced: Whether to add them even if there is no room.
    /// - Returns: `false` if there is no room for them.
    package func offer(_ added: [Element], isForced: Bool = false) -> Bool {
        guard let served = place(added, isForced: isForced) else { return false }
        served.resume()
        return true
    }

    /// Adds all of the elements or none of them, and resumes no task. For callers that hold a lock, which determines the
    /// order of the elements. After the end the elements are dropped.
    ///
    /// - Parameters:
    ///   - added: The elements.
    ///   - isForced: Whether to add them even if there is no room.
    /// - Returns: The tasks to resume after the lock is released; `nil` if there is no room for the elements.
    package func place(_ added: [Element], isForced: Bool = false) -> Served? {
        state.withLock { state -> Served? in
            guard state.end == nil else { return .empty }
            guard isForced || state.count + added.count - state.consumers.count <= limit else { return nil }
            let direct = min(state.consumers.count, added.count)
            let served = zip(state.consumers.prefix(direct), added).map { ($0.continuation, $1) }
            state.consumers.removeFirst(direct)
            state.elements += added[direct...]
            return Served(served)
        }
    }

    /// The tasks that waited for the elements that were added, each with its element.
    package struct Served: Sendable {
        fileprivate let consumers: [(Consumer, Element)]

        fileprivate init(_ consumers: [(Consumer, Element)]) { self.consumers = consumers }

        /// No tasks.
        package static var empty: Served { Served([]) }

        /// Resumes the tasks. Call it once, without holding a lock.
        package func resume() { for (consumer, element) in consumers { consumer.resume(returning: element) } }
    }

    /// Adds an element. If there is no room, drops the oldest. After the end it is dropped.
    ///
    /// - Parameter markGap: Changes the element that follows the dropped one.
    package func push(_ element: Element, markGap: (inout Element) -> Void) {
        place(element, markGap: markGap).resume()
    }

    /// Adds an element like ``push(_:markGap:)``, and resumes no task. For callers that hold a lock.
    ///
    /// - Returns: The task to resume after the lock is released.
    package func place(_ element: Element, markGap: (inout Element) -> Void) -> Served {
        state.withLock { state in
            guard state.end == nil else { return .empty }
            if !state.consumers.isEmpty { return Served([(state.consumers.removeFirst().continuation, element)]) }
            state.elements.append(element)
            if state.count > limit, state.popFirst() != nil { markGap(&state.elements[state.head]) }
            return .empty
        }
    }

    /// Waits for room, then adds an element.
    ///
    /// - Throws: `CancellationError`.
    package func send(_ element: Element) async throws {
        while !offer([element]) { try await waitForRoom(1) }
    }

    /// Waits until there is room or the queue has ended.
    ///
    /// - Parameter count: The number of elements to have room for. For more than the limit, waits until the queue is
    ///   empty.
    /// - Throws: `CancellationError`.
    package func waitForRoom(_ count: Int) async throws {
        while true {
            try Task.checkCancellation()
            let room = state.withLock { state -> Signal<Void>? in
                guard state.end == nil, state.count > 0, state.count + count > limit else { return nil }
                let room = state.room ?? Signal()
                state.room = room
                return room
            }
            guard let room else { return }
            try await room.value()
        }
    }

    /// Ends the queue. The waiting elements can still be taken. After them, ``next()`` returns `nil` or throws `error`.
    package func finish(throwing error: (any Error)? = nil) {
        let (consumers, room) = state.withLock { state in
            if state.end == nil { state.end = .some(error) }
            defer { (state.consumers, state.room) = ([], nil) }
            return (state.consumers, state.room)
        }
        room?.settle()
        for (_, consumer) in consumers {
            if let error { consumer.resume(throwing: error) } else { consumer.resume(returning: nil) }
        }
    }
}

// MARK: Taking

extension BoundedQueue {
    /// Returns the next element, or `nil` after a normal end.
    ///
    /// - Throws: The error that the queue was finished with; `CancellationError`, in which case no element is lost.
    package func next() async throws -> Element? {
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
        let (taken, room) = state.withLock { state -> (Taken?, Signal<Void>?) in
            if let element = state.popFirst() { return (.element(element), state.room.take()) }
            if let end = state.end { return (.end(end), nil) }
            // Checked under the lock: a cancellation either finds the consumer, or is seen here.
            if Task.isCancelled { return (.cancelled, nil) }
            state.consumers.append((id, continuation))
            return (nil, nil)
        }
        room?.settle()
        switch taken {
        case nil: break
        case .element(let element): continuation.resume(returning: element)
        case .end(let error?): continuation.resume(throwing: error)
        case .end(nil): continuation.resume(returning: nil)
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
    }
}
