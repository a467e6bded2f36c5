import CoreMetrics
import HeliumCore
import Logging
import Synchronization
import Tracing

/// The log lines, counters and spans with which a client reports its calls.
final class RecordedObservations: Sendable {
    struct Recorded {
        /// The lines: level, message, and the metadata `helium.status`.
        var lines: [String] = []
        /// The values of counters by name and labels.
        var counts: [String: Int64] = [:]
        var spans: [RecordedSpan] = []
    }

    private let state = Guarded(Recorded())

    var all: Recorded { state.withLock(\.self) }

    fileprivate func record(_ change: (inout Recorded) -> Void) { state.withLock { change(&$0) } }

    /// The observability of a client that reports here.
    var observability: Observability {
        var observability = Observability()
        var logger = Logger(label: "test") { _ in Lines(observations: self) }
        logger.logLevel = .debug
        observability.logger = logger
        observability.metrics = Counters(observations: self)
        observability.tracer = Spans(observations: self)
        return observability
    }
}

private struct Lines: LogHandler {
    let observations: RecordedObservations
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let status = event.metadata?["helium.status"].map { " \($0)" } ?? ""
        observations.record { $0.lines.append("\(event.level) \(event.message)\(status)") }
    }
}

private struct Counters: MetricsFactory {
    final class Counter: CounterHandler, TimerHandler, RecorderHandler {
        let add: @Sendable (Int64) -> Void

        init(_ add: @escaping @Sendable (Int64) -> Void) { self.add = add }

        func increment(by amount: Int64) { add(amount) }
        func recordNanoseconds(_ duration: Int64) {}
        func record(_ value: Int64) {}
        func record(_ value: Double) {}
        func reset() {}
    }

    let observations: RecordedObservations

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let labels = dimensions.filter { $0.0 != "server" }.map(\.1)
        let name = ([label] + labels).joined(separator: " ")
        return Counter { [observations] amount in observations.record { $0.counts[name, default: 0] += amount } }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { Counter { _ in } }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        Counter { _ in }
    }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
}

private struct Spans: Tracer {
    let observations: RecordedObservations

    func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> RecordedSpan {
        let span = RecordedSpan(name: operationName, kind: kind, context: context())
        observations.record { $0.spans.append(span) }
        return span
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier { injector.inject("the trace", forKey: "traceparent", into: &carrier) }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {}
}

/// A span that keeps its status and its ends.
final class RecordedSpan: Span {
    private struct State {
        var name: String
        var attributes: SpanAttributes = [:]
        var hasFailed = false
        var ends = 0
    }

    let kind: SpanKind
    let context: ServiceContext
    private let state: Guarded<State>

    init(name: String, kind: SpanKind, context: ServiceContext) {
        self.kind = kind
        self.context = context
        state = Guarded(State(name: name))
    }

    var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }
    var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }
    var isRecording: Bool { ends == 0 }
    var hasFailed: Bool { state.withLock { $0.hasFailed } }
    var ends: Int { state.withLock { $0.ends } }
    /// The attribute `http.response.status_code`.
    var status: Int? {
        if case .int64(let status)? = attributes.get("http.response.status_code") { Int(status) } else { nil }
    }

    func setStatus(_ status: SpanStatus) { state.withLock { $0.hasFailed = status.code == .error } }
    func addEvent(_ event: SpanEvent) {}
    func addLink(_ link: SpanLink) {}
    func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {}
    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) { state.withLock { $0.ends += 1 } }
}
