public import CoreMetrics
public import Logging
public import Tracing

/// What a client tells of its calls, and to whom: logs, metrics, traces. Nothing unless asked.
///
/// ```swift
/// var options = ClientOptions()
/// options.observability.logger = Logger(label: "shop.catalogue")
/// options.observability.metrics = MetricsSystem.factory
/// options.observability.tracer = InstrumentationSystem.tracer
/// let helium = try Helium(baseURL: catalogue, options: options)
/// ```
/// Each of the three works without the others. Secrets, credential fields and query values are masked in all of them, and
/// nothing that a server can choose becomes a metric's label. A client with all three off does no work for them.
public struct Observability: Sendable {
    /// Receives the log lines; its metadata and metadata provider are kept. Default: `nil`, no line is written.
    public var logger: Logger?

    /// At which levels, and with how much content.
    public var logging = LogOptions()

    /// Makes the metrics' instruments, each once for each set of labels. Default: `nil`, nothing is counted.
    public var metrics: (any MetricsFactory)?

    /// How the metrics are named, and their labels.
    public var measuring = MetricOptions()

    /// Receives a span for each call and for each attempt, and writes the trace's context into requests. Default: `nil`,
    /// no span is made and requests carry no context.
    public var tracer: (any Tracer)?

    /// What the tracer is asked for.
    public var tracing = TraceOptions()

    /// All three off.
    public init() {}

    /// All three off: the default.
    public static let none = Observability()

    /// What the process has bootstrapped: a logger `helium`, `MetricsSystem.factory`, `InstrumentationSystem.tracer`, and
    /// `InstrumentationSystem.instrument` to write its context; each as it is at this moment. Bootstrap before.
    public static var bootstrapped: Self {
        var observability = Observability()
        observability.logger = Logger(label: "helium")
        observability.metrics = MetricsSystem.factory
        observability.tracer = InstrumentationSystem.tracer
        observability.tracing.propagator = InstrumentationSystem.instrument
        return observability
    }

    /// Whether nothing is told to anybody.
    var isSilent: Bool { logger == nil && metrics == nil && tracer == nil }
}
