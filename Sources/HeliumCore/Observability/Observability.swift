public import CoreMetrics
public import Logging
public import Tracing

/// The logs, metrics and traces of a client. All are disabled by default.
///
/// ```swift
/// var options = ClientOptions()
/// options.observability.logger = Logger(label: "shop.catalogue")
/// options.observability.metrics = MetricsSystem.factory
/// options.observability.tracer = InstrumentationSystem.tracer
/// let helium = try Helium(baseURL: catalogue, options: options)
/// ```
/// Each of the three works without the others. Secrets, credential fields and query values are masked in all of them,
/// and a server can't choose the value of a metric's label. A client with all three disabled does no work for them.
public struct Observability: Sendable {
    /// The logger of the log lines. Its metadata and metadata provider are kept. Default: `nil`, no line is written.
    public var logger: Logger?

    /// The levels and the amount of content of the log lines.
    public var logging = LogOptions()

    /// Creates the instruments of the metrics, each once for each set of labels. Default: `nil`, nothing is counted.
    public var metrics: (any MetricsFactory)?

    /// The names and labels of the metrics.
    public var measuring = MetricOptions()

    /// Receives a span for each call and for each attempt, and writes the trace context into requests. Default: `nil`,
    /// no spans are created and requests carry no context.
    public var tracer: (any Tracer)?

    /// The options of the traces.
    public var tracing = TraceOptions()

    /// Creates a value with logs, metrics and traces disabled.
    public init() {}

    /// Logs, metrics and traces disabled. The default.
    public static let none = Observability()

    /// The process's bootstrapped systems: a logger `helium`, `MetricsSystem.factory`, `InstrumentationSystem.tracer`,
    /// and `InstrumentationSystem.instrument` to write its context. Their current state is used, so bootstrap them
    /// before you read this property.
    public static var bootstrapped: Self {
        var observability = Observability()
        observability.logger = Logger(label: "helium")
        observability.metrics = MetricsSystem.factory
        observability.tracer = InstrumentationSystem.tracer
        observability.tracing.propagator = InstrumentationSystem.instrument
        return observability
    }

    /// Whether logs, metrics and traces are all disabled.
    var isSilent: Bool { logger == nil && metrics == nil && tracer == nil }
}
