public import HeliumJSON

/// The server's reply to one fragment of a sync (Docs/Protocols/Jetstream.md §1.3).
public struct FragmentReply: Sendable, Hashable {
    /// Why the fragment was refused; `nil` if it was accepted.
    public var error: ErrorObject?
    /// Properties that the server set to other values than the fragment's. Empty if it changed none.
    public var modifications: JSONObject

    /// A reply of these parts. Default: accepted as sent.
    public init(error: ErrorObject? = nil, modifications: JSONObject = [:]) {
        self.error = error
        self.modifications = modifications
    }

    /// Whether the fragment was applied. The wire has no such member: it is the absence of an error.
    public var isAccepted: Bool { error == nil }
}
