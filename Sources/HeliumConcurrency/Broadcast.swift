internal import Synchronization

/// Sends elements to any number of listeners, each of which reads its own sequence.
///
/// Every listener receives the elements in the order of ``enqueue(_:)``. One thread at a time passes them on, and holds
/// no lock while it does: it resumes tasks, and the runtime may make it wait for a cancellation whose handler waits for
/// a lock (Docs/Internals.md, "Resume outside of locks").
package final class Broadcast<Element: Sendable>: Sendable {
    private struct Listener {
        let continuation: AsyncStream<Element>.Continuation
        /// The element that was dropped for a slow listener; `nil` once the next one is sent.
        var lost: Element?
    }

    private enum Step {
        case add(Int, Listener)
        case remove(Int)
        case send(Element)
        case finish

        var isSend: Bool { if case .send = self { true } else { false } }
    }

    private struct State {
        /// Empty while a thread delivers, which has them.
        var listeners: [Int: Listener] = [:]
        /// The steps that no thread has begun. Listeners come and go in the same order as elements.
        var steps: [Step] = []
        /// The number of elements in `steps`.
        var elementCount = 0
        var lastID = 0
        var isDelivering = false
        var isFinished = false

        /// Whether `listeners` is up to date.
        var isSettled: Bool { !isDelivering && steps.isEmpty }

        mutating func append(_ element: Element) {
            steps.append(.send(element))
            elementCount += 1
        }

        /// Removes the oldest element that waits.
        mutating func dropOldest(_ noteLoss: ((inout Element, _ lost: Element) -> Void)?) -> Element? {
            guard let oldest = steps.firstIndex(where: \.isSend), case .send(let dropped) = steps.remove(at: oldest)
            else { return nil }
            elementCount -= 1
            if let noteLoss, let next = steps[oldest...].firstIndex(where: \.isSend),
                case .send(var element) = steps[next]
            {
                noteLoss(&element, dropped)
                steps[next] = .send(element)
            }
            return dropped
        }
    }

    /// Never held while anything else is called, except for `noteLoss`.
    private let state = Guarded(State())
    private let limit: Int
    private let noteLoss: (@Sendable (inout Element, _ lost: Element) -> Void)?

    /// Creates a broadcast.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of elements that wait for a slow listener, and of those that wait for the thread
    ///     that delivers. Beyond it, the oldest is dropped.
    ///   - noteLoss: Changes the element that is sent to a listener after another one was dropped. It may be called more
    ///     than once for an element. It must acquire no lock.
    package init(limit: Int, noteLoss: (@Sendable (inout Element, _ lost: Element) -> Void)? = nil) {
        self.limit = max(1, limit)
        self.noteLoss = noteLoss
    }

    deinit { finish() }

    /// Returns a sequence of the elements that are enqueued from now on, for one listener.
    ///
    /// It resumes no task, so it may be called under a lock.
    ///
    /// - Parameter first: An element that comes before them.
    package func stream(startingWith first: Element? = nil) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self,
            bufferingPolicy: .bufferingNewest(limit)
        )
        if let first { continuation.yield(first) }
        let id = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.lastID += 1
            let listener = Listener(continuation: continuation)
            if state.isSettled {
                state.listeners[state.lastID] = listener
            } else {
                state.steps.append(.add(state.lastID, listener))
            }
            return state.lastID
        }
        if let id {
            // A weak reference, so that a listener does not keep the sender alive.
            continuation.onTermination = { [weak self] _ in self?.remove(id) }
        } else {
            continuation.finish()
        }
        return stream
    }

    /// Removes a listener that has ended. Delivers nothing, because this may run as the cancellation handler of a task.
    private func remove(_ id: Int) {
        // Released outside of the lock, together with the listener's elements.
        _ = state.withLock { state -> Listener? in
            if state.isSettled { return state.listeners.removeValue(forKey: id) }
            state.steps.append(.remove(id))
            return nil
        }
    }
}

// MARK: Sending

extension Broadcast {
    /// Sends an element. If another thread is delivering, it also delivers this element.
    ///
    /// - Returns: `false` after ``finish()``.
    @discardableResult
    package func send(_ element: Element) -> Bool {
        defer { deliver() }
        return enqueue(element)
    }

    /// Determines the position of an element among all others, and resumes no task. For callers that hold a lock: they
    /// call ``deliver()`` after they have released it.
    ///
    /// - Returns: `false` after ``finish()``.
    @discardableResult
    package func enqueue(_ element: Element) -> Bool {
        // The dropped element is released outside of the lock.
        let (isSent, _) = state.withLock { state -> (Bool, Element?) in
            guard !state.isFinished else { return (false, nil) }
            // Without listeners, the element is dropped.
            if state.isSettled, state.listeners.isEmpty { return (true, nil) }
            state.append(element)
            // The thread that delivers may wait for the cancellation of a listener.
            return (true, state.elementCount > limit ? state.dropOldest(noteLoss) : nil)
        }
        return isSent
    }

    /// Ends the sequences of all listeners after the elements that were enqueued.
    package func finish() {
        state.withLock { state in
            if !state.isFinished { state.steps.append(.finish) }
            state.isFinished = true
        }
        deliver()
    }

    /// Sends the enqueued elements to the listeners, unless another thread is doing so. Call it without holding a lock.
    package func deliver() {
        let begun = state.withLock { state -> [Int: Listener]? in
            guard !state.isDelivering, !state.steps.isEmpty else { return nil }
            state.isDelivering = true
            defer { state.listeners = [:] }
            return state.listeners
        }
        guard var listeners = begun else { return }
        while let steps = nextSteps(&listeners) {
            for step in steps { perform(step, &listeners) }
        }
    }

    /// Takes the next steps. If there are none, ends the delivery and returns `nil`.
    private func nextSteps(_ listeners: inout [Int: Listener]) -> [Step]? {
        let current = listeners
        return state.withLock { state in
            if state.steps.isEmpty {
                state.listeners = current
                state.isDelivering = false
                return nil
            }
            defer { (state.steps, state.elementCount) = ([], 0) }
            return state.steps
        }
    }

    private func perform(_ step: Step, _ listeners: inout [Int: Listener]) {
        switch step {
        case .add(let id, let listener): listeners[id] = listener
        case .remove(let id): listeners[id] = nil
        case .send(let element):
            guard let noteLoss else {
                for listener in listeners.values { listener.continuation.yield(element) }
                return
            }
            for (id, listener) in listeners {
                var element = element
                if let lost = listener.lost { noteLoss(&element, lost) }
                var lost: Element?
                if case .dropped(let dropped) = listener.continuation.yield(element) { lost = dropped }
                listeners[id]?.lost = lost
            }
        case .finish:
            for listener in listeners.values { listener.continuation.finish() }
            listeners = [:]
        }
    }
}
