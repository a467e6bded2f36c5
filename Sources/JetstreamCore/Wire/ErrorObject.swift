/// An error in a peer's message: the error object of Docs/Protocols/Jetstream.md §1.3.
public struct ErrorObject: Sendable, Hashable {
    /// The message to show to people. `Unknown error` if the peer sent none.
    public var message: String
    /// The type of the error for programs, for example `session-token-unrecognized`. `nil` if the peer sent none: most
    /// errors only have a message (Docs/Protocols/Jetstream.md §1.3).
    public var type: String?

    /// Creates an error object.
    public init(message: String, type: String? = nil) {
        self.message = message
        self.type = type
    }
}
