// The order in which calls are served, and the decision to open connections.

extension ConnectionPool {
    /// Updates whether the group wants a connection, and opens those that can be opened now.
    mutating func settle(_ group: Int32) {
        refresh(group)
        pump(groups[Int(group)].isPriorKnowledge)
    }

    /// Opens connections for the groups that want one, the one with the earliest call first.
    mutating func pump(_ isPriorKnowledge: Bool) {
        while earliestWanting(isPriorKnowledge) != .max {
            let group = shared[isPriorKnowledge].wanting.firstElement
            guard let acceptsHTTP2 = wanted(group) else { return }
            if let attempt = groups[Int(group)].spare[acceptsHTTP2].firstElement {
                leaveIdle(attempt)
                connections[Int(attempt)].idleDeadline = .max
                join(groups[Int(group)].pending[acceptsHTTP2].first, attempt)
                refresh(group)
                continue
            }
            if groups[Int(group)].connectionCount >= limits.perGroup {
                // `wanted` has seen that there is one.
                close(groups[Int(group)].idle.http2.firstElement ?? groups[Int(group)].spare.http2.first)
                continue
            }
            if shared[isPriorKnowledge].connectionCount >= limits.all {
                guard let oldest = shared[isPriorKnowledge].idle.firstElement else { return }
                close(oldest)
                // Closing may have changed who is first.
                continue
            }
            open(group, acceptsHTTP2: acceptsHTTP2)
            refresh(group)
        }
    }

    /// Enters the group among those that want a connection, or removes it.
    mutating func refresh(_ group: Int32) {
        let isPriorKnowledge = groups[Int(group)].isPriorKnowledge
        guard let acceptsHTTP2 = wanted(group) else { return shared[isPriorKnowledge].wanting.remove(group) }
        let call = groups[Int(group)].pending[acceptsHTTP2].first
        shared[isPriorKnowledge].wanting.set(group, calls[Int(call)].order)
    }

    /// Returns which calls of the group could begin an attempt, or join one, if the ceiling of all connections allowed it;
    /// `nil` if none. If both could, the earlier one is meant.
    private func wanted(_ group: Int32) -> Bool? {
        let isFull = groups[Int(group)].connectionCount >= limits.perGroup
        let http1 = groups[Int(group)].pending.http1.firstElement
        let http2 = groups[Int(group)].pending.http2.firstElement
        // Only a connection that calls over HTTP/1.1 can't use is idle while they wait.
        let wantsHTTP1 = http1 != nil && (!isFull || hasPlaceForHTTP1(group))
        let wantsHTTP2 = http2 != nil && (hasSpare(group, true) || (!isFull && mayOpenForHTTP2(group)))
        if wantsHTTP1, wantsHTTP2, let http1, let http2 { return calls[Int(http2)].order < calls[Int(http1)].order }
        if wantsHTTP1 { return false }
        return wantsHTTP2 ? true : nil
    }

    /// Whether a full group has an attempt for a call that needs HTTP/1.1, or a connection that can be closed for it.
    private func hasPlaceForHTTP1(_ group: Int32) -> Bool {
        hasSpare(group, false) || hasSpare(group, true) || !groups[Int(group)].idle.http2.isEmpty
    }

    private func hasSpare(_ group: Int32, _ offersHTTP2: Bool) -> Bool {
        !groups[Int(group)].spare[offersHTTP2].isEmpty
    }

    private func mayOpenForHTTP2(_ group: Int32) -> Bool {
        // A peer that allows no stream for now would be asked for more and more connections.
        guard groups[Int(group)].closedGateCount == 0 else { return false }
        return groups[Int(group)].choice == .http1 || groups[Int(group)].attemptCounts.http2 == 0
    }

    private mutating func open(_ group: Int32, acceptsHTTP2: Bool) {
        let call = groups[Int(group)].pending[acceptsHTTP2].first
        let connection = makeConnection(in: group, isPriorKnowledge: groups[Int(group)].isPriorKnowledge)
        connections[Int(connection)].state = .connecting
        connections[Int(connection)].isHTTP2 = acceptsHTTP2
        groups[Int(group)].attemptCounts[acceptsHTTP2] += 1
        give(connection, to: call, isOwn: true)
        actions.append(
            .open(handle(ofConnection: connection), for: handle(ofCall: call), offersHTTP2: acceptsHTTP2)
        )
    }

