// The entries of groups, calls and connections, which are used again.

extension ConnectionPool {
    mutating func groupIndex(_ key: Group, isPriorKnowledge: Bool) -> Int32 {
        // Mostly the same origin, whose texts are the same objects: comparing them costs less than hashing them.
        if let last = lastGroup, groupKeys[Int(last)] == key { return last }
        if let index = groupIndices[key] {
            lastGroup = index
            if unusedLinks.contains(index) { unusedLinks.remove(index, from: &unused) }
            return index
        }
        let index: Int32
        if let free = freeGroups.popLast() {
            index = free
        } else {
            index = Int32(groups.count)
            groups.append(PoolGroupEntry())
            groupKeys.append(nil)
            unusedLinks.grow()
        }
        groupKeys[Int(index)] = key
        groups[Int(index)].isPriorKnowledge = isPriorKnowledge
        groupIndices[key] = index
        return index
    }

    /// Sets the group apart if it has neither calls nor connections.
    mutating func retireIfUnused(_ group: Int32) {
        guard groups[Int(group)].callCount == 0, groups[Int(group)].connectionCount == 0 else { return }
        unusedLinks.append(group, to: &unused)
        if lastGroup == group { lastGroup = nil }
        guard unused.count > configuration.maximumUnusedGroups else { return }
        let oldest = unused.first
        unusedLinks.remove(oldest, from: &unused)
        if let key = groupKeys[Int(oldest)] { groupIndices[key] = nil }
        groupKeys[Int(oldest)] = nil
        groups[Int(oldest)] = PoolGroupEntry()
        freeGroups.append(oldest)
    }

    mutating func makeCall(in group: Int32, acceptsHTTP2: Bool) -> Int32 {
        let index: Int32
        if let free = freeCalls.popLast() {
            index = free
        } else {
            index = Int32(calls.count)
            calls.append(PoolCallEntry())
            waitingLinks.grow()
            pendingLinks.grow()
        }
        calls[Int(index)].group = group
        calls[Int(index)].acceptsHTTP2 = acceptsHTTP2
        calls[Int(index)].order = nextOrder
        nextOrder += 1
        groups[Int(group)].callCount += 1
        return index
    }

    /// Forgets a call that is in no list.
    mutating func free(call: Int32) {
        let group = calls[Int(call)].group
        calls[Int(call)].state = .free
        calls[Int(call)].generation &+= 1
        calls[Int(call)].connection = nil
        freeCalls.append(call)
        groups[Int(group)].callCount -= 1
        retireIfUnused(group)
    }

    mutating func makeConnection(in group: Int32, isPriorKnowledge: Bool) -> Int32 {
        let index: Int32
        if let free = freeConnections.popLast() {
            index = free
        } else {
            index = Int32(connections.count)
            connections.append(PoolConnectionEntry())
            groupIdleLinks.grow()
            idleLinks.grow()
            roomLinks.grow()
        }
        connections[Int(index)].group = group
        groups[Int(group)].connectionCount += 1
        shared[isPriorKnowledge].connectionCount += 1
        openedCount &+= 1
        return index
    }

    /// Forgets a connection or attempt.
    mutating func free(connection: Int32) {
        let entry = connections[Int(connection)]
        let group = entry.group
        if entry.state == .connecting {
            groups[Int(group)].attemptCounts[entry.isHTTP2] -= 1
            if entry.owner < 0, idleLinks.contains(connection) { leaveIdle(connection) }
        } else {
            stopTakingCalls(connection)
        }
        timers.remove(connection)
        connections[Int(connection)] = PoolConnectionEntry(generation: entry.generation &+ 1)
        freeConnections.append(connection)
        groups[Int(group)].connectionCount -= 1
        shared[groups[Int(group)].isPriorKnowledge].connectionCount -= 1
        retireIfUnused(group)
        refresh(group)
    }

    mutating func close(_ connection: Int32) {
        actions.append(.close(handle(ofConnection: connection)))
        free(connection: connection)
    }

    /// Removes an open connection from the lists in which calls find it.
    mutating func stopTakingCalls(_ connection: Int32) {
        let entry = connections[Int(connection)]
        let group = Int(entry.group)
        if idleLinks.contains(connection) { leaveIdle(connection) }
        if roomLinks.contains(connection) { roomLinks.remove(connection, from: &groups[group].room) }
        if entry.isHTTP2, entry.state == .open, entry.callLimit == 0 { groups[group].closedGateCount -= 1 }
    }

    /// Enters a connection or attempt, which its group's list has, in the list of all.
    mutating func enterIdle(_ connection: Int32) {
        let isPriorKnowledge = groups[Int(connections[Int(connection)].group)].isPriorKnowledge
        idleLinks.append(connection, to: &shared[isPriorKnowledge].idle)
        if shared[isPriorKnowledge].idle.count > configuration.maximumIdle {
            close(shared[isPriorKnowledge].idle.first)
        }
    }

    /// Removes an idle connection, or an attempt without a call, from the lists.
    mutating func leaveIdle(_ connection: Int32) {
        let group = Int(connections[Int(connection)].group)
        let isHTTP2 = connections[Int(connection)].isHTTP2
        if connections[Int(connection)].state == .connecting {
            groupIdleLinks.remove(connection, from: &groups[group].spare[isHTTP2])
        } else {
            groupIdleLinks.remove(connection, from: &groups[group].idle[isHTTP2])
        }
        idleLinks.remove(connection, from: &shared[groups[group].isPriorKnowledge].idle)
    }
}
