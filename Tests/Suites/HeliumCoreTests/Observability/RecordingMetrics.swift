import CoreMetrics
import HeliumCore
import Synchronization

/// A metrics backend that keeps its values, and counts how often instruments are made.
final class RecordingMetrics: MetricsFactory {
    private struct State {
        var counts: [String: Int64] = [:]
        var times: [String: [Int64]] = [:]
        var made: [String] = []
    }

    private let state = Guarded(State())

    /// Counters' values, by `name{label=value,…}`.
    var counts: [String: Int64] { state.withLock { $0.counts } }
    /// Timers' values in nanoseconds.
    var times: [String: [Int64]] { state.withLock { $0.times } }
    /// The instruments in the order they were made.
    var made: [String] { state.withLock { $0.made } }

    private final class Instrument: CounterHandler, TimerHandler, RecorderHandler {
        let add: @Sendable (Int64) -> Void
        init(_ add: @escaping @Sendable (Int64) -> Void) { self.add = add }
        func increment(by amount: Int64) { add(amount) }
        func recordNanoseconds(_ duration: Int64) { add(duration) }
        func record(_ value: Int64) {}
        func record(_ value: Double) {}
        func reset() {}
    }

    private func make(_ label: String, _ dimensions: [(String, String)], isTimer: Bool) -> Instrument {
        let name = "\(label){\(dimensions.map { "\($0)=\($1)" }.joined(separator: ","))}"
        state.withLock { $0.made.append(name) }
        return Instrument { [self] value in
            state.withLock { state in
                if isTimer {
                    state.times[name, default: []].append(value)
                } else {
                    state.counts[name, default: 0] += value
                }
            }
        }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        make(label, dimensions, isTimer: false)
    }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        make(label, dimensions, isTimer: true)
    }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        make(label, dimensions, isTimer: false)
    }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
}
