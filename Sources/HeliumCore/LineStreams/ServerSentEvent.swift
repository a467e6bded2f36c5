/// An event of a `text/event-stream` (WHATWG HTML, section 9.2 "Server-sent events").
public struct ServerSentEvent: Hashable, Sendable {
    /// The field `event`; `message` where the server gave none.
    public let type: String

    /// The fields `data`, joined by line feeds.
    public let data: String

    /// The last field `id` so far: of this event or of one before it; `nil` where there was none or an empty one.
    public let id: String?

    /// An event: for tests.
    public init(type: String = "message", data: String, id: String? = nil) {
        self.type = type
        self.data = data
        self.id = id
    }
}
