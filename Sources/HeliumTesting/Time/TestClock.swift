public import HeliumCore
internal import Synchronization

/// A clock that stands still until a test moves it.
///
/// Everything that sleeps on it wakes, in the order of its time, when the clock passes that time. Wait with
/// ``waitForSleepers(_:)`` until the code under test sleeps, then move the clock:
///
/// ```swift
/// let result = Task { try await client.get("/slow").value() }
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(60))
/// ```
///
/// Where a test has no interest in the pauses, ``init(wallTime:skippingSleepsUpTo:)`` makes a clock that jumps over them.
public final class TestClock: HeliumClock {
    private struct Sleeper {
        let id: Int
        let until: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let id: Int
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

        mutating func takeSatisfiedWatchers() -> [Watcher] {
            let satisfied = watchers.filter { $0.count <= sleepers.count }
            watchers.removeAll { $0.count <= sleepers.count }
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
    ///   - limit: Sleeps up to this long don't wait: the clock jumps to their end. Longer ones wait to be woken: so that
    ///     pauses between attempts pass, and a call's deadline does not. Default: none is skipped.
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

    /// How many tasks sleep on this clock now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// The uptime at which the next sleeper wakes; `nil` if none sleeps.
    public var nextWakeTime: Duration? { state.withLock { $0.sleepers.map(\.until).min() } }

    /// Every duration that was slept for, or was to be, in the order in which the sleeps began: what a test of pauses
    /// looks at. The first ``keptSleepLimit`` are kept.
    public var requestedSleeps: [Duration] { state.withLock { $0.requestedSleeps } }
}

// MARK: Moving

extension TestClock {
    /// Moves both times forward and wakes what has slept long enough.
    public func advance(by duration: Duration) {
        let awake = state.withLock { $0.advance(by: max(.zero, duration)) }
        for sleeper in awake { sleeper.continuation.resume() }
    }

    /// Moves both times forward until ``uptime`` is `uptime`; a time that has passed changes nothing.
    public func advance(to uptime: Duration) {
        let awake = state.withLock { $0.advance(by: max(.zero, uptime - $0.uptime)) }
        for sleeper in awake { sleeper.continuation.resume() }
    }

    /// Moves to the time at which the next sleeper wakes, and wakes it.
    ///
    /// - Returns: How far that was; `nil` if none sleeps.
    @discardableResult
    public func advanceToNextSleeper() -> Duration? {
        let (awake, step) = state.withLock { state -> ([Sleeper], Duration?) in
            guard let next = state.sleepers.map(\.until).min() else { return ([], nil) }
            let step = max(.zero, next - state.uptime)
            return (state.advance(by: step), step)
        }
        for sleeper in awake { sleeper.continuation.resume() }
        return step
    }

    /// Moves from sleeper to sleeper until nobody sleeps any more, for work that sleeps again and again.
    ///
    /// Between two steps it waits until `operation` sleeps again or has ended. Only for an operation that does nothing but
    /// sleep and compute: while it waited for anything else, a deadline that sleeps beside it would be woken.
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
    public func sleep(for duration: Duration) async throws {
        let id = takeID()
        defer { forget(id) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(id: id, duration: duration, continuation)
            }
        } onCancel: {
            cancel(id: id)
        }
    }

    /// Waits until at least `count` tasks sleep on this clock: call it before moving the clock. Ends early when the calling
    /// task is cancelled.
    public func waitForSleepers(_ count: Int = 1) async {
        let id = takeID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.sleepers.count >= count || state.cancelledEarly.contains(id) { return true }
                    state.watchers.append(Watcher(id: id, count: count, continuation: continuation))
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

    private func enqueue(id: Int, duration: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
        enum Verdict { case waits, awake, cancelled }
        let (verdict, awake, watchers) = state.withLock { state -> (Verdict, [Sleeper], [Watcher]) in
            if state.requestedSleeps.count < TestClock.keptSleepLimit { state.requestedSleeps.append(duration) }
            if state.cancelledEarly.contains(id) { return (.cancelled, [], []) }
            if duration <= .zero { return (.awake, [], []) }
            if let limit = state.skipLimit, duration <= limit { return (.awake, state.advance(by: duration), []) }
            state.sleepers.append(Sleeper(id: id, until: state.uptime + duration, continuation: continuation))
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
