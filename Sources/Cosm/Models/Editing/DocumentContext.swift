internal import HeliumKit
internal import Synchronization

/// The origin of a document: when it was asked for, and what its silence means.
struct DocumentContext: Sendable {
    /// The number at which it was asked for (``EditClock``); of a push, at which it arrived.
    var askedAt: UInt64
    /// The kind of the events of the models that it changes.
    var kind: ModelEvent.Kind
    /// Whether a datastream that it leaves out does not exist any more.
    var namesAllDatastreams = true
    /// Whether it was asked for datapoints: a datastream without any has none in the window then.
    var hasHistory = false

    /// The context of a response to a request that is made now.
    init(parameters: [String: ParameterValue]) {
        askedAt = EditClock.tick()
        kind = .fetched
        // §3.2 and §4: the first names those wanted, the second drops those without a value by then.
        namesAllDatastreams = parameters["datastreams"] == nil && parameters["time"] == nil
        hasHistory = parameters.keys.contains { Self.historyParameters.contains($0) }
    }

    /// The context of a whole document that has arrived unasked now.
    init(pushedAs kind: ModelEvent.Kind) {
        askedAt = EditClock.tick()
        self.kind = kind
    }

    /// Any of these makes a read a history query (§4).
    private static let historyParameters: Set<String> = [
        "start", "end", "duration", "limit", "interval", "interval_type", "find_previous", "function",
    ]
}

/// Numbers in the order of requests, edits and saves.
///
/// All models share one sequence, so that the number at which a feed was asked for is comparable with the edits of its
/// datastreams.
enum EditClock {
    private static let last = Atomic<UInt64>(0)

    /// The number of an event that happens now.
    static func tick() -> UInt64 { last.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}
