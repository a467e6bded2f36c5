internal import HTTPTypes
internal import Tracing

/// Lets a tracer write a trace context into a request's fields. Each value replaces a field of the same name.
struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        // A tracer must not write fields that belong to the transport, or split the header section.
        guard let name = try? RequestDraft.FieldName.text(key).checked(),
            value.utf8.allSatisfy({ 0x20...0x7E ~= $0 })
        else { return }
        fields.set(name, to: value)
    }
}

/// A time of the client's clock, for the times of spans.
struct SpanInstant: TracerInstant {
    let nanosecondsSinceEpoch: UInt64

    init(_ clock: any HeliumClock) {
        nanosecondsSinceEpoch = UInt64(clock.wallTime.clampedNanoseconds)
    }

    static func < (a: Self, b: Self) -> Bool { a.nanosecondsSinceEpoch < b.nanosecondsSinceEpoch }
}
