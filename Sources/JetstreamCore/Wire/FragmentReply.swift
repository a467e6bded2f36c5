public import HeliumJSON

/// The server's reply to one fragment of a sync (Docs/Protocols/Jetstream.md §1.3).
public struct FragmentReply: Sendable, Hashable {
    /// The reason why the fragment was rejected; `nil` if it was accepted.
    public var error: ErrorObject?
    /// The properties that the server set to other values than those of the fragment. Empty if it changed none.
    public var modifications: JSONObject

    /// Creates a reply. Default: accepted without modifications.
    public init(error: ErrorObject? = nil, modifications: JSONObject = [:]) {
        self.error = error
        self.modifications = modifications
    }

    /// Whether the fragment was accepted. On the wire, this is the absence of an error.
    public var isAccepted: Bool { error == nil }
}
