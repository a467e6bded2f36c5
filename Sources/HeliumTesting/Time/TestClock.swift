public import HeliumCore
internal import Synchronization

/// A clock that a test moves.
///
/// Tasks that wait on the clock resume in the order of their times when the clock reaches those times. Call
/// ``waitForSleepers(_:)`` to wait until the code under test pauses, or ``waitForDeadlines(_:)`` to wait until it runs
/// under a time limit. Then move the clock:
///
/// ```swift
/// let call = Task { try await helium.get("/slow").timeout(.seconds(60)).value() }
/// await clock.waitForDeadlines()
/// clock.advance(by: .seconds(60))
/// ```
///
/// Pauses (`sleep(for:)`) and time limits (`waitForDeadline(at:)`) are separate. Only pauses count as sleepers, are
/// listed in ``requestedSleeps``, and are skipped by a clock created with ``init(wallTime:skippingSleepsUpTo:)``. A
/// call's deadline passes only when the clock is moved past it, by a test or by a pause that is skipped.
public final class TestClock: HeliumClock {
    private struct Sleeper {
        let id: Int
        let isDeadline: Bool
        let until: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let id: Int
        let isForDeadlines: Bool
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var wall: Duration
        var uptime: Duration = .zero
        var skipLimit: Duration?
        var nextID = 0
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
        /// The ids of waits that were cancelled before they began.
        var cancelledEarly: Set<Int> = []
        var requestedSleeps: [Duration] = []

        /// Moves both times forward, and removes and returns the sleepers that are due, in the order of their times.
        mutating func advance(by duration: Duration) -> [Sleeper] {
            uptime = TestClock.bounded(uptime + duration)
            wall = TestClock.bounded(wall + duration)
            let due = sleepers.filter { $0.until <= uptime }.sorted { ($0.until, $0.id) < ($1.until, $1.id) }
            sleepers.removeAll { $0.until <= uptime }
            return due
        }

        /// Returns the number of tasks that pause, or that run under a time limit.
        func count(ofDeadlines isDeadline: Bool) -> Int { sleepers.count { $0.isDeadline == isDeadline } }

        /// The end of the next pause.
        var nextWakeTime: Duration? { sleepers.lazy.filter { !$0.isDeadline }.map(\.until).min() }

        mutating func takeSatisfiedWatchers() -> [Watcher] {
            guard !watchers.isEmpty else { return [] }
            let counts = [false: count(ofDeadlines: false), true: count(ofDeadlines: true)]
            let isSatisfied: (Watcher) -> Bool = { $0.count <= counts[$0.isForDeadlines] ?? 0 }
            let satisfied = watchers.filter(isSatisfied)
            watchers.removeAll(where: isSatisfied)
            return satisfied
        }
    }

    private let state: Guarded<State>

    /// The number of durations kept in ``requestedSleeps``.
    public static let keptSleepLimit = 10_000

    /// Creates a clock whose wall time starts at `wallTime` since 1970.
    ///
    /// - Parameters:
    ///   - wallTime: The wall time at the start. Default: 2016-02-12T08:00:07Z, the time of the middleware's published
    ///     signature examples.
    ///   - limit: Pauses up to this long do not wait: the clock jumps to their end. Longer pauses wait until the clock
    ///     is moved. Time limits are never skipped. Default: no pause is skipped.
    public init(wallTime: Duration = .seconds(1_455_264_007), skippingSleepsUpTo limit: Duration? = nil) {
        state = Guarded(State(wall: Self.bounded(wallTime), skipLimit: limit))
    }

    /// Returns a duration or time of at most some 35,000 years, so that two of them can be added.
    private static func bounded(_ duration: Duration) -> Duration {
        let limit = Duration.seconds(1 << 40)
        return min(max(duration, .zero - limit), limit)
    }
}

// MARK: Reading the time

extension TestClock {
    /// The wall time, as set and advanced.
    public var wallTime: Duration { state.withLock { $0.wall } }

    /// The time advanced since the start.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// The number of tasks that pause on this clock now.
    public var sleeperCount: Int { state.withLock { $0.count(ofDeadlines: false) } }

    /// The number of time limits that run on this clock now.
    public var deadlineCount: Int { state.withLock { $0.count(ofDeadlines: true) } }

    /// The uptime at which the next pause ends; `nil` if no task is pausing.
    public var nextWakeTime: Duration? { state.withLock { $0.nextWakeTime } }

    /// The uptime at which the next time limit passes; `nil` if there is no time limit.
    public var nextDeadline: Duration? {
        state.withLock { $0.sleepers.lazy.filter(\.isDeadline).map(\.until).min() }
    }

    /// The durations of all pauses, in the order in which the pauses began, including those that were skipped or
    /// cancelled. The first ``keptSleepLimit`` are kept.
    public var requestedSleeps: [Duration] { state.withLock { $0.requestedSleeps } }
}

// MARK: Moving

extension TestClock {
    /// Moves both times forward, and ends the pauses and passes the time limits that are due.
    public func advance(by duration: Duration) {
        let awake = state.withLock { $0.advance(by: Self.bounded(max(.zero, duration))) }
        for sleeper in awake { sleeper.continuation.resume() }
    }

