package import HeliumCore
package import HeliumJSON

/// The state machine of a client's connection, without any I/O (Docs/Protocols/Jetstream.md §1.5 to §1.9, §7 no 1 to
/// 6).
///
/// It covers indexes, retention, pings, the gate after a reconnect, and the sessions in which scopes are fetched and
/// change sets are sent.
///
/// It takes events and the time and returns actions. It starts no task, takes no lock and opens no socket. Random
/// numbers come from the given source.
package struct ConnectionMachine: Sendable {
    /// The current use of the socket.
    enum SocketPhase: Hashable {
        /// There is none.
        case none
        /// A session was requested.
        case creating
        /// The session is being resumed. Nothing is sent until the server's ping.
        case resuming
        /// Messages are sent.
        case live
        /// The socket is being closed. Received frames are ignored.
        case closing
    }

    package let settings: ConnectionSettings
    package let parameters: JSONObject
    let random: RandomSource
    let codec: JetstreamCodec

    /// The time of the current event.
    var now = Duration.zero
    /// The actions for the current event.
    var actions: [ConnectionAction] = []
    var hasEnded = false
    /// The content of the store after the client has ended.
    var finalSession: StoredSession?

    // The socket.
    var socket = SocketPhase.none
    /// The time at which the socket was opened, and whether it resumes a session.
    var opened: (at: Duration, withToken: Bool) = (.zero, false)
    var lastHeard = Duration.zero
    var hasHeard = false
    var isReadingPaused = false
    var nextPing = Duration.zero
    /// The time since which messages are sent on this socket.
    var liveSince = Duration.zero
    /// The number of consecutive sockets with a token that ended as if the server had denied the token
    /// (Docs/Protocols/Jetstream.md §1.8).
    var likelyDenials = 0

    // The session.
    var session: LiveSession?
    /// Whether the session is only resumed to settle the change sets of an earlier process.
    var isRecovering = false

    // The scopes.
    var scopes: [ScopeID: ScopeRecord] = [:]
    /// The scopes in the order of their fetches, which is the order of all work that concerns several scopes.
    var scopeOrder: [ScopeID] = []
    /// The scopes by the server's scope index.
    var scopesByIndex: [Int: ScopeID] = [:]
    /// The scopes by the index of a request without a reply.
    var waiting: [Int: WaitingReply] = [:]
    /// The number of change sets that are neither settled nor returned with a state.
    var pendingCount = 0
    /// The last sent change set of each scope: see ``takeLastSent(of:)``.
    var lastSent: [ScopeID: ChangesID] = [:]
    /// The number of duplicate messages that were dropped.
    package internal(set) var duplicateCount = 0

    /// Creates a connection that has no socket yet.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of each session.
    ///   - stored: The session of an earlier process. If change sets wait in it, it is resumed before anything else.
    package init(
        parameters: JSONObject = [:],
        settings: ConnectionSettings = ConnectionSettings(),
        random: RandomSource = .system,
        stored: StoredSession? = nil
    ) {
        self.parameters = parameters
        self.settings = settings
        self.random = random
        codec = JetstreamCodec(maximumFrameBytes: settings.maximumFrameBytes)
        if let stored { recover(stored) }
    }

    /// Handles an event.
    ///
    /// - Parameter time: The time since an arbitrary start, which never decreases.
    /// - Returns: The actions to take, in order.
    package mutating func handle(_ event: ConnectionEvent, at time: Duration) -> [ConnectionAction] {
        guard !hasEnded else { return refusal(of: event) }
        now = time
        actions = []
        switch event {
        case .restore(let stored): recover(stored)
        case .opened: socketOpened()
        case .received(let frame): receive(frame)
        case .closed(let end): socketClosed(end)
        case .timePassed: timePassed()
        case .partArrived: waitAgain()
        case .readingPaused(let isPaused):
            isReadingPaused = isPaused
            if !isPaused { waitAgain() }
        case .fetch(let id, let name, let parameters): fetch(id, name: name, parameters: parameters)
        case .abandon(let id): abandon(id)
        case .submit(let id, let changes): submit(changes, in: id)
        case .stateApplied(let id, let unsent): stateApplied(id, unsent: unsent)
        case .fail(let error): end(error)
        case .close: end(JetstreamError(.clientClosed, "the client was closed", delivery: .notSent))
        }
        let result = actions
        actions = []
        return result
    }

    /// Returns the actions for an event after the end.
    private func refusal(of event: ConnectionEvent) -> [ConnectionAction] {
        let error = JetstreamError(.clientClosed, "the client is closed", delivery: .notSent)
        switch event {
        case .fetch(let id, _, _): return [.deliver(id, .ended(error))]
        case .submit(_, let changes): return [.refuse(changes.id, error)]
        default: return []
        }
    }
}

// MARK: For the shell

extension ConnectionMachine {
    /// The token for opening the next socket; `nil` for a new session.
    package var token: String? { session?.token }

    /// Returns and clears the last sent change set of a scope that was abandoned.
    package mutating func takeLastSent(of id: ScopeID) -> ChangesID? { lastSent.removeValue(forKey: id) }

    /// Whether the shell should open a socket after the last one is closed.
    package var wantsSocket: Bool { !hasEnded }

    /// The time at which ``ConnectionEvent/timePassed`` is due; `nil` if nothing waits for a time.
    package var deadline: Duration? {
        guard socket == .creating || socket == .resuming || socket == .live else { return nil }
        var deadlines: [Duration] = []
        if socket == .live { deadlines.append(nextPing) }
        if !isReadingPaused {
            deadlines.append(lastHeard + settings.watchdog)
            if let since = session?.repairSince { deadlines.append(since + settings.replyLimit) }
            if socket == .live, let reply = replyDeadline { deadlines.append(reply) }
        }
        return deadlines.min()
    }

    /// The session to keep in the store; `nil` if there is none.
    package var storedSession: StoredSession? {
        if hasEnded { return finalSession }
        guard let session else { return nil }
        var changes: [StoredChanges] = []
        for id in scopeOrder {
            guard let scope = scopes[id] else { continue }
            changes += scope.sent.elements.map { $0.stored(scopeName: scope.name) }
        }
        return StoredSession(
            token: session.token,
            parameters: parameters,
            nextIndex: session.nextIndex,
            lastReceived: session.lastReceived,
            messages: Array(session.retained.elements),
            changes: changes.sorted { $0.index < $1.index }
        )
    }
}
