internal import HeliumKit

/// What is known of a document besides its contents: what it was asked for, and so what its silence means.
struct DocumentContext: Sendable {
    /// When it was asked for (``EditClock``); of a push, when it came.
    var askedAt: UInt64
    /// What the models that it changes tell.
    var kind: ModelEvent.Kind
    /// Whether a datastream that it leaves out is gone.
    var namesAllDatastreams = true
    /// Whether it was asked for datapoints: then a datastream without any has none in the window.
    var hasHistory = false

    /// Of an answer to a request that is made now.
    init(parameters: [String: ParameterValue]) {
        askedAt = EditClock.tick()
        kind = .fetched
        // §3.2 and §4: the first names those wanted, the second drops those without a value by then.
        namesAllDatastreams = parameters["datastreams"] == nil && parameters["time"] == nil
        hasHistory = parameters.keys.contains { Self.historyParameters.contains($0) }
    }

    /// Of a document that came by itself now, whole.
    init(pushedAs kind: ModelEvent.Kind) {
        askedAt = EditClock.tick()
        self.kind = kind
    }

    /// Any of these makes a read a history query (§4).
    private static let historyParameters: Set<String> = [
        "start", "end", "duration", "limit", "interval", "interval_type", "find_previous", "function",
    ]
}
