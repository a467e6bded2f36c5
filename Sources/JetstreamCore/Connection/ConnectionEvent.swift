package import HeliumCore
package import HeliumJSON

/// Identifies a scope within one client, across its sessions.
package struct ScopeID: Hashable, Sendable {
    package let rawValue: Int
    package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// Identifies a change set within one client.
package struct ChangesID: Hashable, Sendable {
    package let rawValue: Int
    package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// The contents of a change set, as they are sent. From then on they are frozen (Docs/Protocols/Jetstream.md §7 no 2).
package struct OutgoingChanges: Hashable, Sendable {
    package var id: ChangesID
    package var fragments: [SyncFragment]
    package var isAtomic: Bool
    package var procedure: String?

    package init(id: ChangesID, fragments: [SyncFragment], isAtomic: Bool = false, procedure: String? = nil) {
        self.id = id
        self.fragments = fragments
        self.isAtomic = isAtomic
        self.procedure = procedure
    }
}

/// The end of a socket.
package struct SocketEnd: Sendable {
    /// The close code: 1006 for a connection that broke, 1002 for a peer that broke the protocol.
    package var code: Int
    /// The peer's reason, often empty.
    package var reason: String
    /// The error of the connection, if it failed.
    package var error: HeliumError?

    package init(code: Int, reason: String = "", error: HeliumError? = nil) {
        self.code = code
        self.reason = reason
        self.error = error
    }
}

/// An event of a client's connection.
package enum ConnectionEvent: Sendable {
    /// The session of an earlier process. It is resumed before anything else if change sets wait in it; afterwards, with a
    /// socket or a session, the event changes nothing.
    case restore(StoredSession)
    /// A socket is open. It was opened with ``ConnectionMachine/token``.
    case opened
    /// A text frame arrived.
    case received(String)
    /// A part of a frame arrived that is not complete yet.
    case partArrived
    /// The socket is closed, whoever closed it.
    case closed(SocketEnd)
    /// The time of ``ConnectionMachine/deadline`` has come.
    case timePassed
    /// The shell stops or starts to read from the socket. While it does not read, silence is no sign of a dead server.
    case readingPaused(Bool)
    /// A scope is wanted, from now on in each session.
    case fetch(ScopeID, name: String, parameters: JSONObject)
    /// A scope is wanted no more. Nothing else is delivered to it.
    case abandon(ScopeID)
    /// A change set is to be sent.
    case submit(ScopeID, OutgoingChanges)
    /// A scope has applied a state. Its change sets that were never sent, rebased on the state, in their order.
    case stateApplied(ScopeID, unsent: [OutgoingChanges])
    /// The client is closed.
    case close
    /// The client ends because of a failure that no other socket can change.
    case fail(JetstreamError)
}

/// The outcome of a change set.
package enum ChangesOutcome: Sendable {
    /// The server replied to each fragment.
    case replied([FragmentReply])
    /// The set was not applied, or the session ends at once: the scope takes the set back.
    case reverted(JetstreamError)
    /// The set may have been applied. It is not taken back: the next state decides.
    case unknown(JetstreamError)
}

extension ChangesOutcome {
    /// The replies, or the error.
    package var result: Result<[FragmentReply], JetstreamError> {
        switch self {
        case .replied(let replies): .success(replies)
        case .reverted(let error), .unknown(let error): .failure(error)
        }
    }
}

/// A delivery to a scope. A scope receives them in the order of the server's indexes.
package enum ScopeDelivery: Sendable {
    /// The whole tree: the scope applies it, and answers with ``ConnectionEvent/stateApplied(_:unsent:)``. `sent` names the
    /// change sets that were sent in this session and not answered: none in a new session.
    case state(JetstreamMessage.ScopeState, sent: [ChangesID])
    /// Changes of other clients or of the server.
    case sync([SyncFragment])
    /// A change set is settled.
    case settled(ChangesID, ChangesOutcome)
    /// The scope is over: its fetch was refused, or the client is closed. Change sets that were not settled were never sent.
    case ended(JetstreamError)
}

/// An action that the shell of a ``ConnectionMachine`` takes, in the order given.
package enum ConnectionAction: Sendable {
    /// Write ``ConnectionMachine/storedSession`` to the store before any of the following actions.
    case save
    /// Send a text frame.
    case send(String)
    /// Close the socket and wait for its end, then connect again unless the client has ended.
    case closeSocket
    /// Hand something to a scope.
    case deliver(ScopeID, ScopeDelivery)
    /// Tell the caller of ``ConnectionEvent/submit(_:_:)`` that the change set was not taken.
    case refuse(ChangesID, JetstreamError)
    /// Report news of the session.
    case report(SessionNews)
    /// The client has ended. No other action follows.
    case end(JetstreamError)
}
