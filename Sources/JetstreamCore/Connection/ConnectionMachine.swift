package import HeliumCore
package import HeliumJSON

/// A client's connection without any I/O: indexes, retention, pings, the gate after a reconnect, and the sessions in which
/// scopes are fetched and change sets are sent (Docs/Protocols/Jetstream.md §1.5 to §1.9, §7 no 1 to 6).
///
/// It takes events and the time, and returns actions. It starts no task, takes no lock and opens no socket; random numbers
/// come from the source that it is given.
package struct ConnectionMachine: Sendable {
    /// The present use of the socket.
    enum SocketPhase: Hashable {
        /// There is none.
        case none
        /// A session was asked for.
        case creating
        /// The session is resumed, and nothing is sent until the server's ping.
        case resuming
        /// Messages are sent.
        case live
        /// It is being closed. What arrives is ignored.
        case closing
    }

    package let settings: ConnectionSettings
    package let parameters: JSONObject
    let random: RandomSource
    let codec: JetstreamCodec

    /// The time of the event that is handled.
    var now = Duration.zero
    /// The actions of the event that is handled.
    var actions: [ConnectionAction] = []
    var hasEnded = false
    /// The content of the store after the end.
    var finalSession: StoredSession?

    // The socket.
    var socket = SocketPhase.none
    /// When the socket was opened, and whether it resumes a session.
    var opened: (at: Duration, withToken: Bool) = (.zero, false)
    var lastHeard = Duration.zero
    var hasHeard = false
    var isReadingPaused = false
    var nextPing = Duration.zero
    /// Since when messages are sent on this socket.
    var liveSince = Duration.zero
    /// The number of sockets in a row that had a token and ended as if the server had refused the token (Jetstream.md §1.8).
    var likelyDenials = 0

    // The session.
    var session: LiveSession?
    /// Whether the session is resumed only to settle the change sets of an earlier process.
    var isRecovering = false

    // The scopes.
    var scopes: [ScopeID: ScopeRecord] = [:]
    /// The scopes in the order in which they were wanted: that of everything which concerns several of them.
    var scopeOrder: [ScopeID] = []
    /// The scopes by the server's scope index.
    var scopesByIndex: [Int: ScopeID] = [:]
    /// The scopes by the index of a request that waits for its reply.
    var waiting: [Int: WaitingReply] = [:]
    /// The number of change sets that are neither settled nor handed back with a state.
    var pendingCount = 0
    /// The last change set that was sent of each scope: see ``takeLastSent(of:)``.
    var lastSent: [ScopeID: ChangesID] = [:]
    /// The number of messages that came again and were dropped.
    package internal(set) var duplicateCount = 0

    /// A connection that has no socket yet.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of each session.
    ///   - stored: The session of an earlier process. It is resumed, before anything else, if change sets wait in it.
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
    /// - Parameter time: The time since an arbitrary start, which never goes back.
    /// - Returns: The actions to take, in their order.
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

    /// The answer to an event after the end.
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
    /// The token that the next socket is opened with; `nil` for a new session.
    package var token: String? { session?.token }

    /// The last change set of a scope that was sent, of which it is forgotten: for a scope that was given up.
    package mutating func takeLastSent(of id: ScopeID) -> ChangesID? { lastSent.removeValue(forKey: id) }

    /// Whether the shell should open a socket once the last one is closed.
    package var wantsSocket: Bool { !hasEnded }

    /// When ``ConnectionEvent/timePassed`` is due; `nil` if nothing waits for a time.
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

    /// The session as the store is to keep it; `nil` if there is none.
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
