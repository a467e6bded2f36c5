// Reports of callers on connections.

extension ConnectionPool {
    /// Handles an attempt that succeeded. The connection takes the calls that have waited longest.
    mutating func opened(_ connection: PoolConnection, _ version: PoolProtocol, now: UInt64) {
        let index = Int(connection.index)
        guard isCurrent(connection), connections[index].state == .connecting else { return }
        let offersHTTP2 = connections[index].isHTTP2
        let owner = connections[index].owner
        let group = connections[index].group
        let isPriorKnowledge = groups[Int(group)].isPriorKnowledge
        if case .http2 = version, !offersHTTP2 {
            // The peer chose what was not offered. Its next connection would do the same.
            if owner >= 0 { failOwner(of: connection) }
            actions.append(.close(connection))
            free(connection: connection.index)
            return pump(isPriorKnowledge)
        }
        groups[Int(group)].attemptCounts[offersHTTP2] -= 1
        if owner < 0 { leaveIdle(connection.index) }
        connections[index].state = .open
        connections[index].owner = PoolList.none
        connections[index].ageDeadline = now.addingUpTo(configuration.maximumAge)
        if connections[index].ageDeadline != .max { timers.set(connection.index, connections[index].ageDeadline) }
        if owner >= 0 { becomePending(owner) }
        switch version {
        case .http1:
            connections[index].isHTTP2 = false
            connections[index].callLimit = 1
            if offersHTTP2 { groups[Int(group)].choice = .http1 }
        case .http2(let streams):
            connections[index].callLimit = max(0, streams)
            groups[Int(group)].choice = .http2
            if streams <= 0 { groups[Int(group)].closedGateCount += 1 }
            updateRoom(connection.index)
        }
        serve(connection.index, now: now)
        if owner >= 0, calls[Int(owner)].state == .waiting, calls[Int(owner)].connection == nil {
            actions.append(.wait(handle(ofCall: owner)))
        }
        if connections[index].callCount == 0 { becomeIdle(connection.index, peerIdleLimit: nil, now: now) }
        pump(isPriorKnowledge)
    }

    /// Handles an attempt that failed. The call that began it fails too, if it still waits for it.
    mutating func openFailed(_ connection: PoolConnection) {
        let index = Int(connection.index)
        guard isCurrent(connection), connections[index].state == .connecting else { return }
        let isPriorKnowledge = groups[Int(connections[index].group)].isPriorKnowledge
        let owner = connections[index].owner
        if owner >= 0, connections[index].isOwnAttempt {
            failOwner(of: connection)
        } else if owner >= 0 {
            becomePending(owner)
            actions.append(.wait(handle(ofCall: owner)))
        }
        free(connection: connection.index)
        pump(isPriorKnowledge)
    }

    /// Returns the number of streams that a new connection with HTTP/2 is expected to allow.
    func expectedStreams(of key: Group) -> Int {
        groupIndices[key].map { groups[Int($0)].expectedStreams } ?? 100
    }

    /// Handles a change of the number of streams that the peer allows on an HTTP/2 connection.
    mutating func streamLimitChanged(_ connection: PoolConnection, _ limit: Int, now: UInt64) {
        let index = Int(connection.index)
        guard isCurrent(connection), connections[index].state == .open, connections[index].isHTTP2 else { return }
        let group = connections[index].group
        let limit = max(0, limit)
        if connections[index].callLimit == 0 { groups[Int(group)].closedGateCount -= 1 }
        if limit == 0 { groups[Int(group)].closedGateCount += 1 }
        groups[Int(group)].expectedStreams = max(1, min(limit, 100))
        connections[index].callLimit = limit
        updateRoom(connection.index)
        serve(connection.index, now: now)
        settle(group)
    }

    /// Handles a connection that takes no new calls, as after GOAWAY. It is closed once it has none.
    mutating func wentAway(_ connection: PoolConnection) {
        let index = Int(connection.index)
        guard isCurrent(connection), connections[index].state == .open else { return }
        let isPriorKnowledge = groups[Int(connections[index].group)].isPriorKnowledge
        end(connection.index)
        pump(isPriorKnowledge)
    }

