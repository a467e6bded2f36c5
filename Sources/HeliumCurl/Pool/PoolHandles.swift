/// A call of a ``ConnectionPool``. The caller can use ``index`` for a table of its own.
///
/// Indices are used again, handles are not: an operation with the handle of a call that ended does nothing.
struct PoolCall: Hashable, Sendable {
    let index: Int32
    let generation: UInt32
}

/// A connection of a ``ConnectionPool``, or an attempt to open one. The caller can use ``index`` for a table of its
/// own.
///
/// Indices are used again, handles are not: an operation with the handle of a connection that ended does nothing.
struct PoolConnection: Hashable, Sendable {
    let index: Int32
    let generation: UInt32
}

/// The protocols that a call can be sent over.
enum PoolProtocols: Sendable {
    /// HTTP/1.1 only.
    case http1
    /// HTTP/1.1 or HTTP/2. The peer chooses by ALPN.
    case negotiated
    /// HTTP/2 in clear text, without asking the peer. Such calls have groups and ceilings of their own.
    case priorKnowledge
}

/// The protocol that an opened connection speaks.
enum PoolProtocol: Hashable, Sendable {
    case http1
    /// HTTP/2, and the number of streams that the peer allows.
    case http2(streams: Int)
}

/// A decision of a ``ConnectionPool`` that its caller has to carry out.
enum PoolAction: Hashable, Sendable {
    /// Opens a connection. The call waits for it, and is in the phase of connecting. Unless `offersHTTP2`, the
    /// connection has to speak HTTP/1.1.
    case open(PoolConnection, for: PoolCall, offersHTTP2: Bool)
    /// The call waits for an attempt that another call began, and is in the phase of connecting.
    case join(PoolCall, PoolConnection)
    /// The call waits without an attempt, and is in the phase of the queue again.
    case wait(PoolCall)
    /// Sends the call on the connection.
    case assign(PoolCall, PoolConnection, isReused: Bool)
    /// The call ends with the failure of its attempt. The pool has forgotten both.
    case fail(PoolCall, PoolConnection)
    /// Closes a connection without calls, or an attempt. The pool has forgotten it.
    case close(PoolConnection)
}
