internal import HeliumJSON

/// The changes of streams that a write causes. They are made after its commit, in their order, so that a write that is
/// rolled back has no effect.
struct AppNetEffects: Sendable {
    /// The events to publish, in the order of the changes.
    private(set) var events: [AppNetEvent] = []
    /// The app streams that were deleted.
    var endedStreams: [Int64] = []
    /// The messages to single app streams, after the events.
    var messages: [(message: JSONValue, stream: AppStreamRecord)] = []

    /// The number of rows of deleted objects that the write may still delete itself (``RowRemoval``).
    var removableRows = RowRemoval.portion

    /// Whether no stream gets a message.
    var isEmpty: Bool { events.isEmpty && messages.isEmpty }

    mutating func append(_ event: AppNetEvent) { events.append(event) }

    static func += (effects: inout Self, events: [AppNetEvent]) { effects.events += events }
}
