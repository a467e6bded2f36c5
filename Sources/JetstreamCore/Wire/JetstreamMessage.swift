public import Foundation
public import HeliumJSON

/// A message of the Jetstream Sync protocol, of either direction (Docs/Protocols/Jetstream.md §1.3).
///
/// Each message has an index. Index 0 is outside of the sequence: such a message is never ordered, redelivered or deduplicated.
public enum JetstreamMessage: Sendable, Hashable {
    /// The client asks for a session: the first message of a socket without a token.
    case sessionCreate(SessionCreate)
    /// The server accepts or denies a session.
    case sessionCreateReply(SessionCreateReply)
    /// The client asks for a scope.
    case scopeFetch(ScopeFetch)
    /// The server accepts or refuses a fetch.
    case scopeFetchReply(ScopeFetchReply)
    /// The server sends a scope's whole tree.
    case scopeState(ScopeState)
    /// Either side sends changes of a scope.
    case scopeSync(ScopeSync)
    /// The server replies to each fragment of a sync.
    case scopeSyncReply(ScopeSyncReply)
    /// Either side acknowledges what it received.
    case ping(Ping)
    /// A reply without contents. No known peer sends it (Jetstream.md §1.3); it settles a sync as a mismatch (§4.2).
    case reply(Reply)
    /// A message of an unknown type, or one that lacks a required member.
    case unusable(Unusable)
}

extension JetstreamMessage {
    /// The largest index that JavaScript represents exactly: 2^53 − 1. A message with a larger one is unusable
    /// (Jetstream.md §7 no 10).
    public static let maximumIndex = 1 << 53 - 1

    /// The version that a client names in ``SessionCreate``.
    public static let protocolVersion = "0.2.0"

    /// The message's index; `nil` only of an unusable message without one.
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
    /// Asks for a session. Its index is always 0.
    public struct SessionCreate: Sendable, Hashable {
        /// The protocol's version, a full semantic version.
        public var version: String
        /// Parameters for the server's application, such as credentials.
        public var parameters: JSONObject

        /// A request of these parts.
        public init(version: String = JetstreamMessage.protocolVersion, parameters: JSONObject = [:]) {
            self.version = version
            self.parameters = parameters
        }
    }

    /// Accepts or denies a session. It does not name the request, of which there is only one.
    public struct SessionCreateReply: Sendable, Hashable {
        /// The index: 0 on a new session.
        public var index: Int
        /// The session's token; `nil` if the session was denied. It is a credential: it resumes the session.
        public var sessionToken: String?
        /// Why the session was denied.
        public var error: ErrorObject?

        /// A reply of these parts.
        public init(index: Int = 0, sessionToken: String? = nil, error: ErrorObject? = nil) {
            self.index = index
            self.sessionToken = sessionToken
            self.error = error
        }
    }

    /// Acknowledges what was received. Its index is always 0, and no ping is answered by a ping.
    public struct Ping: Sendable, Hashable {
        /// The highest index received from the peer.
        public var ack: Int
        /// Whether the peer is to send again everything above ``ack``.
        public var resendMissing: Bool

        /// A ping of these parts.
        public init(ack: Int, resendMissing: Bool = false) {
            self.ack = ack
            self.resendMissing = resendMissing
        }
    }

    /// A reply without contents.
    public struct Reply: Sendable, Hashable {
        /// The index in the sender's sequence.
        public var index: Int
        /// The index of the message that is replied to, in the receiver's sequence.
        public var replyTo: Int

        /// A reply of these parts.
        public init(index: Int, replyTo: Int) {
            self.index = index
            self.replyTo = replyTo
        }
    }

    /// A message that can't be used: its type is unknown, or a required member is missing or of a wrong kind.
    public struct Unusable: Sendable, Hashable {
        /// The index, which counts all the same; `nil` if the message has none that is valid.
        public var index: Int?
        /// The type; `nil` if the message names none.
        public var type: String?

        /// A message of these parts.
        public init(index: Int?, type: String?) {
            self.index = index
            self.type = type
        }
    }
}

// MARK: Scopes

extension JetstreamMessage {
    /// Asks for a scope.
    public struct ScopeFetch: Sendable, Hashable {
        /// The index, at least 1.
        public var index: Int
        /// The scope's name.
        public var name: String
        /// Parameters for the server's application.
        public var parameters: JSONObject

        /// A request of these parts.
        public init(index: Int, name: String, parameters: JSONObject = [:]) {
            self.index = index
            self.name = name
            self.parameters = parameters
        }
    }

    /// Accepts or refuses a fetch. A reply with neither a scope index nor an error counts as a refusal.
    public struct ScopeFetchReply: Sendable, Hashable {
        /// The index in the server's sequence.
        public var index: Int
        /// The index of the fetch.
        public var replyTo: Int
        /// The number that stands for the scope in this session.
        public var scopeIndex: Int?
        /// Why the fetch was refused.
        public var error: ErrorObject?

        /// A reply of these parts.
        public init(index: Int, replyTo: Int, scopeIndex: Int? = nil, error: ErrorObject? = nil) {
            self.index = index
            self.replyTo = replyTo
            self.scopeIndex = scopeIndex
            self.error = error
        }
    }

    /// A scope's whole tree.
    public struct ScopeState: Sendable, Hashable {
        /// The index in the server's sequence.
        public var index: Int
        /// The number that stands for the scope in this session.
        public var scopeIndex: Int
        /// The root's identifier.
        public var rootUUID: UUID
        /// All objects: the root first, as a change, and the others as adds.
        public var fragments: [SyncFragment]

        /// A state of these parts.
        public init(index: Int, scopeIndex: Int, rootUUID: UUID, fragments: [SyncFragment]) {
            self.index = index
            self.scopeIndex = scopeIndex
            self.rootUUID = rootUUID
            self.fragments = fragments
        }
    }

    /// Changes of a scope: a client's change set, or what the server applied for another client.
    public struct ScopeSync: Sendable, Hashable {
        /// The index in the sender's sequence.
        public var index: Int
        /// The number that stands for the scope in this session.
        public var scopeIndex: Int
        /// The changes. A server sends none after it refused another client's sync as a whole.
        public var fragments: [SyncFragment]
        /// Whether all fragments are to be applied or none (Jetstream.md §4.4). Only clients send it.
        public var isAtomic: Bool
        /// The server's procedure that must accept the set, as `ModelName.procedureName`. Only clients send it.
        public var procedure: String?

        /// A sync of these parts.
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

    /// The server's replies to the fragments of a sync, in their order.
    public struct ScopeSyncReply: Sendable, Hashable {
        /// The index in the server's sequence.
        public var index: Int
        /// The index of the sync.
        public var replyTo: Int
        /// A reply to each fragment. Empty if what arrived can't be read, which settles the set as a mismatch
        /// (Jetstream.md §4.2).
        public var fragmentReplies: [FragmentReply]

        /// A reply of these parts.
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
