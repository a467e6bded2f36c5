package import HeliumJSON

extension JetstreamEngine {
    /// An event for the engine to handle.
    package enum Event: Sendable {
        /// A socket is open, with the parameters of its headers and query, which may include a session token, and with
        /// the client that has it. Clients without a name have no share of the sessions.
        ///
        /// `authenticate` is called before the socket gets a session. It takes a place among the authenticated sockets
        /// and ends the time limit of handshakes; `false` means that there is none, and the socket is closed.
        case opened(
            Int,
            parameters: JSONObject,
            client: String = "",
            authenticate: @Sendable () -> Bool = { true }
        )
        /// A frame arrived. The socket's next frame should wait for ``Action/received(_:)``.
        case frame(Int, [UInt8])
        /// A socket ended.
        case closed(Int)
        /// The time of ``JetstreamEngine/deadline`` is reached.
        case timer
        /// A request was decided: rejected, or accepted if `nil`.
        case decided(Int, JetstreamRefusal?)
        /// All sockets are dropped, for tests.
        case dropSockets
        /// All sessions expire, for tests.
        case expireSessions
    }

    /// An action to take for the engine, in order.
    package enum Action: Sendable {
        case send(Int, ServerFrame)
        /// Closes a socket after everything sent before has left.
        case close(Int, code: UInt16, reason: String)
        /// Ends a socket without a close frame.
        case drop(Int)
        /// A frame of the socket was processed.
        case received(Int)
        /// Requests a decision from the user's closures. The result is passed as ``Event/decided(_:_:)``.
        case ask(Int, Question)
        /// Stores a change before any later action, or any earlier action of the same list, is taken.
        case store(StoreChange)

        /// The change of a ``store(_:)`` action; `nil` for other actions.
        var storeChange: StoreChange? { if case .store(let change) = self { change } else { nil } }
    }

    /// A request for a decision by the user's closures.
    package enum Question: Sendable {
        case connection(JSONObject)
        case session(JetstreamSessionInfo)
        case fetch(JetstreamFetch)
    }

    /// The kinds of requests for which there are closures.
    package struct Questions: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let connection = Self(rawValue: 1)
        package static let session = Self(rawValue: 2)
        package static let fetch = Self(rawValue: 4)
    }

    /// The settings of an engine.
    package struct Settings: Sendable {
        package var limits = JetstreamLimits()
        /// The part of the sessions that one address may have, if the limits do not name a number.
        package var sharePerAddress = 0.75
        /// Whether the engine behaves like the original server, including its errors (Docs/Protocols/Jetstream.md §5).
        package var hasOriginalRules = false
        /// Whether the engine emits ``Action/store(_:)`` actions.
        package var isPersistent = false
        package var questions: Questions = []
        /// A function that checks each property that a client writes. It throws to reject the fragment.
        package var write: (@Sendable (JetstreamWrite) throws -> Void)?

        package init() {}
    }

    struct Connection {
        enum Phase {
            /// The closures decide whether the connection is allowed.
            case asked
            case awaitsCreate
            /// The closures decide whether its session is allowed.
            case creates
            case open(session: Int)
            /// The session was denied, but the connection was left open.
            case denied
            /// The connection is being closed.
            case over
        }

        let parameters: JSONObject
        let client: String
        let authenticate: @Sendable () -> Bool
        var phase = Phase.asked
        /// The frames that wait for a decision.
        var frames: [[UInt8]] = []
        /// The number of consecutive unusable frames.
        var unusable = 0
    }

    struct Session {
        let info: JetstreamSessionInfo
        let token: String
        /// The client whose share the session is part of; empty if its address is not known, or if a store of an older
        /// version had the session and it was not resumed since.
        var client = ""
        var connection: Int?
        /// The highest index received from the client.
        var clientIndex = 0
        /// The index of the last message to the client.
        var serverIndex = 0
        /// The highest index that was passed to a socket.
        var sentIndex = 0
        /// The messages that the client has not acknowledged.
        var retained = RetainedMessages()
        /// The numbers of the fetched scopes, by `scopeIndex`.
        var scopes: [Int] = []
        /// The number of the session's listeners in all scopes.
        var listenerCount = 0
        var lastSeen: Duration
        /// The number of the valid ping timer.
        var pingRound = 0
        /// Whether the counters differ from the stored ones.
        var isDirty = false
        /// The search steps for which the session has not waited yet.
        var searchSteps = 0
        /// The request whose decision the session's messages wait for.
        var question: Int?
        /// The rest of the frame that contained the request, and the frame's socket.
        var rest: (messages: ArraySlice<ClientMessage>, connection: Int)?
        var frames: [(connection: Int, bytes: [UInt8])] = []
    }

    struct Listener {
        let session: Int
        let scopeIndex: Int
    }

    struct Hosted {
        var scope: HostedScope
        /// The reason why the scope is not served; `nil` if it is.
        var fault: StoredRootFault?
        /// A Boolean value that indicates whether the scope could be restored from the store. If it is `false`, the scope
        /// has no objects, and nothing may be read from it or written to it.
        var isReadable: Bool { fault == nil }
        /// The listeners in the order of their fetches, including listeners of ended sessions.
        var listeners: [Listener] = []
        /// The number of listeners of ended sessions.
        var deadListeners = 0
    }

    /// A request that waits for a decision.
    enum Pending {
        case connection(Int)
        case session(Int, JetstreamSessionInfo)
        case fetch(session: Int, index: Int, scope: Int)
    }

    enum Timer {
        case handshake(connection: Int)
        case ping(session: Int, round: Int)
        case expiry(session: Int)
        case received(connection: Int)
    }
}

/// A change of the persistent state.
package enum StoreChange: Sendable {
    case addObject(scope: String, ObjectID, className: String, JSONObject)
    case setProperties(scope: String, ObjectID, JSONObject)
    case removeObject(scope: String, ObjectID)
    case addSession(JetstreamSessionInfo, token: String)
    /// Sets the client whose share a session is part of. Without it, a restart would give each client a new share.
    case assign(session: Int, client: String)
    case removeSession(Int)
    /// Sets the highest indexes of the client and of the server.
    case counters(session: Int, client: Int, server: Int)
    case fetched(session: Int, scopeIndex: Int, scope: String)
    case retain(session: Int, ServerMessage)
    /// Removes all messages up to an acknowledged index.
    case prune(session: Int, through: Int)
}