    /// The ceilings, of which each is at least 1.
    private var limits: (perGroup: Int, all: Int) {
        (max(1, configuration.maximumPerGroup), max(1, configuration.maximum))
    }
}

// MARK: Serving

extension ConnectionPool {
    /// Assigns waiting calls to an open connection for as long as it has room.
    mutating func serve(_ connection: Int32, now: UInt64) {
        while connections[Int(connection)].callCount < connections[Int(connection)].callLimit,
            let call = nextCall(for: connection)
        {
            let attempt = dequeue(call)
            assign(call, to: connection)
            if let attempt { passOn(attempt, isServed: true, now: now) }
        }
        refresh(connections[Int(connection)].group)
    }

    /// Returns the waiting call that the connection takes next; `nil` if there is none.
    func nextCall(for connection: Int32) -> Int32? {
        let group = Int(connections[Int(connection)].group)
        let http2 = groups[group].waiting.http2.firstElement
        guard !connections[Int(connection)].isHTTP2, let http1 = groups[group].waiting.http1.firstElement else {
            return http2
        }
        guard let http2 else { return http1 }
        return calls[Int(http2)].order < calls[Int(http1)].order ? http2 : http1
    }

    /// Assigns a call that is in no list.
    mutating func assign(_ call: Int32, to connection: Int32) {
        let index = Int(connection)
        if connections[index].callCount == 0, idleLinks.contains(connection) { leaveIdle(connection) }
        connections[index].callCount += 1
        if connections[index].isHTTP2 { updateRoom(connection) }
        calls[Int(call)].state = .assigned
        calls[Int(call)].connection = handle(ofConnection: connection)
        let isReused = connections[index].isUsed
        if isReused { reusedCount &+= 1 }
        connections[index].isUsed = true
        actions.append(.assign(handle(ofCall: call), handle(ofConnection: connection), isReused: isReused))
    }

    /// Enters an open HTTP/2 connection among those that take calls, or removes it.
    mutating func updateRoom(_ connection: Int32) {
        let entry = connections[Int(connection)]
        let hasRoom = entry.callCount < entry.callLimit
        guard hasRoom != roomLinks.contains(connection) else { return }
        if hasRoom {
            roomLinks.prepend(connection, to: &groups[Int(entry.group)].room)
        } else {
            roomLinks.remove(connection, from: &groups[Int(entry.group)].room)
        }
    }
}

// MARK: Waiting

extension ConnectionPool {
    /// Lets a call wait, behind all calls of its group that came earlier.
    mutating func enqueue(_ call: Int32) {
        let group = Int(calls[Int(call)].group)
        let acceptsHTTP2 = calls[Int(call)].acceptsHTTP2
        calls[Int(call)].state = .waiting
        let list = groups[group].waiting[acceptsHTTP2]
        if list.isEmpty || calls[Int(list.last)].order < calls[Int(call)].order {
            waitingLinks.append(call, to: &groups[group].waiting[acceptsHTTP2])
        } else {
            let previous = place(of: call, isPending: false)
            waitingLinks.insert(call, after: previous, in: &groups[group].waiting[acceptsHTTP2])
            groups[group].waitingHints[acceptsHTTP2] = call
        }
        becomePending(call)
    }

    /// Lets a waiting call be without an attempt.
    mutating func becomePending(_ call: Int32) {
        let group = Int(calls[Int(call)].group)
        let acceptsHTTP2 = calls[Int(call)].acceptsHTTP2
        calls[Int(call)].connection = nil
        pendingCount += 1
        let list = groups[group].pending[acceptsHTTP2]
        if list.isEmpty || calls[Int(list.last)].order < calls[Int(call)].order {
            return pendingLinks.append(call, to: &groups[group].pending[acceptsHTTP2])
        }
        let previous = place(of: call, isPending: true)
        pendingLinks.insert(call, after: previous, in: &groups[group].pending[acceptsHTTP2])
        groups[group].pendingHints[acceptsHTTP2] = call
    }

