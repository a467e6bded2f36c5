internal import HeliumJSON

/// A session of a client, from the token on.
struct LiveSession: Sendable {
    let token: String
    /// The index of the next numbered message.
    var nextIndex = 1
    /// The highest index received in sequence.
    var lastReceived = 0
    /// The numbered messages that the server has not acknowledged, in their order.
    var retained = FIFO<StoredMessage>()
    /// Numbered messages, and their bytes, that no ping of ours has acknowledged.
    var unacknowledged = (messages: 0, bytes: 0)
    /// Since when the server has been asked to send again what is missing, until it does.
    var repairSince: Duration?
    /// The number of times it was asked since the last message in sequence.
    var repairs = 0
    /// The number of sockets in a row that ended because it did not do so in time.
    var unansweredRepairs = 0

    init(token: String) { self.token = token }
}

/// A scope that is wanted.
struct ScopeRecord: Sendable {
    enum Phase: Hashable {
        /// It is to be fetched as soon as there is a session.
        case wanted
        /// The fetch was sent with this index.
        case fetching(index: Int)
        /// The fetch was accepted, and the state has not come.
        case awaitingState
        /// The state was delivered, and the scope has not answered. Change sets wait.
        case applying
        /// Change sets are sent.
        case live
    }

    let name: String
    let parameters: JSONObject
    var phase = Phase.wanted
    /// The server's handle in this session.
    var scopeIndex: Int?
    /// The number of states that were delivered and to which the scope has not answered. An earlier session's may be among
    /// them.
    var unappliedStates = 0
    /// Change sets that were not sent.
    var queued = FIFO<OutgoingChanges>()
    /// Change sets that were sent and have no reply, in the order of their indexes.
    var sent = FIFO<SentChanges>()
    /// When the last reply came, or the first of the waiting requests was sent.
    var lastProgress = Duration.zero
    /// Whether the session was resumed because a reply took too long.
    var didResume = false
    /// Whether a session was lost while its fetch waited, because a frame was too large or did not arrive in time.
    var hasLostSession = false
    /// Whether its deliveries are dropped.
    var isAbandoned = false
    /// Whether it belongs to an earlier process, and only its change sets matter.
    var isRecovered = false

    init(name: String, parameters: JSONObject) {
        self.name = name
        self.parameters = parameters
    }

    /// Whether a request waits for the server.
    var isWaiting: Bool {
        switch phase {
        case .fetching, .awaitingState: true
        case .wanted: false
        case .applying, .live: !sent.isEmpty
        }
    }
}

/// A change set that was sent.
struct SentChanges: Sendable {
    let index: Int
    let changes: OutgoingChanges

    func stored(scopeName: String) -> StoredChanges {
        StoredChanges(
            index: index,
            scopeName: scopeName,
            fragments: changes.fragments,
            isAtomic: changes.isAtomic,
            procedure: changes.procedure
        )
    }
}

/// A request that waits for its reply.
enum WaitingReply: Sendable {
    case fetch(ScopeID)
    case changes(ScopeID)
}
