internal import Synchronization

/// Sends elements to any number of listeners, each of which reads its own sequence.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct Listener {
        let continuation: AsyncStream<Element>.Continuation
        /// The element that was dropped for a slow listener; `nil` once the next one is sent.
        var lost: Element?
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var lastID = 0
        var isFinished = false
    }

    private let state = Guarded(State())
    private let limit: Int
    private let noteLoss: (@Sendable (inout Element, _ lost: Element) -> Void)?

    /// Creates a broadcast.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of elements that wait for a slow listener. Beyond it, the oldest is dropped.
    ///   - noteLoss: Changes the element that is sent to a listener after another one was dropped.
    package init(limit: Int, noteLoss: (@Sendable (inout Element, _ lost: Element) -> Void)? = nil) {
        self.limit = limit
        self.noteLoss = noteLoss
    }

    deinit { finish() }

    /// Returns a sequence of the elements that are sent from now on, for one listener.
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
            state.listeners[state.lastID] = Listener(continuation: continuation)
            return state.lastID
        }
        if let id {
            // A weak reference, so that a listener does not keep the sender alive.
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
            }
        } else {
            continuation.finish()
        }
        return stream
    }

    /// Sends an element.
    ///
    /// - Returns: `false` after ``finish()``.
    @discardableResult
    package func send(_ element: Element) -> Bool {
        // Sent under the lock, so that all listeners see the same order. No listener's code runs here.
        state.withLock { state in
            guard !state.isFinished else { return false }
            guard let noteLoss else {
                for listener in state.listeners.values { listener.continuation.yield(element) }
                return true
            }
            for (id, listener) in state.listeners {
                var element = element
                if let lost = listener.lost { noteLoss(&element, lost) }
                var lost: Element?
                if case .dropped(let dropped) = listener.continuation.yield(element) { lost = dropped }
                state.listeners[id]?.lost = lost
            }
            return true
        }
    }

    /// Ends the sequences of all listeners.
    package func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return state.listeners.values
        }
        // Finished outside of the lock, because `onTermination` acquires it.
        for listener in listeners { listener.continuation.finish() }
    }
}