    /// Moves both times forward to this ``uptime``. A time in the past has no effect.
    public func advance(to uptime: Duration) {
        let awake = state.withLock { $0.advance(by: max(.zero, Self.bounded(uptime) - $0.uptime)) }
        for sleeper in awake { sleeper.continuation.resume() }
    }

    /// Moves to the time at which the next pause ends, and ends it. Time limits before that time pass.
    ///
    /// - Returns: The duration of the move; `nil` if no task is pausing.
    @discardableResult
    public func advanceToNextSleeper() -> Duration? {
        let (awake, step) = state.withLock { state -> ([Sleeper], Duration?) in
            guard let next = state.nextWakeTime else { return ([], nil) }
            let step = max(.zero, next - state.uptime)
            return (state.advance(by: step), step)
        }
        for sleeper in awake { sleeper.continuation.resume() }
        return step
    }

    /// Moves from pause to pause until `operation` ends. Use it for work that pauses repeatedly.
    ///
    /// Between two moves it waits until every task of `operation` is suspended, and at least one of them pauses. So the
    /// clock moves to the earliest of several pauses, in whichever order they begin. Unstructured tasks (`Task { }`),
    /// and actors with executors of their own, are not waited for.
    ///
    /// - Returns: The result of `operation`.
    /// - Throws: The error of `operation`.
    public func runUntilIdle<Result: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let executor = IdleExecutor()
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask(executorPreference: executor) { try await operation() }
            group.addTask {
                while !Task.isCancelled {
                    await self.waitForSleepers()
                    await executor.waitUntilIdle()
                    // The pause may have been cancelled in the meantime. Then there is nothing to move to.
                    if !Task.isCancelled { self.advanceToNextSleeper() }
                }
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    /// Sets only the wall time, as when a user changes the machine's clock.
    public func setWallTime(_ time: Duration) { state.withLock { $0.wall = Self.bounded(time) } }
}

// MARK: Sleeping

extension TestClock {
    /// Suspends until the clock is advanced far enough.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    public func sleep(for duration: Duration) async throws { try await wait(.pause(duration)) }

    /// Suspends until the clock has reached `uptime`. The wait does not count as a pause, and is never skipped.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    public func waitForDeadline(at uptime: Duration) async throws { try await wait(.deadline(uptime)) }

    private enum Wait: Sendable {
        case pause(Duration)
        case deadline(Duration)
    }

    private func wait(_ wait: Wait) async throws {
        let id = takeID()
        defer { forget(id) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(id: id, wait, continuation)
            }
        } onCancel: {
            cancel(id: id)
        }
    }

    /// Waits until at least `count` tasks pause on this clock. Call it before you move the clock. Ends early when the
    /// calling task is cancelled.
    public func waitForSleepers(_ count: Int = 1) async { await watch(count, forDeadlines: false) }

    /// Waits until at least `count` time limits run on this clock. Call it before you move the clock past one. Ends
    /// early when the calling task is cancelled.
    ///
    /// A call of a client has a time limit on this clock while it waits for an interceptor, for authorization, or for a
    /// transport that leaves deadlines to the client, as `MockTransport` does.
    public func waitForDeadlines(_ count: Int = 1) async { await watch(count, forDeadlines: true) }

    private func watch(_ count: Int, forDeadlines: Bool) async {
        let id = takeID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.count(ofDeadlines: forDeadlines) >= count || state.cancelledEarly.contains(id) {
                        return true
                    }
                    state.watchers.append(
                        Watcher(id: id, isForDeadlines: forDeadlines, count: count, continuation: continuation)
                    )
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { state -> Watcher? in
                state.cancelledEarly.insert(id)
                guard let index = state.watchers.firstIndex(where: { $0.id == id }) else { return nil }
                return state.watchers.remove(at: index)
            }
            watcher?.continuation.resume()
        }
        forget(id)
    }

    private func takeID() -> Int {
        state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
    }

    private func forget(_ id: Int) { state.withLock { _ = $0.cancelledEarly.remove(id) } }

    private func enqueue(id: Int, _ wait: Wait, _ continuation: CheckedContinuation<Void, any Error>) {
        enum Verdict { case waits, awake, cancelled }
        let (verdict, awake, watchers) = state.withLock { state -> (Verdict, [Sleeper], [Watcher]) in
            let until: Duration
            let isDeadline: Bool
            switch wait {
            case .pause(let duration):
                (until, isDeadline) = (TestClock.bounded(state.uptime + TestClock.bounded(duration)), false)
                if state.requestedSleeps.count < TestClock.keptSleepLimit { state.requestedSleeps.append(duration) }
            case .deadline(let uptime):
                (until, isDeadline) = (TestClock.bounded(uptime), true)
            }
            if state.cancelledEarly.contains(id) { return (.cancelled, [], []) }
            if until <= state.uptime { return (.awake, [], []) }
            if let limit = state.skipLimit, !isDeadline, until - state.uptime <= limit {
                return (.awake, state.advance(by: until - state.uptime), [])
            }
            state.sleepers.append(
                Sleeper(id: id, isDeadline: isDeadline, until: until, continuation: continuation)
            )
            return (.waits, [], state.takeSatisfiedWatchers())
        }
        for sleeper in awake { sleeper.continuation.resume() }
        switch verdict {
        case .waits: break
        case .awake: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
        for watcher in watchers { watcher.continuation.resume() }
    }

    private func cancel(id: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelledEarly.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
