internal import HeliumJSON

/// A client's session, from the moment that it has a token.
struct LiveSession: Sendable {
    let token: String
    /// The index of the next numbered message.
    var nextIndex = 1
    /// The highest index received in sequence.
    var lastReceived = 0
    /// The numbered messages that the server has not acknowledged, in order.
    var retained = FIFO<StoredMessage>()
    /// The number and the bytes of received numbered messages that no ping has acknowledged yet.
    var unacknowledged = (messages: 0, bytes: 0)
    /// The time since which a request to resend missing messages is outstanding; `nil` if none is.
    var repairSince: Duration?
    /// The number of such requests since the last message in sequence.
    var repairs = 0
    /// The number of consecutive sockets that ended because such a request was not fulfilled in time.
    var unansweredRepairs = 0

    init(token: String) { self.token = token }
}

/// A wanted scope.
struct ScopeRecord: Sendable {
    enum Phase: Hashable {
        /// The scope is fetched as soon as there is a session.
        case wanted
        /// The fetch was sent with this index.
        case fetching(index: Int)
        /// The fetch was accepted, but the state has not arrived.
        case awaitingState
        /// The state was delivered, but the scope has not confirmed it. Change sets wait.
        case applying
        /// Change sets are sent.
        case live
    }

    let name: String
    let parameters: JSONObject
    var phase = Phase.wanted
    /// The server's index of the scope in this session.
    var scopeIndex: Int?
    /// The number of delivered states that the scope has not confirmed. It may include a state of an earlier session.
    var unappliedStates = 0
    /// The unsent change sets.
    var queued = FIFO<OutgoingChanges>()
    /// The change sets that were sent without a reply, in the order of their indexes.
    var sent = FIFO<SentChanges>()
    /// The time at which the last reply arrived or the first outstanding request was sent.
    var lastProgress = Duration.zero
    /// Whether the session was resumed because a reply took too long.
    var didResume = false
    /// Whether a session was lost while the fetch waited, because a frame was too large or did not arrive in time.
    var hasLostSession = false
    /// Whether deliveries to the scope are dropped.
    var isAbandoned = false
    /// Whether the scope belongs to an earlier process, so that only its change sets matter.
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

/// A request without a reply.
enum WaitingReply: Sendable {
    case fetch(ScopeID)
    case changes(ScopeID)
}
