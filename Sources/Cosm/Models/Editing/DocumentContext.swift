internal import HeliumKit
internal import Synchronization

/// The origin of a document: the number of its request, and the meaning of absent parts.
struct DocumentContext: Sendable {
    /// The number at which the document was requested (``EditSequence``), or at which a push arrived.
    var askedAt: UInt64
    /// The kind of the events of the models that it changes.
    var kind: ModelEvent.Kind
    /// Whether a datastream that the document leaves out does not exist any more.
    var namesAllDatastreams = true
    /// Whether the document was requested, so that it shows what was saved before.
    var isRequested = true
    /// Whether datapoints were requested. A datastream without any has none in the window then.
    var hasHistory = false

    /// Creates the context of a response to a request that is made now.
    init(parameters: [String: ParameterValue], kind: ModelEvent.Kind = .fetched) {
        askedAt = EditSequence.next()
        self.kind = kind
        // The first parameter names the datastreams, and the second leaves out datastreams without a value at that time
        // (Docs/Protocols/Cosm.md §3.2, §4).
        namesAllDatastreams = parameters["datastreams"] == nil && parameters["time"] == nil
        hasHistory = parameters.keys.contains { Self.historyParameters.contains($0) }
    }

    /// Creates the context of a whole document that was pushed now.
    init(pushedAs kind: ModelEvent.Kind) {
        askedAt = EditSequence.next()
        isRequested = false
        self.kind = kind
    }

    /// The parameters that make a read a history query (Docs/Protocols/Cosm.md §4).
    private static let historyParameters: Set<String> = [
        "start", "end", "duration", "limit", "interval", "interval_type", "find_previous", "function",
    ]
}

/// A counter that numbers requests, edits and saves in their order.
///
/// All models share one sequence, so that the number of a feed's request is comparable with the edits of its
/// datastreams.
enum EditSequence {
    private static let last = Atomic<UInt64>(0)

    /// Returns the number of an event that happens now.
    static func next() -> UInt64 { last.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}
