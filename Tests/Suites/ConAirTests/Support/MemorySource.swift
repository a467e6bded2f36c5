import ConAir
import Foundation
import HeliumConcurrency
import HeliumTesting
import Synchronization

/// A server in memory, whose clock is that of the test plus an offset.
final class MemorySource: TimeSeriesSource {
    struct Failure: Error, Equatable {
        var text = "failed"
    }

    struct Request: Equatable {
        let window: Range<SeriesTime>
        let step: Duration
    }

    private struct State {
        var points: [SeriesTime: Double] = [:]
        var requests: [Request] = []
        var failures: [(any Error)?] = []
        var gate: Signal<Void>?
        var cancelledCount = 0
        /// The end of the last window that was answered.
        var answeredEnd: SeriesTime?
        var partCount = 0
        var failedPartCount = 0
        var statesTime = true
        var extra: [SeriesPoint] = []
    }

    let id: String
    private let clock: TestClock
    private let start: SeriesTime
    private let state = Guarded(State())

    init(_ clock: TestClock, id: String = "memory") {
        self.clock = clock
        self.id = id
        start = SeriesTime(wallTime: clock.wallTime)
    }

    /// The time at the server, which setting the local clock does not change.
    var now: SeriesTime { start.advanced(by: clock.uptime) }

    var requests: [Request] { state.withLock { $0.requests } }
    var cancelledCount: Int { state.withLock { $0.cancelledCount } }
    /// The number of replies for a window that begins where the one before ended, and of failures of such a request.
    var partCounts: (answered: Int, failed: Int) { state.withLock { ($0.partCount, $0.failedPartCount) } }
    var points: SeriesPoints {
        SeriesPoints(state.withLock { $0.points }.map { SeriesPoint(time: $0.key, value: $0.value) })
    }

    /// Whether replies state the time at the server.
    func stateTime(_ statesTime: Bool) { state.withLock { $0.statesTime = statesTime } }

    /// Sets a value, or removes it.
    func set(_ time: SeriesTime, _ value: Double?) { state.withLock { $0.points[time] = value } }

    /// Adds points to each reply, whatever its window.
    func add(_ extra: [SeriesPoint]) { state.withLock { $0.extra = extra } }

    /// The outcomes of the next requests: an error, or `nil` for a reply.
    func fail(_ failures: [(any Error)?]) { state.withLock { $0.failures = failures } }

    /// Holds requests back until the gate is settled.
    func hold() -> Signal<Void> {
        state.withLock { state in
            let gate = state.gate ?? Signal<Void>()
            state.gate = gate
            return gate
        }
    }

    /// Lets requests through again.
    func release() { state.withLock { $0.gate.take() }?.settle() }

    func points(in window: Range<SeriesTime>, step: Duration) async throws -> SeriesReply {
        let gate = state.withLock { state in
            state.requests.append(Request(window: window, step: step))
            return state.gate
        }
        do {
            try await gate?.value()
            try Task.checkCancellation()
        } catch {
            state.withLock { $0.cancelledCount += 1 }
            throw error
        }
        return try state.withLock { state in
            let isPart = state.answeredEnd == window.lowerBound
            state.answeredEnd = nil
            if !state.failures.isEmpty, let failure = state.failures.removeFirst() {
                if isPart { state.failedPartCount += 1 }
                throw failure
            }
            if isPart { state.partCount += 1 }
            state.answeredEnd = window.upperBound
            let points = state.points.filter { window.contains($0.key) && $0.key < now }
            return SeriesReply(
                points: points.map { SeriesPoint(time: $0.key, value: $0.value) } + state.extra,
                serverTime: state.statesTime ? now : nil
            )
        }
    }
}

extension SeriesTime {
    static func + (time: SeriesTime, seconds: Int) -> SeriesTime { time.advanced(by: .seconds(seconds)) }
    static func - (time: SeriesTime, seconds: Int) -> SeriesTime { time.advanced(by: .seconds(-seconds)) }
}

/// The end of a test's clock: a multiple of every step that tests use.
let noon = SeriesTime(seconds: 1_355_227_200)

func makeClock() -> TestClock { TestClock(wallTime: .seconds(1_355_227_200)) }

/// Points one after the other, with values 0, 1, 2, …
func ramp(from start: SeriesTime, step: Int = 120, count: Int) -> [SeriesPoint] {
    (0..<count).map { SeriesPoint(time: start + $0 * step, value: Double($0)) }
}
