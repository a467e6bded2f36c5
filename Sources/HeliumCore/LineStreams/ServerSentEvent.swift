/// An event of a `text/event-stream` (WHATWG HTML, section 9.2, "Server-sent events").
public struct ServerSentEvent: Hashable, Sendable {
    /// The `event` field; `message` if the server sent none.
    public let type: String

    /// The `data` fields, joined by line feeds.
    public let data: String

    /// The last `id` field so far, of this event or of an earlier one; `nil` if there was none or it was empty.
    public let id: String?

    /// Creates an event, for tests.
    public init(type: String = "message", data: String, id: String? = nil) {
        self.type = type
        self.data = data
        self.id = id
    }
}
