public import Foundation
public import HeliumJSON

/// A message of the Jetstream Sync protocol, in either direction (Docs/Protocols/Jetstream.md §1.3).
///
/// Each message has an index. Index 0 is outside the sequence: such a message is never ordered, redelivered or
/// deduplicated.
public enum JetstreamMessage: Sendable, Hashable {
    /// The client requests a session: the first message of a socket without a token.
    case sessionCreate(SessionCreate)
    /// The server accepts or denies a session.
    case sessionCreateReply(SessionCreateReply)
    /// The client requests a scope.
    case scopeFetch(ScopeFetch)
    /// The server accepts or rejects a fetch.
    case scopeFetchReply(ScopeFetchReply)
    /// The server sends a scope's whole tree.
    case scopeState(ScopeState)
    /// Either side sends changes of a scope.
    case scopeSync(ScopeSync)
    /// The server replies to each fragment of a sync.
    case scopeSyncReply(ScopeSyncReply)
    /// Either side acknowledges received messages.
    case ping(Ping)
    /// A reply without contents. No known peer sends it; it settles a sync as a mismatch
    /// (Docs/Protocols/Jetstream.md §1.3, §4.2).
    case reply(Reply)
    /// A message of an unknown type, or one without a required member.
    case unusable(Unusable)
}

extension JetstreamMessage {
    /// The largest index that JavaScript represents exactly: 2^53 − 1. A message with a larger index is unusable
    /// (Docs/Protocols/Jetstream.md §7 no 10).
    public static let maximumIndex = 1 << 53 - 1

    /// The protocol version that a client sends in ``SessionCreate``.
    public static let protocolVersion = "0.2.0"

    /// The index of the message; `nil` for an unusable message without one.
    public var index: Int? {
        switch self {
        case .sessionCreate, .ping: 0
        case .sessionCreateReply(let message): message.index
        case .scopeFetch(let message): message.index
        case .scopeFetchReply(let message): message.index
        case .scopeState(let message): message.index
        case .scopeSync(let message): message.index
        case .scopeSyncReply(let message): message.index
        case .reply(let message): message.index
        case .unusable(let message): message.index
        }
    }
}

// MARK: Sessions

extension JetstreamMessage {
    /// A request for a session. Its index is always 0.
    public struct SessionCreate: Sendable, Hashable {
        /// The version of the protocol, a full semantic version.
        public var version: String
        /// Parameters for the server's application, such as credentials.
        public var parameters: JSONObject

        /// Creates a request.
        public init(version: String = JetstreamMessage.protocolVersion, parameters: JSONObject = [:]) {
            self.version = version
            self.parameters = parameters
        }
    }

    /// A reply that accepts or denies a session. It does not name the request, because there is only one.
    public struct SessionCreateReply: Sendable, Hashable {
        /// The index: 0 for a new session.
        public var index: Int
        /// The token of the session; `nil` if the session was denied. It is a credential: it resumes the session.
        public var sessionToken: String?
        /// The reason why the session was denied.
        public var error: ErrorObject?

        /// Creates a reply.
        public init(index: Int = 0, sessionToken: String? = nil, error: ErrorObject? = nil) {
            self.index = index
            self.sessionToken = sessionToken
            self.error = error
        }
    }

    /// An acknowledgement of received messages. Its index is always 0. A ping is not acknowledged by a ping.
    public struct Ping: Sendable, Hashable {
        /// The highest index received from the peer.
        public var ack: Int
        /// Whether the peer must resend all messages above ``ack``.
        public var resendMissing: Bool

        /// Creates a ping.
        public init(ack: Int, resendMissing: Bool = false) {
            self.ack = ack
            self.resendMissing = resendMissing
        }
    }

    /// A reply without contents.
    public struct Reply: Sendable, Hashable {
        /// The index in the sender's sequence.
        public var index: Int
        /// The index of the message that this replies to, in the receiver's sequence.
        public var replyTo: Int

        /// Creates a reply.
        public init(index: Int, replyTo: Int) {
            self.index = index
            self.replyTo = replyTo
        }
    }

    /// An unusable message: its type is unknown, or a required member is missing or of the wrong kind.
    public struct Unusable: Sendable, Hashable {
        /// The index, which still counts; `nil` if the message has no valid index.
        public var index: Int?
        /// The type; `nil` if the message has none.
        public var type: String?

