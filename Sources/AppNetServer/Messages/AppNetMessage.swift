internal import HeliumJSON

/// A message as the store keeps it (§3.1).
struct AppNetMessage: Hashable, Sendable {
    var id: Int64
    var channel: Int64
    var user: Int64
    var client: String
    var created: Int64
    /// Nil where it is machine only.
    var text: ProcessedText?
    /// Mentions of a machine only message, which have no place in a text.
    var entities = AppNetEntities()
    var annotations: [JSONValue] = []
    /// The first message of its thread, which may be itself.
    var thread: Int64
    var replyTo: Int64?
    var replies = 0
    var isMachineOnly = false
    var isDeleted = false
}
