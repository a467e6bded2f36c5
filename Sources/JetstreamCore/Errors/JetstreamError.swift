public import HeliumCore

/// The error of a session, a fetch or a change set.
///
/// It never contains a token or the value of a property. The server's message is in ``server``. Because it comes from a
/// peer, the description shows it escaped and shortened.
public struct JetstreamError: Error, Sendable {
    /// The kind of failure.
    public var kind: Kind
    /// A sentence to show to people.
    public var message: String
    /// The server's message and type; `nil` if the server sent none.
    public var server: ErrorObject?
    /// Whether the request or the change set may have taken effect on the server.
    public var delivery: DeliveryState
    /// The error of each fragment of a change set, in order; `nil` for accepted fragments. Empty if the server did not
    /// reply to each fragment.
    public var fragmentErrors: [ErrorObject?]
    /// The underlying error, for example that of the connection.
    public var underlying: (any Error)?

    /// Creates an error.
    public init(
        _ kind: Kind,
        _ message: String,
        server: ErrorObject? = nil,
        delivery: DeliveryState,
        fragmentErrors: [ErrorObject?] = [],
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.message = message
        self.server = server
        self.delivery = delivery
        self.fragmentErrors = fragmentErrors
        self.underlying = underlying
    }
}

extension JetstreamError {
    /// A kind of failure. More kinds may be added. The name is suitable for `switch` and as a metric label.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the kind.
        public let rawValue: String

        /// Creates the kind with a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the kind.
        public var description: String { rawValue }
    }
}

extension JetstreamError.Kind {
    /// The configuration is invalid, for example because a parameter cannot be sent in a header field.
    public static let invalidConfiguration = Self(rawValue: "invalidConfiguration")
    /// The server denied the connection, or closed it with 4096 or 4097 before a session existed.
    public static let connectionDenied = Self(rawValue: "connectionDenied")
    /// The server rejected the session.
    public static let sessionDenied = Self(rawValue: "sessionDenied")
    /// The session cannot be resumed. Change sets that were sent in it without a reply may have been applied
    /// (Docs/Protocols/Jetstream.md §7 no 5).
    public static let sessionLost = Self(rawValue: "sessionLost")
    /// The client was closed before or during the call.
    public static let clientClosed = Self(rawValue: "clientClosed")
    /// The server rejected the fetch of the scope.
    public static let fetchRefused = Self(rawValue: "fetchRefused")
    /// The scope is already fetched, or was abandoned during the fetch.
    public static let invalidScope = Self(rawValue: "invalidScope")
    /// The server rejected some or all fragments of a change set.
    public static let changesRefused = Self(rawValue: "changesRefused")
    /// The server dropped a change set unread: it replied to a later one only (Docs/Protocols/Jetstream.md §1.9).
    public static let unanswered = Self(rawValue: "unanswered")
    /// The server's reply does not match the change set (Docs/Protocols/Jetstream.md §4.2).
    public static let replyMismatch = Self(rawValue: "replyMismatch")
    /// The change set cannot be sent: the server would drop a value unread (Docs/Protocols/Jetstream.md §1.9), or a
    /// constraint fails.
    public static let invalidChanges = Self(rawValue: "invalidChanges")
    /// An object of a change set was no longer in the scope when a new session began, before the set was sent
    /// (Docs/Protocols/Jetstream.md §7 no 5).
    public static let objectRemoved = Self(rawValue: "objectRemoved")
    /// A limit was exceeded (Docs/Protocols/Jetstream.md §7 no 10): too many change sets are pending, or the state of a
    /// scope is larger than the maximum frame.
    public static let ceilingExceeded = Self(rawValue: "ceilingExceeded")
    /// The session store cannot be read or written.
    public static let storeFailed = Self(rawValue: "storeFailed")
    /// The connection failed permanently. Another attempt would fail too.
    public static let connectionFailed = Self(rawValue: "connectionFailed")
}

extension JetstreamError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind, the message, the delivery and the server's message, on one line.
    public var description: String {
        var text = "\(kind): \(message) [\(delivery.rawValue)]"
        if let server {
            let type = server.type.map { " (\(PeerText.shortened($0, to: 100)))" } ?? ""
            text += " server: \(PeerText.shortened(server.message, to: 1024))\(type)"
        }
        let refused = fragmentErrors.lazy.filter { $0 != nil }.count
        if refused > 0 { text += " refused fragments: \(refused) of \(fragmentErrors.count)" }
        if let cause = underlying as? HeliumError { text += " cause: \(cause)" }
        return PeerText.escaped(text)
    }

    /// The text of ``description``.
    public var debugDescription: String { description }

    /// The parts of the description.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["kind": kind, "message": message, "server": server as Any, "delivery": delivery],
            displayStyle: .struct
        )
    }
}
