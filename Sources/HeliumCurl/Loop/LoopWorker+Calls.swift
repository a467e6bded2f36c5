import HeliumCore
import HeliumWire

// Calls and their connections.
extension LoopWorker {
    /// Asks the pool for a connection.
    func request(_ slot: TransferSlot) {
        guard let group = slot.group else { return }
        let call = pool.request(group, slot.protocols, now: turn.now)
        slot.poolCall = call
        calls.set(call.index, slot)
        performActions()
    }

    /// Ends a call that gets no response any more.
    func finish(_ slot: TransferSlot, _ abort: TransferAbort) {
        guard slot.isActive else { return }
        let connection = slot.connection
        if slot.hasBegun, connection?.engine?.isUnsent(slot) == true { slot.isUnsent = true }
        // Routers forget idle connections, mostly all of a host at once. Each would cost a call its time limit.
        if case .timedOut = abort, let connection, !slot.isOpener, slot.firstByteTime == 0 {
            pool.closeIdle(connection.group)
        }
        ended(slot, abort)
        connection?.engine?.cancel(slot)
        forget(slot)
        flush()
    }

    /// Called when a call has ended, with or without a response. Its waiter is notified at the end of the turn.
    func ended(_ slot: TransferSlot, _ abort: TransferAbort?) {
        guard slot.isActive else { return }
        if slot.abort == nil { slot.abort = abort }
        slot.endTime = turn.now
        slot.isActive = false
        slot.activeGeneration = 0
        slot.connection = nil
        let last = active.removeLast()
        if last !== slot {
            active[slot.activeIndex] = last
            last.activeIndex = slot.activeIndex
        }
        // Without calls there is no deadline to wake up for.
        if active.isEmpty, awaitingPong.isEmpty { turn.earliest = .max }
        ended.append(slot)
    }

    /// Takes a call that has ended without a response off its connection.
    func forget(_ slot: TransferSlot) {
        guard let call = slot.poolCall else { return }
        slot.poolCall = nil
        calls.set(call.index, nil)
        pool.cancelled(call, now: turn.now)
        performActions()
    }

    /// Takes a call that has ended with a response off its connection.
    func release(_ call: PoolCall?, isReusable: Bool, keepAlive: Duration? = nil) {
        guard let call else { return }
        calls.set(call.index, nil)
        pool.released(
            call,
            isReusable: isReusable,
            peerIdleLimit: keepAlive.map { LoopTurn.nanoseconds($0) },
            now: turn.now
        )
        performActions()
    }

    /// Called when the connection, or the stream, of a call has ended before its response was complete. The call is sent
    /// again if the rule allows it; otherwise it ends with `abort`.
    ///
    /// - Parameter isCounted: Whether the repetition counts (``Repetitions``).
    func conclude(
        _ slot: TransferSlot,
        _ written: DeliveryRule.Written,
        over version: DeliveryRule.Version,
        _ end: DeliveryRule.End,
        _ abort: TransferAbort,
        isCounted: Bool = true
    ) {
        guard slot.isActive, let call = slot.poolCall, let connection = slot.poolConnection else { return }
        let rule = DeliveryRule(
            written: written,
            over: version,
            read: slot.readPart,
            end: end,
            isPriorKnowledge: slot.group?.isPriorKnowledge == true
        )
        slot.isUnsent = rule.delivery == .notSent
        let isBodyLost = slot.isUploadBegun
        if isBodyLost {
            switch rule.resend {
            case .no: break
            case .again: slot.repetition = .again
            case .overHTTP1: slot.repetition = .overHTTP1
            }
        }
        guard !isBodyLost, slot.repetitions.allow(rule, after: end, on: connection, isCounted: isCounted) else {
            ended(slot, abort)
            return forget(slot)
        }
        if rule.resend == .overHTTP1 { slot.needsHTTP1 = true }
        slot.limits.sourceGoesOn(now: turn.now)
        slot.restart()
        slot.enter(.queue)
        pool.resend(call, overHTTP1: slot.needsHTTP1, now: turn.now)
        performActions()
    }
}