    /// Returns the element after which a call belongs in a list that is in the order of arrival.
    ///
    /// The call came earlier than almost all in the list. Several that are resent together come in order, each behind
    /// the one before it, which is the hint.
    private func place(of call: Int32, isPending: Bool) -> Int32 {
        let group = Int(calls[Int(call)].group)
        let acceptsHTTP2 = calls[Int(call)].acceptsHTTP2
        let order = calls[Int(call)].order
        let hint = isPending ? groups[group].pendingHints[acceptsHTTP2] : groups[group].waitingHints[acceptsHTTP2]
        var previous = PoolList.none
        if hint >= 0, hint != call, isPending ? pendingLinks.contains(hint) : waitingLinks.contains(hint),
            calls[Int(hint)].group == Int32(group), calls[Int(hint)].acceptsHTTP2 == acceptsHTTP2,
            calls[Int(hint)].order < order
        {
            previous = hint
        }
        let first = isPending ? groups[group].pending[acceptsHTTP2].first : groups[group].waiting[acceptsHTTP2].first
        var next = previous < 0 ? first : nextInLine(previous, isPending)
        while next >= 0, calls[Int(next)].order < order {
            previous = next
            next = nextInLine(next, isPending)
        }
        return previous
    }

    private func nextInLine(_ call: Int32, _ isPending: Bool) -> Int32 {
        isPending ? pendingLinks.next(call) : waitingLinks.next(call)
    }

    /// Removes a waiting call from its lists.
    ///
    /// - Returns: Its attempt, for ``passOn(_:isServed:now:)``.
    mutating func dequeue(_ call: Int32) -> Int32? {
        let group = Int(calls[Int(call)].group)
        let acceptsHTTP2 = calls[Int(call)].acceptsHTTP2
        waitingLinks.remove(call, from: &groups[group].waiting[acceptsHTTP2])
        guard let attempt = calls[Int(call)].connection?.index else {
            pendingLinks.remove(call, from: &groups[group].pending[acceptsHTTP2])
            pendingCount -= 1
            return nil
        }
        calls[Int(call)].connection = nil
        connections[Int(attempt)].owner = PoolList.none
        return attempt
    }

    /// Gives an attempt to the next call of its group that has none. If there is none, it goes on or is closed.
    ///
    /// - Parameter isServed: Whether its call was assigned to another connection, and has not ended.
    mutating func passOn(_ attempt: Int32, isServed: Bool, now: UInt64) {
        let entry = connections[Int(attempt)]
        let group = Int(entry.group)
        if let next = groups[group].pending[entry.isHTTP2].firstElement { return join(next, attempt) }
        guard isServed, !entry.isHTTP2 || groups[group].choice == .http1 else { return close(attempt) }
        groupIdleLinks.append(attempt, to: &groups[group].spare[entry.isHTTP2])
        // A server that does not answer would keep it for ever.
        connections[Int(attempt)].idleDeadline = now.addingUpTo(configuration.idleLimit)
        setTimer(attempt, connections[Int(attempt)].idleDeadline)
        enterIdle(attempt)
        // Calls that need HTTP/1.1 may get the place of an attempt that offers HTTP/2.
        if entry.isHTTP2 { refresh(entry.group) }
    }

    private mutating func join(_ call: Int32, _ attempt: Int32) {
        give(attempt, to: call, isOwn: false)
        actions.append(.join(handle(ofCall: call), handle(ofConnection: attempt)))
    }

    /// Lets a call without an attempt wait for this one.
    private mutating func give(_ attempt: Int32, to call: Int32, isOwn: Bool) {
        let group = Int(calls[Int(call)].group)
        pendingLinks.remove(call, from: &groups[group].pending[calls[Int(call)].acceptsHTTP2])
        pendingCount -= 1
        connections[Int(attempt)].owner = call
        connections[Int(attempt)].isOwnAttempt = isOwn
        calls[Int(call)].connection = handle(ofConnection: attempt)
    }
}