    /// Handles a connection with HTTP/2 that takes calls again, because its peer was only silent.
    mutating func cameBack(_ connection: PoolConnection, streams: Int, now: UInt64) {
        let index = Int(connection.index)
        guard isCurrent(connection), connections[index].state == .goingAway, now < connections[index].ageDeadline
        else { return }
        let group = connections[index].group
        connections[index].state = .open
        connections[index].callLimit = max(0, streams)
        if streams <= 0 { groups[Int(group)].closedGateCount += 1 }
        if connections[index].ageDeadline != .max { timers.set(connection.index, connections[index].ageDeadline) }
        updateRoom(connection.index)
        serve(connection.index, now: now)
        settle(group)
    }

    /// Closes the idle HTTP/1.1 connections of a group, which are not trusted any more.
    mutating func closeIdle(_ key: Group) {
        guard let group = groupIndices[key] else { return }
        while let connection = groups[Int(group)].idle.http1.firstElement { close(connection) }
        pump(groups[Int(group)].isPriorKnowledge)
    }

    /// Handles the end of a connection, or bytes on one that is idle. Its calls are still to be ended or resent.
    mutating func lost(_ connection: PoolConnection) {
        guard isCurrent(connection) else { return }
        guard connections[Int(connection.index)].state != .connecting else { return openFailed(connection) }
        let isPriorKnowledge = groups[Int(connections[Int(connection.index)].group)].isPriorKnowledge
        free(connection: connection.index)
        pump(isPriorKnowledge)
    }

    private mutating func failOwner(of attempt: PoolConnection) {
        let owner = connections[Int(attempt.index)].owner
        actions.append(.fail(handle(ofCall: owner), attempt))
        calls[Int(owner)].connection = nil
        waitingLinks.remove(owner, from: &groups[Int(calls[Int(owner)].group)].waiting[calls[Int(owner)].acceptsHTTP2])
        free(call: owner)
    }
}

// MARK: Time

extension ConnectionPool {
    /// Closes the connections that were idle too long, and the attempts that went on without a call for as long, and
    /// retires the connections that are too old.
    mutating func expire(now: UInt64) {
        guard now >= nextDeadline else { return }
        while !timers.isEmpty, now >= timers.lowestKey {
            let connection = timers.firstElement
            let entry = connections[Int(connection)]
            let isIdle = entry.callCount == 0
            if now >= entry.ageDeadline || (isIdle && now >= entry.idleDeadline) {
                end(connection)
            } else {
                // The timer is set before the deadline only, so that requests don't have to change it.
                let idle = isIdle ? entry.idleDeadline : now.addingUpTo(configuration.idleLimit)
                setTimer(connection, min(entry.ageDeadline, idle))
            }
        }
        pump(false)
        pump(true)
    }

    mutating func becomeIdle(_ connection: Int32, peerIdleLimit: UInt64?, now: UInt64) {
        let index = Int(connection)
        let group = Int(connections[index].group)
        // A second less, because the peer's clock began earlier.
        let peerLimit = peerIdleLimit.map { $0 > 1_000_000_000 ? $0 - 1_000_000_000 : 0 } ?? .max
        let limit = min(configuration.idleLimit, peerLimit)
        guard limit > 0 else { return close(connection) }
        let deadline = now.addingUpTo(limit)
        connections[index].idleDeadline = deadline
        let due = min(deadline, connections[index].ageDeadline)
        if due < timers.key(of: connection) ?? .max { timers.set(connection, due) }
        groupIdleLinks.append(connection, to: &groups[group].idle[connections[index].isHTTP2])
        enterIdle(connection)
        // Calls that need HTTP/1.1 may get the place of an idle connection with HTTP/2.
        if connections[index].isHTTP2 { refresh(Int32(group)) }
    }

    mutating func setTimer(_ connection: Int32, _ deadline: UInt64) {
        if deadline == .max { timers.remove(connection) } else { timers.set(connection, deadline) }
    }
}

extension UInt64 {
    /// The sum, or the highest number.
    func addingUpTo(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
