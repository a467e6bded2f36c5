internal import HeliumJSON

/// A refusal that is sent to a client: of a connection, a session, a fetch or a write (Jetstream.md §1.3).
///
/// Closures of ``JetstreamAuthorization`` throw it to refuse with a message of their own. Any other error that they throw
/// reaches the client as "refused".
public struct JetstreamRefusal: Error, Hashable, Sendable {
    /// The text for the client.
    public var message: String
    /// The kind of the refusal, such as `rejected`; `nil` sends none.
    public var type: String?

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - message: The text for the client.
    ///   - type: The kind of the refusal. Default: `nil`, none is sent.
    public init(_ message: String, type: String? = nil) {
        self.message = message
        self.type = type
    }

    /// The refusal that an error of a closure becomes. The text of a foreign error may hold what no client should read.
    init(_ error: any Error) { self = error as? JetstreamRefusal ?? JetstreamRefusal("refused", type: "rejected") }
}

extension JetstreamRefusal: CustomStringConvertible {
    /// The message, and the type if there is one.
    public var description: String { type.map { "\(message) (\($0))" } ?? message }
}

extension JetstreamRefusal {
    static let unknownToken = Self("the session is unknown or has expired", type: "session-token-unrecognized")
    static let lateHandshake = Self("no session was created in time", type: "session-establish-timedout")
    static let notAHandshake = Self("the first message must be a SessionCreate", type: "unrecognized-handshake")
    static let notJSON = Self("the first message is not JSON")
    static let badVersion = Self("version is not a semantic version")
    static let unreadable = Self("the message is invalid", type: "could-not-apply-sync-message")
    static let noScopeIndex = Self("no scope has this index", type: "scope-index-not-found")
    static let otherFragment = Self("another fragment was refused", type: "could-not-apply-sync-message")
    static let procedure = Self("the procedure does not allow this", type: "could-not-apply-sync-message")

    /// The error object of the wire.
    var object: JSONObject {
        var object: JSONObject = ["message": .string(message)]
        if let type { object["type"] = .string(type) }
        return object
    }

    /// The reason of a close frame: the error object, whose message is cut so that all of it fits in the 123 bytes of a
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
