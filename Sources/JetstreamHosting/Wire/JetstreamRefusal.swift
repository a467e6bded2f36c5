internal import HeliumJSON

/// A rejection that is sent to a client: of a connection, a session, a fetch or a write
/// (Docs/Protocols/Jetstream.md §1.3).
///
/// Closures of ``JetstreamAuthorization`` throw it to reject with a custom message. Any other error that they throw is
/// sent to the client as "refused".
public struct JetstreamRefusal: Error, Hashable, Sendable {
    /// The text for the client.
    public var message: String
    /// The type of the rejection, such as `rejected`; `nil` sends no type.
    public var type: String?

    /// Creates a rejection.
    ///
    /// - Parameters:
    ///   - message: The text for the client.
    ///   - type: The type of the rejection. Default: `nil`, no type is sent.
    public init(_ message: String, type: String? = nil) {
        self.message = message
        self.type = type
    }

    /// Converts an error of a closure. The text of another error is not sent, because it may contain information that
    /// clients must not see.
    init(_ error: any Error) { self = error as? JetstreamRefusal ?? JetstreamRefusal("refused", type: "rejected") }
}

extension JetstreamRefusal: CustomStringConvertible {
    /// The message, and the type if there is one.
    public var description: String { type.map { "\(message) (\($0))" } ?? message }
}

extension JetstreamRefusal {
    static let unknownToken = Self("the session is unknown or has expired", type: "session-token-unrecognized")
    static let lateHandshake = Self("the session was not created in time", type: "session-establish-timedout")
    static let notAHandshake = Self("the first message must be a SessionCreate", type: "unrecognized-handshake")
    static let notJSON = Self("the first message is not JSON")
    static let badVersion = Self("version is not a semantic version")
    static let unreadable = Self("the message is invalid", type: "could-not-apply-sync-message")
    static let noScopeIndex = Self("the scope index is unknown", type: "scope-index-not-found")
    static let unreadableScope = Self("the server cannot read the scope from its store", type: "rejected")
    static let otherFragment = Self("another fragment was refused", type: "could-not-apply-sync-message")
    static let procedure = Self("the procedure does not allow this", type: "could-not-apply-sync-message")

    /// The error object on the wire.
    var object: JSONObject {
        var object: JSONObject = ["message": .string(message)]
        if let type { object["type"] = .string(type) }
        return object
    }

    /// The reason for a close frame: the error object. Its message is truncated so that it fits into the 123 bytes of a
    /// control frame (RFC 6455 §5.5).
    var closeReason: String {
        var cut = self
        var length = message.unicodeScalars.count
        if length > Self.reasonBytes {
            length = Self.reasonBytes
            cut.message = message.prefix(scalars: length)
        }
        while length > 0, JSONValue.object(cut.object).text().utf8.count > Self.reasonBytes {
            length -= 1
            cut.message = cut.message.prefix(scalars: length)
        }
        return JSONValue.object(cut.object).text()
    }

    private static let reasonBytes = 123
}
