// Reports of callers on calls.

extension ConnectionPool {
    /// Adds a call. It is assigned to a connection, begins an attempt to open one, or waits.
    mutating func request(_ key: Group, _ protocols: PoolProtocols, now: UInt64) -> PoolCall {
        let group = groupIndex(key, isPriorKnowledge: protocols == .priorKnowledge)
        let call = makeCall(in: group, acceptsHTTP2: protocols != .http1)
        let handle = handle(ofCall: call)
        if let connection = availableConnection(for: call, now: now) {
            assign(call, to: connection)
        } else {
            enqueue(call)
            settle(group)
        }
        return handle
    }

    /// Ends a call that is assigned to a connection.
    ///
    /// - Parameters:
    /// - isReusable: Whether the connection can take other calls. If not, an HTTP/1.1 connection is closed, and an
    ///     HTTP/2 connection takes no new calls.
    ///   - peerIdleLimit: The time in nanoseconds of the peer's `Keep-Alive: timeout`.
    mutating func released(_ call: PoolCall, isReusable: Bool, peerIdleLimit: UInt64? = nil, now: UInt64) {
        guard isCurrent(call), calls[Int(call.index)].state == .assigned else { return }
        let connection = calls[Int(call.index)].connection
        let isPriorKnowledge = groups[Int(calls[Int(call.index)].group)].isPriorKnowledge
        free(call: call.index)
        guard let connection, isCurrent(connection) else { return }
        detach(connection.index, isReusable: isReusable, peerIdleLimit: peerIdleLimit, now: now)
        pump(isPriorKnowledge)
    }

    /// Ends a call in any state. An HTTP/1.1 connection that it is assigned to is closed.
    mutating func cancelled(_ call: PoolCall, now: UInt64) {
        guard isCurrent(call) else { return }
        switch calls[Int(call.index)].state {
        case .free: return
        case .waiting:
            let group = calls[Int(call.index)].group
            let isPriorKnowledge = groups[Int(group)].isPriorKnowledge
            if let attempt = dequeue(call.index) { passOn(attempt, isServed: false, now: now) }
            refresh(group)
            free(call: call.index)
            pump(isPriorKnowledge)
        case .assigned:
            let isHTTP2 = calls[Int(call.index)].connection.map { connections[Int($0.index)].isHTTP2 } ?? false
            released(call, isReusable: isHTTP2, now: now)
        }
    }

    /// Takes an assigned call off its connection, and serves it before all calls of its group that came later.
    ///
    /// The connection's own end, ``lost(_:)`` or ``wentAway(_:)``, is reported before. Otherwise an HTTP/1.1 connection
    /// is closed, and an HTTP/2 connection can be given the call again.
    ///
    /// - Parameter overHTTP1: Whether the call needs HTTP/1.1 from now on. A call by prior knowledge can't.
    mutating func resend(_ call: PoolCall, overHTTP1: Bool = false, now: UInt64) {
        guard isCurrent(call), calls[Int(call.index)].state == .assigned else { return }
        let index = Int(call.index)
        let group = calls[index].group
        let connection = calls[index].connection
        if overHTTP1, !groups[Int(group)].isPriorKnowledge { calls[index].acceptsHTTP2 = false }
        enqueue(call.index)
        if let connection, isCurrent(connection) {
            detach(
                connection.index,
                isReusable: connections[Int(connection.index)].isHTTP2,
                peerIdleLimit: nil,
                now: now
            )
        }
        if calls[index].state == .waiting, let connection = availableConnection(for: call.index, now: now) {
            let attempt = dequeue(call.index)
            assign(call.index, to: connection)
            if let attempt { passOn(attempt, isServed: true, now: now) }
        }
        settle(group)
    }
}

extension ConnectionPool {
    /// Takes a call off a connection, which then takes the next one, is idle, or is closed.
    private mutating func detach(_ connection: Int32, isReusable: Bool, peerIdleLimit: UInt64?, now: UInt64) {
        let index = Int(connection)
        connections[index].callCount -= 1
        let isAged = now >= connections[index].ageDeadline
        if !isReusable || isAged { goAway(connection) }
        guard connections[index].state == .open else {
            if connections[index].callCount == 0 { close(connection) }
            return
        }
        // Another group's call that came first gets the connection's place. An HTTP/2 connection has one to give only
        // without calls.
        let group = connections[index].group
        if connections[index].callCount == 0, let next = nextCall(for: connection),
            earliestWanting(groups[Int(group)].isPriorKnowledge) < calls[Int(next)].order
        {
            return close(connection)
        }
        if connections[index].isHTTP2 { updateRoom(connection) }
        serve(connection, now: now)
        if connections[index].callCount == 0 { becomeIdle(connection, peerIdleLimit: peerIdleLimit, now: now) }
    }

    /// Lets a connection take no more calls.
    mutating func goAway(_ connection: Int32) {
        guard connections[Int(connection)].state == .open else { return }
        stopTakingCalls(connection)
        connections[Int(connection)].state = .goingAway
        timers.remove(connection)
        refresh(connections[Int(connection)].group)
    }

    /// Returns the connection that the next call with the call's protocols is sent on: one with HTTP/2 before the
    /// newest idle one.
    ///
    /// An idle connection whose time is over, though ``expire(now:)`` was not called yet, is closed.
    private mutating func availableConnection(for call: Int32, now: UInt64) -> Int32? {
        let group = Int(calls[Int(call)].group)
        if calls[Int(call)].acceptsHTTP2 {
            while let connection = groups[group].room.firstElement {
                guard isOver(connection, now: now) else { return connection }
                end(connection)
            }
        }
        while let connection = groups[group].idle.http1.lastElement {
            guard isOver(connection, now: now) else { return connection }
            end(connection)
        }
        return nil
    }

    private func isOver(_ connection: Int32, now: UInt64) -> Bool {
        let entry = connections[Int(connection)]
        return now >= entry.ageDeadline || (entry.callCount == 0 && now >= entry.idleDeadline)
    }

    /// Closes a connection, or lets it take no more calls if it has some.
    mutating func end(_ connection: Int32) {
        if connections[Int(connection)].callCount == 0 { close(connection) } else { goAway(connection) }
    }
}

extension PoolList {
    var firstElement: Int32? { isEmpty ? nil : first }
    var lastElement: Int32? { isEmpty ? nil : last }
}