        /// Creates an unusable message.
        public init(index: Int?, type: String?) {
            self.index = index
            self.type = type
        }
    }
}

// MARK: Scopes

extension JetstreamMessage {
    /// A request for a scope.
    public struct ScopeFetch: Sendable, Hashable {
        /// The index, at least 1.
        public var index: Int
        /// The name of the scope.
        public var name: String
        /// Parameters for the server's application.
        public var parameters: JSONObject

        /// Creates a request.
        public init(index: Int, name: String, parameters: JSONObject = [:]) {
            self.index = index
            self.name = name
            self.parameters = parameters
        }
    }

    /// A reply that accepts or rejects a fetch. A reply with neither a scope index nor an error counts as a rejection.
    public struct ScopeFetchReply: Sendable, Hashable {
        /// The index in the server's sequence.
        public var index: Int
        /// The index of the fetch.
        public var replyTo: Int
        /// The index of the scope in this session; `nil` if the fetch was rejected.
        public var scopeIndex: Int?
        /// The reason why the fetch was rejected.
        public var error: ErrorObject?

        /// Creates a reply.
        public init(index: Int, replyTo: Int, scopeIndex: Int? = nil, error: ErrorObject? = nil) {
            self.index = index
            self.replyTo = replyTo
            self.scopeIndex = scopeIndex
            self.error = error
        }
    }

    /// The whole tree of a scope.
    public struct ScopeState: Sendable, Hashable {
        /// The index in the server's sequence.
        public var index: Int
        /// The index of the scope in this session.
        public var scopeIndex: Int
        /// The identifier of the root.
        public var rootUUID: UUID
        /// All objects: the root first, as a change, and the others as adds.
        public var fragments: [SyncFragment]

        /// Creates a state.
        public init(index: Int, scopeIndex: Int, rootUUID: UUID, fragments: [SyncFragment]) {
            self.index = index
            self.scopeIndex = scopeIndex
            self.rootUUID = rootUUID
            self.fragments = fragments
        }
    }

    /// Changes of a scope: the change set of a client, or changes that the server applied for another client.
    public struct ScopeSync: Sendable, Hashable {
        /// The index in the sender's sequence.
        public var index: Int
        /// The index of the scope in this session.
        public var scopeIndex: Int
        /// The changes. A server sends none after it rejected another client's sync as a whole.
        public var fragments: [SyncFragment]
        /// Whether all fragments or none must be applied (Docs/Protocols/Jetstream.md §4.4). Only clients send it.
        public var isAtomic: Bool
        /// The procedure of the server that must accept the set, as `ModelName.procedureName`. Only clients send it.
        public var procedure: String?

        /// Creates a sync.
        public init(
            index: Int,
            scopeIndex: Int,
            fragments: [SyncFragment],
            isAtomic: Bool = false,
            procedure: String? = nil
        ) {
            self.index = index
            self.scopeIndex = scopeIndex
            self.fragments = fragments
            self.isAtomic = isAtomic
            self.procedure = procedure
        }
    }

    /// The server's replies to the fragments of a sync, in order.
    public struct ScopeSyncReply: Sendable, Hashable {
        /// The index in the server's sequence.
        public var index: Int
        /// The index of the sync.
        public var replyTo: Int
        /// The replies to the fragments. Empty if the received replies cannot be read, which settles the set as a
        /// mismatch (Docs/Protocols/Jetstream.md §4.2).
        public var fragmentReplies: [FragmentReply]

        /// Creates a reply.
        public init(index: Int, replyTo: Int, fragmentReplies: [FragmentReply]) {
            self.index = index
            self.replyTo = replyTo
            self.fragmentReplies = fragmentReplies
        }
    }
}

extension JetstreamMessage.SessionCreateReply: CustomStringConvertible, CustomReflectable {
    /// The reply without its token.
    public var description: String {
        "SessionCreateReply(index: \(index), \(sessionToken == nil ? "denied" : "accepted"))"
    }

    /// The index and the error, without the token.
    public var customMirror: Mirror {
        Mirror(self, children: ["index": index, "error": error as Any], displayStyle: .struct)
    }
}