// MARK: Connections

extension LoopWorker {
    /// Performs what the pool has decided, and what it decides meanwhile.
    func performActions() {
        guard !isPerformingActions, !isHoldingActions, !pool.actions.isEmpty else { return }
        isPerformingActions = true
        var index = 0
        while index < pool.actions.count {
            perform(pool.actions[index])
            index += 1
        }
        pool.actions.removeAll(keepingCapacity: true)
        isPerformingActions = false
        while let connection = departed.popLast() { remove(connection) }
    }

    /// Calls `body`, in which a connection reads or writes, and performs the pool's actions after it. One of them may
    /// end that connection, or read from another one into the same memory.
    @discardableResult
    func holdActions<Result>(_ body: () -> Result) -> Result {
        let wasHolding = isHoldingActions
        isHoldingActions = true
        let result = body()
        isHoldingActions = wasHolding
        performActions()
        return result
    }

    private func perform(_ action: PoolAction) {
        switch action {
        case .open(let handle, let call, let offersHTTP2):
            guard let slot = slot(of: call) else { return pool.openFailed(handle) }
            open(handle, for: slot, offersHTTP2: offersHTTP2)
        case .join(let call, _): slot(of: call)?.enter(.connect)
        case .wait(let call): slot(of: call)?.enter(.queue)
        case .assign(let call, let handle, let isReused):
            if let slot = slot(of: call) { assign(slot, to: handle, isReused: isReused) }
        case .fail(let call, let handle):
            guard let slot = slot(of: call) else { return }
            slot.poolCall = nil
            calls.set(call.index, nil)
            didNotConnect(slot, connection(of: handle))
            if connection(of: handle) != nil { connections.set(handle.index, nil) }
        case .close(let handle):
            guard let connection = connection(of: handle) else { return }
            connections.set(handle.index, nil)
            connection.close()
        }
    }

    private func slot(of call: PoolCall) -> TransferSlot? {
        guard let slot = calls.get(call.index), slot.poolCall == call, slot.isActive else { return nil }
        return slot
    }

    private func connection(of handle: PoolConnection) -> HTTPConnection? {
        guard let connection = connections.get(handle.index), connection.handle == handle else { return nil }
        return connection
    }

    private func open(_ handle: PoolConnection, for slot: TransferSlot, offersHTTP2: Bool) {
        slot.enter(.connect)
        guard let group = slot.group else { return }
        let connection = HTTPConnection(group, handle, worker: self)
        connections.set(handle.index, connection)
        guard let host = channelHost() else { return didNotOpen(connection, ChannelHost.notPossible) }
        let target = group.target(configuration, offersHTTP2: offersHTTP2, connectLimit: slot.connectLimit)
        connection.open(on: host, target)
    }

    private func assign(_ slot: TransferSlot, to handle: PoolConnection, isReused: Bool) {
        slot.poolConnection = handle
        let connection = connection(of: handle)
        guard let connection, let engine = connection.engine, engine.isUsable else {
            // The end of the connection was not known yet. The pool closes it when it has no other calls.
            pool.wentAway(handle)
            let isNew = connection?.isOpening ?? !isReused
            let abort = TransferAbort.lost("the idle connection had ended")
            return conclude(slot, .nothing, over: .http1, .connectionLost, abort, isCounted: isNew)
        }
        slot.isOpener = !isReused
        if !isReused { slot.noteConnect(connection) }
        engine.send(slot)
    }

    private func didNotConnect(_ slot: TransferSlot, _ connection: HTTPConnection?) {
        slot.isOpener = true
        if let connection { slot.noteConnect(connection) }
        ended(slot, .connect(connection?.failure ?? LoopWorker.wrongProtocol))
    }

    private static let wrongProtocol = TransportFailure(
        .transportFailed,
        delivery: .notSent,
        message: "the server chose a protocol that was not offered"
    )

    /// Called when a connection is there. `streams` is the number of streams of HTTP/2, `nil` for HTTP/1.1.
    func didOpen(_ connection: HTTPConnection, streams: Int?) {
        pool.opened(connection.handle, streams.map { .http2(streams: $0) } ?? .http1, now: turn.now)
        performActions()
    }

