public import HeliumCore
internal import Synchronization

extension MockTransport {
    /// Makes a mock's response or stream wait for the test. Each opening lets one step pass.
    public final class Gate: Sendable {
        fileprivate enum Watch { case arrival(Int), abandonment }

        fileprivate struct State {
            var openings = 0
            var isPermanentlyOpen = false
            var arrivals = 0
            var isAbandoned = false
            var nextID = 0
            var waiters: [(id: Int, visitor: Int?, continuation: CheckedContinuation<Bool, Never>)] = []
            /// The streams that were abandoned and still exist. None of their steps passes.
            var abandoned: Set<Int> = []
            var watchers: [(id: Int, watch: Watch, continuation: CheckedContinuation<Void, Never>)] = []
            var cancelledEarly: Set<Int> = []
        }

        private let state = Guarded(State())

        /// Creates a closed gate.
        public init() {}
    }
}

// MARK: The test's side

extension MockTransport.Gate {
    /// Lets one more step pass.
    public func open() {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if state.waiters.isEmpty {
                state.openings += 1
                return nil
            }
            return state.waiters.removeFirst().continuation
        }
        waiter?.resume(returning: true)
    }

    /// Opens the gate permanently: all current and later steps pass.
    public func openPermanently() {
        let waiters = state.withLock { state in
            state.isPermanentlyOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: true) }
    }

    /// Whether a stream that waits at this gate was abandoned, because its consumer stopped reading before the end or was
    /// cancelled. A stream that was read to its end, or that failed, was not abandoned.
    public var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Waits until `count` steps have arrived at the gate, whether or not they had to wait there. Ends early when the
    /// calling task is cancelled.
    public func waitForArrivals(_ count: Int = 1) async { await watch(.arrival(count)) }

    /// Waits until a stream at this gate is abandoned. Ends early when the calling task is cancelled.
    public func waitUntilAbandoned() async { await watch(.abandonment) }

    private func watch(_ watch: Watch) async {
        let id = takeID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.cancelledEarly.contains(id) || state.satisfies(watch) { return true }
                    state.watchers.append((id, watch, continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { state -> CheckedContinuation<Void, Never>? in
                state.cancelledEarly.insert(id)
                guard let index = state.watchers.firstIndex(where: { $0.id == id }) else { return nil }
                return state.watchers.remove(at: index).continuation
            }
            watcher?.resume()
        }
        state.withLock { _ = $0.cancelledEarly.remove(id) }
    }
}

// MARK: The mock's side

extension MockTransport.Gate {
    /// Waits for an opening.
    ///
    /// - Throws: `TransportFailure` of kind `cancelled` if the calling task is cancelled.
    public func pass() async throws(TransportFailure) { try await pass(for: nil) }

    /// Waits for an opening as a step of a stream.
    func pass(for visitor: Int?) async throws(TransportFailure) {
        guard await passes(for: visitor) else {
            throw TransportFailure(.cancelled, delivery: .maybeSent, message: "the call was cancelled")
        }
    }

    /// Ends the steps of one stream. Other streams and calls go on waiting.
    func abandon(for visitor: Int) {
        let (watchers, waiters) = state.withLock { state in
            state.isAbandoned = true
            state.abandoned.insert(visitor)
            let waiters = state.waiters.filter { $0.visitor == visitor }
            state.waiters.removeAll { $0.visitor == visitor }
            return (state.takeSatisfiedWatchers(), waiters)
        }
        for watcher in watchers { watcher.resume() }
        for waiter in waiters { waiter.continuation.resume(returning: false) }
    }

    /// Forgets a stream that no longer exists.
    func forget(_ visitor: Int) { state.withLock { _ = $0.abandoned.remove(visitor) } }

    /// Returns a number for a stream or a wait.
    func takeID() -> Int {
        state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
    }

    private func passes(for visitor: Int?) async -> Bool {
        let id = takeID()
        let isThrough = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in enqueue(id, visitor, continuation) }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                state.cancelledEarly.insert(id)
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
                return state.waiters.remove(at: index).continuation
            }
            waiter?.resume(returning: false)
        }
        state.withLock { _ = $0.cancelledEarly.remove(id) }
        return isThrough
    }

    private func enqueue(_ id: Int, _ visitor: Int?, _ continuation: CheckedContinuation<Bool, Never>) {
        let (verdict, watchers) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
            state.arrivals += 1
            let watchers = state.takeSatisfiedWatchers()
            if state.cancelledEarly.contains(id) || visitor.map(state.abandoned.contains) == true {
                return (false, watchers)
            }
            if state.isPermanentlyOpen { return (true, watchers) }
            if state.openings > 0 {
                state.openings -= 1
                return (true, watchers)
            }
            state.waiters.append((id, visitor, continuation))
            return (nil, watchers)
        }
        if let verdict { continuation.resume(returning: verdict) }
        for watcher in watchers { watcher.resume() }
    }
}

extension MockTransport.Gate.State {
    fileprivate func satisfies(_ watch: MockTransport.Gate.Watch) -> Bool {
        switch watch {
        case .arrival(let count): arrivals >= count
        case .abandonment: isAbandoned
        }
    }

    fileprivate mutating func takeSatisfiedWatchers() -> [CheckedContinuation<Void, Never>] {
        let satisfied = watchers.filter { satisfies($0.watch) }
        watchers.removeAll { watcher in satisfied.contains { $0.id == watcher.id } }
        return satisfied.map(\.continuation)
    }
}
