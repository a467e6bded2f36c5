public import HeliumCore
internal import Synchronization

/// A clock that stands still until a test moves it.
///
/// Everything that waits on it wakes, in the order of its time, when the clock passes that time. Wait with
/// ``waitForSleepers(_:)`` until the code under test pauses, or with ``waitForDeadlines(_:)`` until it works under a time
/// limit, then move the clock:
///
/// ```swift
/// let call = Task { try await helium.get("/slow").timeout(.seconds(60)).value() }
/// await clock.waitForDeadlines()
/// clock.advance(by: .seconds(60))
/// ```
///
/// Pauses (`sleep(for:)`) and time limits (`waitForDeadline(at:)`) are kept apart: only pauses count as sleepers, are listed
/// in ``requestedSleeps``, and are skipped by a clock that ``init(wallTime:skippingSleepsUpTo:)`` makes. A call's deadline
/// passes only when the clock is moved past it, by a test or by a pause that is skipped.
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
        /// Of those that were cancelled before they had begun to wait.
        var cancelledEarly: Set<Int> = []
        var requestedSleeps: [Duration] = []

        /// Moves both times on, and takes out those who have slept long enough, in the order of their times.
        mutating func advance(by duration: Duration) -> [Sleeper] {
            uptime += duration
            wall += duration
            let due = sleepers.filter { $0.until <= uptime }.sorted { ($0.until, $0.id) < ($1.until, $1.id) }
            sleepers.removeAll { $0.until <= uptime }
            return due
        }

        /// The number of waiting tasks: in pauses, or under time limits.
        func count(ofDeadlines isDeadline: Bool) -> Int { sleepers.count { $0.isDeadline == isDeadline } }

        /// When the next pause ends.
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

    /// The most durations kept in ``requestedSleeps``.
    public static let keptSleepLimit = 10_000

    /// A clock whose wall time starts at `wallTime` since 1970. Default: 2016-02-12T08:00:07Z, the time of the
    /// middleware's published signature examples.
    ///
    /// - Parameters:
    ///   - wallTime: The wall time at the start.
    ///   - limit: Pauses up to this long don't wait: the clock jumps to their end. Longer ones wait to be woken. Time limits
    ///     are never skipped. Default: no pause is skipped.
    public init(wallTime: Duration = .seconds(1_455_264_007), skippingSleepsUpTo limit: Duration? = nil) {
        state = Guarded(State(wall: wallTime, skipLimit: limit))
    }
}

// MARK: Telling time

extension TestClock {
    /// The wall time, as set and advanced.
    public var wallTime: Duration { state.withLock { $0.wall } }

    /// The time advanced since the start.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// The number of tasks that pause on this clock now.
    public var sleeperCount: Int { state.withLock { $0.count(ofDeadlines: false) } }

    /// The number of time limits that run on this clock now.
    public var deadlineCount: Int { state.withLock { $0.count(ofDeadlines: true) } }

    /// The uptime at which the next pause ends; `nil` if no task pauses.
    public var nextWakeTime: Duration? { state.withLock { $0.nextWakeTime } }

    /// The uptime at which the next time limit passes; `nil` if none runs.
    public var nextDeadline: Duration? {
        state.withLock { $0.sleepers.lazy.filter(\.isDeadline).map(\.until).min() }
    }

    /// The duration of every pause, in the order in which the pauses began, those included that were skipped or cancelled.
    /// The first ``keptSleepLimit`` are kept.
    public var requestedSleeps: [Duration] { state.withLock { $0.requestedSleeps } }
}

// MARK: Moving

extension TestClock {
    /// Moves both times forward, ends the pauses that are over, and lets the time limits pass that were reached.
    public func advance(by duration: Duration) {
        let awake = state.withLock { $0.advance(by: max(.zero, duration)) }
        for sleeper in awake { sleeper.continuation.resume() }
    }

    /// Moves both times forward until ``uptime`` is `uptime`; a time that has passed changes nothing.
    public func advance(to uptime: Duration) {
        let awake = state.withLock { $0.advance(by: max(.zero, uptime - $0.uptime)) }
        for sleeper in awake { sleeper.continuation.resume() }
    }

    /// Moves to the time at which the next pause ends, and ends it. A time limit on the way there passes.
    ///
    /// - Returns: How far that was; `nil` if none sleeps.
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

    /// Moves from sleeper to sleeper until nobody sleeps any more, for work that sleeps again and again.
    ///
    /// Between two steps it waits until `operation` pauses again or has ended.
    ///
    /// - Returns: What the operation returns.
    public func runUntilIdle<Result: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await operation() }
            group.addTask {
                while !Task.isCancelled {
                    await self.waitForSleepers()
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

    /// Sets the wall time alone, as when somebody sets the machine's clock.
    public func setWallTime(_ time: Duration) { state.withLock { $0.wall = time } }
}

// MARK: Sleeping

extension TestClock {
    /// Suspends until the clock is advanced far enough.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    public func sleep(for duration: Duration) async throws { try await wait(.pause(duration)) }

    /// Suspends until the clock has reached `uptime`. Does not count as a pause, and is never skipped.
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

    /// Waits until at least `count` tasks pause on this clock: call it before moving the clock. Ends early when the calling
    /// task is cancelled.
    public func waitForSleepers(_ count: Int = 1) async { await watch(count, forDeadlines: false) }

    /// Waits until at least `count` time limits run on this clock: call it before moving the clock past one. Ends early when
    /// the calling task is cancelled.
    ///
    /// A call of a client has a limit on this clock while it waits for an interceptor, for authorization, or for a
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
                (until, isDeadline) = (state.uptime + duration, false)
                if state.requestedSleeps.count < TestClock.keptSleepLimit { state.requestedSleeps.append(duration) }
            case .deadline(let uptime):
                (until, isDeadline) = (uptime, true)
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
