internal import CoreMetrics
internal import Synchronization

/// The instruments of one client. Each is created on first use and kept, so that later uses only look it up in a table.
final class Instruments: Sendable {
    /// A metric with the values of its labels.
    private struct Key: Hashable {
        let metric: Metric
        let first: String
        let second: String
    }

    private struct Tables {
        var counters: [Key: any CounterHandler] = [:]
        var timers: [Key: any TimerHandler] = [:]
    }

    private let factory: any MetricsFactory
    private let prefix: String
    private let constants: [(String, String)]
    private let tables = Guarded(Tables())

    init(_ factory: any MetricsFactory, options: Observability.MetricOptions, server: String) {
        self.factory = factory
        prefix = options.labelPrefix.isEmpty ? "" : options.labelPrefix + "."
        var constants = options.dimensions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        if options.includesServer { constants.append(("server", server)) }
        self.constants = constants
    }

    /// Adds to a counter. The values are those of the metric's labels, in order.
    func count(_ metric: Metric, _ first: String, _ second: String = "", by amount: Int64 = 1) {
        let key = Key(metric: metric, first: first, second: second)
        let counter = tables.withLock { tables in
            if let counter = tables.counters[key] { return counter }
            let counter = factory.makeCounter(label: prefix + metric.name, dimensions: dimensions(key))
            tables.counters[key] = counter
            return counter
        }
        counter.increment(by: amount)
    }

    /// Records a duration. The values are those of the metric's labels, in order.
    func time(_ metric: Metric, _ first: String, _ second: String = "", _ duration: Duration) {
        let key = Key(metric: metric, first: first, second: second)
        let timer = tables.withLock { tables in
            if let timer = tables.timers[key] { return timer }
            let timer = factory.makeTimer(label: prefix + metric.name, dimensions: dimensions(key))
            tables.timers[key] = timer
            return timer
        }
        timer.recordNanoseconds(duration.clampedNanoseconds)
    }

    private func dimensions(_ key: Key) -> [(String, String)] {
        Array(zip(key.metric.labels, [key.first, key.second])) + constants
    }
}

extension Instruments {
    /// The metrics of a client: their names without the prefix, and their labels.
    enum Metric: CaseIterable {
        case calls, callDuration, attempts, attemptDuration, requestBytes, responseBytes, failures, retries, heldLoop

        var name: String {
            switch self {
            case .calls: "calls"
            case .callDuration: "call.duration"
            case .attempts: "attempts"
            case .attemptDuration: "attempt.duration"
            case .requestBytes: "request.bytes"
            case .responseBytes: "response.bytes"
            case .failures: "failures"
            case .retries: "retries"
            case .heldLoop: "loop.held"
            }
        }

        var labels: [String] {
            switch self {
            case .calls, .callDuration, .attempts: ["method", "outcome"]
            case .attemptDuration: ["method", "phase"]
            case .requestBytes, .responseBytes: ["method"]
            case .failures: ["kind"]
            case .retries: ["reason"]
            case .heldLoop: []
            }
        }
    }
}

extension Duration {
    /// The duration in whole nanoseconds, limited to the range from zero to the largest 64-bit value.
    var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = min(max(self, .zero), .seconds(Int64.max)).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isSumOver) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isOver || isSumOver ? .max : sum
    }
}
