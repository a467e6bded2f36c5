import HeliumCore
import Synchronization
import Tracing

/// A tracer that keeps its spans, and writes and reads W3C's trace context.
struct RecordingTracer: Tracer {
    let spans = Recorded<RecordingSpan>()
    /// Other fields to write into requests.
    var extras: [String: String] = [:]

    func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> RecordingSpan {
        let parent = context()
        let number = spans.all.count + 1
        let trace = parent.traceParent?.trace ?? "4bf92f3577b34da6a3ce929d0e0e" + pad(number, 4)
        var context = parent
        context.traceParent = TraceParent(trace: trace, span: pad(number, 16))
        let span = RecordingSpan(
            name: operationName,
            kind: kind,
            context: context,
            parent: parent.traceParent,
            start: instant().nanosecondsSinceEpoch
        )
        spans.append(span)
        return span
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let parent = context.traceParent else { return }
        injector.inject("00-\(parent.trace)-\(parent.span)-01", forKey: "traceparent", into: &carrier)
        injector.inject("helium=test", forKey: "tracestate", into: &carrier)
        for (key, value) in extras { injector.inject(value, forKey: key, into: &carrier) }
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        let parts = extractor.extract(key: "traceparent", from: carrier)?.split(separator: "-") ?? []
        guard parts.count == 4 else { return }
        context.traceParent = TraceParent(trace: String(parts[1]), span: String(parts[2]))
    }

    private func pad(_ number: Int, _ width: Int) -> String {
        String(repeating: "0", count: width - String(number).count) + String(number)
    }
}

/// The identifiers in W3C's `traceparent`.
struct TraceParent: Hashable, Sendable {
    var trace: String
    var span: String
}

private enum TraceParentKey: ServiceContextKey { typealias Value = TraceParent }

extension ServiceContext {
    var traceParent: TraceParent? {
        get { self[TraceParentKey.self] }
        set { self[TraceParentKey.self] = newValue }
    }
}

/// A span that keeps what it is told.
final class RecordingSpan: Span {
    private struct State {
        var name: String
        var attributes: SpanAttributes = [:]
        var status: SpanStatus?
        var events: [SpanEvent] = []
        var errors: [any Error] = []
        var ends: [UInt64] = []
    }

    let context: ServiceContext
    let kind: SpanKind
    let parent: TraceParent?
    let start: UInt64
    private let state: Guarded<State>

    init(name: String, kind: SpanKind, context: ServiceContext, parent: TraceParent?, start: UInt64) {
        self.kind = kind
        self.context = context
        self.parent = parent
        self.start = start
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
    var isRecording: Bool { state.withLock { $0.ends.isEmpty } }
    var status: SpanStatus? { state.withLock { $0.status } }
    var events: [SpanEvent] { state.withLock { $0.events } }
    var errors: [any Error] { state.withLock { $0.errors } }
    /// The times at which the span was ended. A correct span is ended once.
    var ends: [UInt64] { state.withLock { $0.ends } }

    func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }
    func addEvent(_ event: SpanEvent) { state.withLock { $0.events.append(event) } }
    func addLink(_ link: SpanLink) {}
    func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) { state.withLock { $0.errors.append(error) } }
    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        state.withLock { $0.ends.append(end) }
    }

    /// All attributes as text.
    var facts: [String: String] {
        var facts: [String: String] = [:]
        attributes.forEach { name, value in
            switch value {
            case .string(let text): facts[name] = text
            case .int64(let number): facts[name] = String(number)
            default: facts[name] = "\(value)"
            }
        }
        return facts
    }

    /// Everything it was told, as text.
    var everything: String { "\(operationName) \(facts) \(events) \(errors) \(String(describing: status))" }
}

/// A list that many may add to.
final class Recorded<Element: Sendable>: Sendable {
    private let elements = Guarded<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }
    func append(_ element: Element) { elements.withLock { $0.append(element) } }
}
