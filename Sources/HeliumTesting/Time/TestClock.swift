public import HeliumCore
internal import Synchronization

/// A clock that stands still until a test moves it.
///
/// Everything that sleeps on it wakes, in the order of its time, when ``advance(by:)`` passes that time.
public final class TestClock: HeliumClock {
    private struct Sleeper {
        let id: Int
        let until: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var wall: Duration
        var uptime: Duration = .zero
        var nextID = 0
        var sleepers: [Sleeper] = []
        var cancelledEarly: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Guarded<State>

    /// A clock whose wall time starts at `wallTime` since 1970. Default: 2016-02-12T08:00:07Z, the time of the
    /// middleware's published signature examples.
    public init(wallTime: Duration = .seconds(1_455_264_007)) { state = Guarded(State(wall: wallTime)) }

    /// The wall time, as set and advanced.
    public var wallTime: Duration { state.withLock { $0.wall } }

    /// The time advanced since the start.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// How many tasks sleep on this clock now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Suspends until the clock is advanced far enough.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    public func sleep(for duration: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(id: id, duration: duration, continuation)
            }
        } onCancel: {
            cancel(id: id)
        }
    }

    /// Moves both times forward and wakes what has slept long enough.
    public func advance(by duration: Duration) {
        let awake = state.withLock { state in
            state.uptime += duration
            state.wall += duration
            let due = state.sleepers.filter { $0.until <= state.uptime }.sorted { $0.until < $1.until }
            state.sleepers.removeAll { $0.until <= state.uptime }
            return due
        }
        for sleeper in awake { sleeper.continuation.resume() }
    }

    /// Sets the wall time alone, as when somebody sets the machine's clock.
    public func setWallTime(_ time: Duration) { state.withLock { $0.wall = time } }

    /// Waits until at least `count` tasks sleep on this clock: call it before ``advance(by:)``.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func enqueue(id: Int, duration: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
        enum Verdict { case waits, awake, cancelled }
        let (verdict, ready) = state.withLock { state -> (Verdict, [CheckedContinuation<Void, Never>]) in
            if state.cancelledEarly.remove(id) != nil { return (.cancelled, []) }
            if duration <= .zero { return (.awake, []) }
            state.sleepers.append(Sleeper(id: id, until: state.uptime + duration, continuation: continuation))
            let ready = state.watchers.filter { $0.count <= state.sleepers.count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= state.sleepers.count }
            return (.waits, ready)
        }
        switch verdict {
        case .waits: break
        case .awake: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
        for watcher in ready { watcher.resume() }
    }

    private func cancel(id: Int) {
        let sleeper: Sleeper? = state.withLock { state in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelledEarly.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
