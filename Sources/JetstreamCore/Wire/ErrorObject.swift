/// An error as a peer puts it into a message: the error object of Docs/Protocols/Jetstream.md §1.3.
public struct ErrorObject: Sendable, Hashable {
    /// The message for people. `Unknown error` if the peer gave none.
    public var message: String
    /// The error's type, for programs: for example `session-token-unrecognized`. `nil` if the peer gave none; most refusals
    /// carry only a message (Jetstream.md §1.4).
    public var type: String?

    /// An error of these parts.
    public init(message: String, type: String? = nil) {
        self.message = message
        self.type = type
    }
}
