internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// Checks the liveness of links with one task, which sleeps until the first check is due.
///
/// A task for each link would take more memory than the link: a sleeping task has 4.6 KB.
final class LinkMonitor: Sendable {
    /// The monitor of all links on the machine's clock.
    private static let shared = LinkMonitor(clock: SystemClock())

    private let clock: any HeliumClock
    private let state = Guarded(State())

    /// A check of a link at an uptime.
    struct Check: Sendable {
        var due: Duration
        let id: UInt64
        let link: WatchedLink
        var keepalive: Keepalive
    }

    private struct State {
        var checks = CheckQueue()
        /// The numbers of the links that have not ended.
        var watched: Set<UInt64> = []
        var lastID: UInt64 = 0
        /// The task, while there is a link.
        var task: Task<Void, Never>?
        /// The number of tasks that have been started, which is that of the current one.
        var taskNumber: UInt64 = 0
        /// The uptime until which the task sleeps at most.
        var wakeTime = Duration.zero
    }

    init(clock: any HeliumClock) { self.clock = clock }

    /// Returns the monitor of links on a clock. Links on another clock than the machine's do not share it.
    static func on(_ clock: any HeliumClock) -> LinkMonitor {
        clock is SystemClock ? shared : LinkMonitor(clock: clock)
    }
}

// MARK: Links

extension LinkMonitor {
    /// A link that is watched until this is ended.
    struct Watch: Sendable {
        fileprivate let monitor: LinkMonitor
        fileprivate let id: UInt64
        fileprivate let link: WatchedLink

        /// Ends the checks.
        func end() {
            link.release()
            monitor.forget(id)
        }
    }

    /// Checks a link until it ends. The link ends the watch when its connection ends, also if it is not used any more.
    ///
    /// - Returns: `nil` if there is never anything to check.
    func watch(_ link: MessageLink, _ keepalive: Keepalive) -> Watch? {
        let id = state.withLock { state in
            state.lastID += 1
            state.watched.insert(state.lastID)
            return state.lastID
        }
        let watched = WatchedLink(link)
        let check = Check(due: clock.uptime, id: id, link: watched, keepalive: keepalive)
        guard let next = check.performed(at: clock.uptime) else {
            forget(id)
            return nil
        }
        add(next)
        return Watch(monitor: self, id: id, link: watched)
    }

    /// The number of links that are watched.
    var count: Int { state.withLock { $0.watched.count } }

    /// The number of checks that are kept.
    var checkCount: Int { state.withLock { $0.checks.count } }

    private func add(_ check: Check) {
        let replaced = state.withLock { state -> Task<Void, Never>? in
            guard state.watched.contains(check.id) else { return nil }
            state.checks.insert(check)
            return state.task == nil || check.due < state.wakeTime ? start(&state, until: check.due) : nil
        }
        // After the lock, because a cancellation calls the clock.
        replaced?.cancel()
    }

    private func forget(_ id: UInt64) {
        let last = state.withLock { state -> Task<Void, Never>? in
            guard state.watched.remove(id) != nil else { return nil }
            if state.watched.isEmpty {
                state.checks = CheckQueue()
                return state.task.take()
            }
            if state.checks.count > 2 * state.watched.count + 16 {
                // Checks of links that have ended stay until they are due, or until they are the majority.
                let watched = state.watched
                state.checks.keep { watched.contains($0.id) }
            }
            return nil
        }
        last?.cancel()
    }
}

// MARK: The task

extension LinkMonitor {
    /// Starts a task in place of the current one. It serves all links, so it has neither the priority nor the task-local
    /// values of the caller, who connects one of them.
    ///
    /// - Returns: The task that was replaced, which the caller cancels.
    private func start(_ state: inout State, until wakeTime: Duration) -> Task<Void, Never>? {
        let replaced = state.task
        state.taskNumber += 1
        state.wakeTime = wakeTime
        state.task = Task.detached { [number = state.taskNumber] in await self.run(number) }
        return replaced
    }

    private func run(_ number: UInt64) async {
        while let wakeTime = nextWakeTime(of: number) {
            let time = wakeTime - clock.uptime
            if time > .zero {
                do { try await clock.sleep(for: time) } catch { return }
            }
            for check in takeDue() {
                if let next = check.performed(at: clock.uptime) { add(next) } else { forget(check.id) }
            }
        }
    }

    /// Returns the uptime of the first check, or `nil` if the task has been replaced or there is no check.
    private func nextWakeTime(of number: UInt64) -> Duration? {
        state.withLock { state in
            guard state.taskNumber == number, state.task != nil else { return nil }
            guard let first = state.checks.first else {
                state.task = nil
                return nil
            }
            state.wakeTime = first.due
            return first.due
        }
    }

    private func takeDue() -> [Check] {
        let now = clock.uptime
        return state.withLock { state in
            var due: [Check] = []
            while let first = state.checks.first, first.due <= now {
                state.checks.removeFirst()
                if state.watched.contains(first.id) { due.append(first) }
            }
            return due
        }
    }
}

/// A link until its watch ends.
///
/// Not a weak reference: for an object that has had one, retaining and releasing take twice as long, and each message
/// does both several times.
final class WatchedLink: Sendable {
    private let link: Guarded<MessageLink?>

    init(_ link: MessageLink?) { self.link = Guarded(link) }

    var value: MessageLink? { link.withLock(\.self) }

    func release() {
        // Released without the lock.
        _ = link.withLock { $0.take() }
    }
}

extension LinkMonitor.Check {
    /// Performs the check.
    ///
    /// - Returns: The next one; `nil` if the link has ended, or there is never anything to check.
    fileprivate func performed(at now: Duration) -> Self? {
        var next = self
        while let link = link.value {
            let liveness = link.liveness
            let step = next.keepalive.step(
                now: now,
                lastArrival: liveness.lastArrival,
                incompleteSince: liveness.incompleteSince,
                stalledSince: liveness.stalledSince,
                isHeldBack: liveness.isHeldBack
            )
            switch step {
            case nil: return nil
            case .wait(let time):
                next.due = now + time
                return next
            case .ping: link.say(.ping)
            case .fail(let phase, let limit):
                link.end(.abnormal, failure: link.failures.timeout(phase, .answered, after: limit))
                link.cut()
                return nil
            }
        }
        return nil
    }
}
