public import HeliumCore

/// Why a session, a fetch or a change set failed.
///
/// It never holds a token or the value of a property. The server's words are in ``server``; they are a peer's text, which the
/// description shows escaped and shortened.
public struct JetstreamError: Error, Sendable {
    /// The kind of failure.
    public var kind: Kind
    /// One sentence for people.
    public var message: String
    /// The server's message and type, if it gave any.
    public var server: ErrorObject?
    /// Whether the request or the change set can have had an effect on the server.
    public var delivery: DeliveryState
    /// The error of each fragment of a change set, in the order of the fragments; `nil` where the server accepted one. Empty
    /// if the server did not reply to each fragment.
    public var fragmentErrors: [ErrorObject?]
    /// The error beneath, for example the connection's.
    public var underlying: (any Error)?

    /// An error of these parts.
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
    /// A kind of failure, as a name from a fixed list that may grow: fit for `switch` and as a metric's label.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The kind's name.
        public var description: String { rawValue }
    }
}

extension JetstreamError.Kind {
    /// The configuration can't be used, for example a parameter that no header field can carry.
    public static let invalidConfiguration = Self(rawValue: "invalidConfiguration")
    /// The server refused the connection, or closed it with 4096 or 4097 before there was a session.
    public static let connectionDenied = Self(rawValue: "connectionDenied")
    /// The server refused the session.
    public static let sessionDenied = Self(rawValue: "sessionDenied")
    /// The session can't be resumed. Change sets that were sent in it without a reply may have been applied
    /// (Jetstream.md §7 no 5).
    public static let sessionLost = Self(rawValue: "sessionLost")
    /// The client was closed before or during the call.
    public static let clientClosed = Self(rawValue: "clientClosed")
    /// The server refused to give the scope.
    public static let fetchRefused = Self(rawValue: "fetchRefused")
    /// The scope is fetched already, or was given up while it was fetched.
    public static let invalidScope = Self(rawValue: "invalidScope")
    /// The server refused some or all fragments of a change set.
    public static let changesRefused = Self(rawValue: "changesRefused")
    /// The server never answered a change set, and answered a later one: it dropped the first unread (Jetstream.md §1.9).
    public static let unanswered = Self(rawValue: "unanswered")
    /// The server's reply does not fit the change set (Jetstream.md §4.2).
    public static let replyMismatch = Self(rawValue: "replyMismatch")
    /// The change set can't be sent: a value that the server would drop unread (Jetstream.md §1.9), or a constraint that fails.
    public static let invalidChanges = Self(rawValue: "invalidChanges")
    /// An object that a change set is for was gone from the scope when a new session began, before the set was sent
    /// (Jetstream.md §7 no 5).
    public static let objectRemoved = Self(rawValue: "objectRemoved")
    /// A ceiling was passed (Jetstream.md §7 no 10): too many change sets are pending, or the state of a scope is larger than
    /// a frame may be.
    public static let ceilingExceeded = Self(rawValue: "ceilingExceeded")
    /// The session's store can't be read or written.
    public static let storeFailed = Self(rawValue: "storeFailed")
    /// The connection failed in a way that no other attempt can change.
    public static let connectionFailed = Self(rawValue: "connectionFailed")
}

extension JetstreamError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind, the message, the delivery and the server's words, on one line.
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

    /// The description.
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