    /// Called when a connection could not be made.
    func didNotOpen(_ connection: HTTPConnection, _ failure: TransportFailure) {
        connection.failure = failure
        pool.openFailed(connection.handle)
        performActions()
        remove(connection)
    }

    /// Called when a connection has ended, before its calls end.
    func didEnd(_ connection: HTTPConnection) {
        pool.lost(connection.handle)
        remove(connection)
        performActions()
    }

    private func remove(_ connection: HTTPConnection) {
        guard self.connection(of: connection.handle) === connection else { return }
        // While actions are performed, that of a failed call may still refer to it.
        guard !isPerformingActions else { return departed.append(connection) }
        connections.set(connection.handle.index, nil)
    }

    /// Called when a connection takes no more calls.
    func wentAway(_ connection: HTTPConnection) {
        pool.wentAway(connection.handle)
        performActions()
    }

    func cameBack(_ connection: HTTPConnection, streams: Int) {
        pool.cameBack(connection.handle, streams: streams, now: turn.now)
        performActions()
    }

    func streamLimitChanged(_ connection: HTTPConnection, to limit: Int) {
        pool.streamLimitChanged(connection.handle, limit, now: turn.now)
        performActions()
    }

    /// Sends the frames of this turn.
    func flush() {
        #if HTTP2
            while let connection = unflushed.popLast() { connection.http2?.flush() }
        #endif
    }
}

// MARK: Time

extension LoopWorker {
    /// Makes the call send its body if the response 100 does not arrive.
    func awaitContinue(_ slot: TransferSlot) {
        let deadline = turn.now &+ times.continueWait
        awaitingContinue.append((slot, slot.generation, deadline))
        turn.earliest = min(turn.earliest, deadline)
    }

    #if HTTP2
        /// Ends the connection, or lets it take no more calls for now, if its peer does not answer.
        func awaitPong(of connection: HTTPConnection) {
            let deadline = turn.now &+ times.pong
            awaitingPong.append((connection, turn.now, deadline))
            turn.earliest = min(turn.earliest, deadline)
        }
    #endif

    private func expirePongs() -> UInt64 {
        #if HTTP2
            let due = awaitingPong.filter { $0.deadline <= turn.now }
            awaitingPong.removeAll { $0.deadline <= turn.now }
            for entry in due { entry.connection.http2?.endIfSilent(since: entry.begin) }
            return awaitingPong.lazy.map(\.deadline).min() ?? .max
        #else
            return .max
        #endif
    }

    /// Closes connections that were idle too long, and sends the bodies that have waited long enough. Returns the time of
    /// the next call.
    func expireConnections() -> UInt64 {
        pool.expire(now: turn.now)
        performActions()
        let earliest = awaitingPong.isEmpty ? .max : expirePongs()
        guard !awaitingContinue.isEmpty else { return earliest }
        let due = awaitingContinue.filter { $0.deadline <= turn.now }
        awaitingContinue.removeAll { $0.deadline <= turn.now || $0.slot.activeGeneration != $0.generation }
        for entry in due where entry.slot.activeGeneration == entry.generation {
            entry.slot.connection?.engine?.sendWithoutContinue(entry.slot)
        }
        return min(earliest, awaitingContinue.lazy.map(\.deadline).min() ?? .max)
    }
}

// MARK: Statistics

extension LoopWorker {
    /// The current statistics. They are counted here, so that requests have no extra cost.
    var statistics: CurlTransport.Statistics {
        var statistics = CurlTransport.Statistics()
        statistics.activeTransfers = active.count
        statistics.waitingTransfers = active.count { $0.limits.stage == .queue }
        statistics.openedConnections = pool.openedCount
        statistics.reusedConnections = pool.reusedCount
        pool.forEachGroup { group, connections in
            statistics.connections[group.origin, default: .init()].busy += connections.busy
            statistics.connections[group.origin, default: .init()].idle += connections.idle
        }
        return statistics
    }
}
