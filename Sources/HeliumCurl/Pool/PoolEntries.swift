/// A value for HTTP/1.1 and one for HTTP/2.
struct PoolPair<Value> {
    var http1: Value
    var http2: Value

    init(_ value: Value) {
        http1 = value
        http2 = value
    }

    subscript(isHTTP2: Bool) -> Value {
        get { isHTTP2 ? http2 : http1 }
        _modify { if isHTTP2 { yield &http2 } else { yield &http1 } }
    }
}

extension PoolPair: Sendable where Value: Sendable {}

/// The state of a call in a ``ConnectionPool``.
struct PoolCallEntry: Sendable {
    enum State { case free, waiting, assigned }

    var generation: UInt32 = 0
    var state = State.free
    var acceptsHTTP2 = false
    var group: Int32 = 0
    /// The position among all calls in the order of their arrival.
    var order: UInt64 = 0
    /// The connection that the call is assigned to, or the attempt that it waits for.
    var connection: PoolConnection?
}

/// The state of a connection in a ``ConnectionPool``.
struct PoolConnectionEntry: Sendable {
    enum State { case free, connecting, open, goingAway }

    var generation: UInt32 = 0
    var state = State.free
    /// Whether the connection speaks HTTP/2; of an attempt, whether it offers it.
    var isHTTP2 = false
    /// Whether the call that an attempt belongs to began it.
    var isOwnAttempt = false
    /// Whether a call was assigned before.
    var isUsed = false
    var group: Int32 = 0
    /// The call that an attempt belongs to; ``PoolList/none`` for one that goes on without.
    var owner = PoolList.none
    /// The number of assigned calls, and its ceiling.
    var callCount = 0
    var callLimit = 1
    /// The time at which the connection, if idle, or the attempt, if without a call, is closed.
    var idleDeadline = UInt64.max
    /// The time from which on the connection takes no calls.
    var ageDeadline = UInt64.max
}

/// The state of a group in a ``ConnectionPool``.
struct PoolGroupEntry: Sendable {
    /// The protocol of the last connection that offered a choice.
    enum Choice { case unknown, http1, http2 }

    var isPriorKnowledge = false
    var choice = Choice.unknown
    /// All calls, waiting or assigned.
    var callCount = 0
    var connectionCount = 0
    /// The number of streams that a new connection with HTTP/2 is expected to allow until its peer says so: the last limit that
    /// was not the expected one, at most 100 and at least 1.
    var expectedStreams = 100
    /// The number of connections with HTTP/2 whose peer allows no stream at all for now.
    var closedGateCount = 0
    var attemptCounts = PoolPair(0)
    /// The waiting calls in the order of arrival.
    var waiting = PoolPair(PoolList())
    /// Those of the waiting calls that have no attempt, in the same order.
    var pending = PoolPair(PoolList())
    /// The calls that were inserted last other than at the end. The next one is likely to belong after it.
    var waitingHints = PoolPair(PoolList.none)
    var pendingHints = PoolPair(PoolList.none)
    /// The idle connections by their protocol, the newest last.
    var idle = PoolPair(PoolList())
    /// The attempts that go on without a call, by whether they offer HTTP/2.
    var spare = PoolPair(PoolList())
    /// The connections with HTTP/2 that take calls.
    var room = PoolList()
}
