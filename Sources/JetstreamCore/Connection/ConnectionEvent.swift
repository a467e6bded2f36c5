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

/// The contents of a change set in the form in which they are sent. They do not change afterwards
/// (Docs/Protocols/Jetstream.md §7 no 2).
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
    /// The close code: 1006 for a broken connection, 1002 for a protocol error of the peer.
    package var code: Int
    /// The reason from the peer, often empty.
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
    /// Restores the session of an earlier process. If change sets wait in it, it is resumed before anything else. The
    /// event has no effect if there is already a socket or a session.
    case restore(StoredSession)
    /// A socket is open. It was opened with ``ConnectionMachine/token``.
    case opened
    /// A text frame arrived.
    case received(String)
    /// A part of an incomplete frame arrived.
    case partArrived
    /// The socket was closed by either side.
    case closed(SocketEnd)
    /// The time of ``ConnectionMachine/deadline`` is reached.
    case timePassed
    /// The shell stops or resumes reading from the socket. While it does not read, silence does not indicate a dead
    /// server.
    case readingPaused(Bool)
    /// A scope is to be fetched, in this session and in each later one.
    case fetch(ScopeID, name: String, parameters: JSONObject)
    /// A scope is abandoned. Nothing else is delivered to it.
    case abandon(ScopeID)
    /// A change set is submitted.
    case submit(ScopeID, OutgoingChanges)
    /// A scope has applied a state. The value has its change sets that were never sent, rebased on the state, in order.
    case stateApplied(ScopeID, unsent: [OutgoingChanges])
    /// The client is closed.
    case close
    /// The client ends because of a permanent failure.
    case fail(JetstreamError)
}

/// The outcome of a change set.
package enum ChangesOutcome: Sendable {
    /// The server replied to each fragment.
    case replied([FragmentReply])
    /// The set was not applied, or the session ends at once. The scope reverts the set.
    case reverted(JetstreamError)
    /// The set may have been applied. It is not reverted: the next state decides.
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

/// A delivery to a scope, in the order of the server's indexes.
package enum ScopeDelivery: Sendable {
    /// The whole tree. The scope applies it and confirms with ``ConnectionEvent/stateApplied(_:unsent:)``. `sent` names
    /// the change sets that were sent in this session and have no reply; it is empty in a new session.
    case state(JetstreamMessage.ScopeState, sent: [ChangesID])
    /// Changes by other clients or by the server.
    case sync([SyncFragment])
    /// A change set is settled.
    case settled(ChangesID, ChangesOutcome)
    /// The scope has ended: its fetch was rejected, or the client was closed. Unsettled change sets were never sent.
    case ended(JetstreamError)
}

/// An action for the shell of a ``ConnectionMachine``, to be taken in the given order.
package enum ConnectionAction: Sendable {
    /// Write ``ConnectionMachine/storedSession`` to the store before any of the following actions.
    case save
    /// Send a text frame.
    case send(String)
    /// Close the socket and wait for its end, then connect again unless the client has ended.
    case closeSocket
    /// Pass a delivery to a scope.
    case deliver(ScopeID, ScopeDelivery)
    /// Report to the caller of ``ConnectionEvent/submit(_:_:)`` that the change set was rejected.
    case refuse(ChangesID, JetstreamError)
    /// Report news of the session.
    case report(SessionEvent)
    /// The client has ended. No other action follows.
    case end(JetstreamError)
}
