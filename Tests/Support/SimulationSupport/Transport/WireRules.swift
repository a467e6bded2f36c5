import HeliumCore

@testable import HeliumCurl

// The rules that hold at all times, and at the end.
extension WireWorld {
    /// The ceilings of connections.
    func checkCeilings() {
        let open = lines.filter { !$0.isClosed }
        for isPriorKnowledge in [false, true] {
            let count = open.count { ($0.host.scheme == .priorKnowledge) == isPriorKnowledge }
            expect(count <= configuration.maximumConnections, "\(count) connections")
        }
        for host in hosts {
            let count = lines(of: host).count
            expect(count <= configuration.maximumConnectionsPerHost, "\(count) connections to \(host.name)")
        }
    }

    /// Checks the rules that hold while the loop sleeps.
    func checkRest() {
        guard let worker else { return }
        noteSlots()
        checkCeilings()
        expect(worker.pool.actions.isEmpty, "the pool's actions are not performed")
        expect(worker.ended.isEmpty, "calls have ended whose callers are not told")
        expect(worker.unflushed.isEmpty, "frames are not sent")
        for slot in worker.active {
            expect(
                min(worker.turn.earliest, worker.pool.nextDeadline) <= slot.limits.deadline,
                "a deadline is later than the loop sleeps"
            )
        }
        for group in worker.pool.groups where group.callCount > 0 || group.connectionCount > 0 { checkWaiting(group) }
    }

    /// No call waits beside a connection or a place for it.
    private func checkWaiting(_ group: PoolGroupEntry) {
        let hasHTTP1 = !group.pending.http1.isEmpty
        let hasHTTP2 = !group.pending.http2.isEmpty
        guard hasHTTP1 || hasHTTP2 else { return }
        expect(group.idle.http1.isEmpty, "a call waits beside an idle connection")
        expect(!hasHTTP2 || group.room.isEmpty, "a call waits beside a free stream")
        let all = lines.count { !$0.isClosed && ($0.host.scheme == .priorKnowledge) == group.isPriorKnowledge }
        guard all < configuration.maximumConnections, group.connectionCount < configuration.maximumConnectionsPerHost
        else { return }
        expect(!hasHTTP1, "a call waits beside a free place")
        let isAsking = group.attemptCounts.http2 > 0 || group.closedGateCount > 0
        let mayWait = (isAsking && group.choice != .http1) || group.closedGateCount > 0
        expect(!hasHTTP2 || mayWait, "a call waits beside a free place")
    }

    /// Checks the rules that hold when nothing is going to happen any more.
    func checkQuiet() {
        guard let worker else { return }
        expect(worker.active.isEmpty, "\(worker.active.count) calls are active")
        let open = lines.filter { !$0.isClosed }
        expect(open.isEmpty, "connections \(open.map(\.number)) are open for ever")
        checkPool(worker)
        // Those of calls that have ended are forgotten with the next deadline.
        let isWaiting = worker.awaitingContinue.contains { $0.slot.activeGeneration == $0.generation }
        expect(!isWaiting, "a wait for the response 100 is left")
        expect(worker.awaitingPong.isEmpty, "a wait for a PING is left")
        expect(worker.turn.touched.isEmpty, "streams are left")
        expect(worker.turn.earliest == .max, "a deadline is left")
        for index in worker.pool.calls.indices {
            expect(worker.calls.get(Int32(index)) == nil, "a slot is left in the table")
        }
        for index in worker.pool.connections.indices {
            expect(worker.connections.get(Int32(index)) == nil, "a connection is left in the table")
        }
        expect(worker.channels?.host.count ?? 0 == 0, "channels are left")
    }

    private func checkPool(_ worker: LoopWorker) {
        let pool = worker.pool
        expect(pool.freeCalls.count == pool.calls.count, "\(pool.calls.count - pool.freeCalls.count) pool calls leak")
        expect(
            pool.freeConnections.count == pool.connections.count,
            "\(pool.connections.count - pool.freeConnections.count) pool connections leak"
        )
        expect(pool.timers.isEmpty && pool.nextDeadline == .max, "a timer is left")
        expect(pool.pendingCount == 0, "\(pool.pendingCount) calls wait")
    }

    /// Checks the rules that hold when the loop has ended and all callers are told.
    func checkEnd() {
        for line in lines { expect(line.closes == 1, "line \(line.number) was closed \(line.closes) times") }
        for call in calls { call.check(isCalm: isCalm) }
        expect(slotCount <= peakCalls, "\(slotCount) slots for \(peakCalls) calls at once")
    }
}
