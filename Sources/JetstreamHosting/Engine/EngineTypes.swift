package import HeliumJSON

extension JetstreamEngine {
    /// An event that the engine handles.
    package enum Event: Sendable {
        /// A socket is open, with the parameters of its headers and query; among them the token of a session, perhaps.
        case opened(Int, parameters: JSONObject)
        /// A frame has come. The next one of the socket should wait for ``Action/received(_:)``.
        case frame(Int, [UInt8])
        /// A socket has ended.
        case closed(Int)
        /// The time of ``JetstreamEngine/deadline`` has come.
        case timer
        /// A question is decided: refused, or accepted with `nil`.
        case decided(Int, JetstreamRefusal?)
        /// All sockets are cut, for tests.
        case dropSockets
        /// All sessions expire, for tests.
        case expireSessions
    }

    /// An action that is to be done for the engine, in order.
    package enum Action: Sendable {
        case send(Int, ServerFrame)
        /// Closes a socket when what was sent before has left.
        case close(Int, code: UInt16, reason: String)
        /// Ends a socket without a word.
        case drop(Int)
        /// A frame of the socket is worked off.
        case received(Int)
        /// The socket belongs to a session.
        case authenticated(Int)
        /// Asks the user's closures; the answer is ``Event/decided(_:_:)``.
        case ask(Int, Question)
        /// Is to be stored before any action that comes after it, or before it in the same list, is done.
        case store(StoreChange)
    }

    /// A question to the user's closures.
    package enum Question: Sendable {
        case connection(JSONObject)
        case session(JetstreamSessionInfo)
        case fetch(JetstreamFetch)
    }

    /// The kinds of questions for which there are closures.
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
        /// Whether it behaves as the original server does, mistakes included (Jetstream.md §5).
        package var hasOriginalRules = false
        /// Whether there are ``Action/store(_:)`` actions.
        package var isPersistent = false
        package var questions: Questions = []
        /// Decides on each property that a client writes; throws to refuse the fragment.
        package var write: (@Sendable (JetstreamWrite) throws -> Void)?

        package init() {}
    }

    struct Connection {
        enum Phase {
            /// The closures are asked whether it may be.
            case asked
            case awaitsCreate
            /// The closures are asked whether its session may be.
            case creates
            case open(session: Int)
            /// Its session was denied, and it was left open.
            case denied
            /// It is being closed.
            case over
        }

        let parameters: JSONObject
        var phase = Phase.asked
        /// Frames that wait for a decision.
        var frames: [[UInt8]] = []
        /// The frames in a row that could not be used.
        var unusable = 0
    }

    struct Session {
        let info: JetstreamSessionInfo
        let token: String
        var connection: Int?
        /// The highest index of the client.
        var clientIndex = 0
        /// The index of our last message.
        var serverIndex = 0
        /// The last index that was given to a socket.
        var sentIndex = 0
        /// The messages that the client has not acknowledged.
        var retained = RetainedMessages()
        /// The fetched scopes by their `scopeIndex`.
        var scopes: [Int] = []
        /// The number of its listeners, over all scopes.
        var listenerCount = 0
        var lastSeen: Duration
        /// Which of the ping timers counts.
        var pingRound = 0
        /// Whether its counters differ from the stored ones.
        var isDirty = false
        /// The steps of searches for which it has not waited yet.
        var searchSteps = 0
        /// The question that its messages wait for.
        var question: Int?
        /// The rest of the frame that asked it, and the frame's socket.
        var rest: (messages: ArraySlice<ClientMessage>, connection: Int)?
        var frames: [(connection: Int, bytes: [UInt8])] = []
    }

    struct Listener {
        let session: Int
        let scopeIndex: Int
    }

    struct Hosted {
        var scope: HostedScope
        /// In the order in which they fetched the scope, those of ended sessions among them.
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

/// A change of the state that outlives the process.
package enum StoreChange: Sendable {
    case addObject(scope: String, ObjectID, className: String, JSONObject)
    case setProperties(scope: String, ObjectID, JSONObject)
    case removeObject(scope: String, ObjectID)
    case addSession(JetstreamSessionInfo, token: String)
    case removeSession(Int)
    /// The highest indexes of the client and of the server.
    case counters(session: Int, client: Int, server: Int)
    case fetched(session: Int, scopeIndex: Int, scope: String)
    case retain(session: Int, ServerMessage)
    /// All messages up to an index are acknowledged.
    case prune(session: Int, through: Int)
}
