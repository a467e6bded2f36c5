internal import HeliumCore
internal import HeliumJSON

extension ConnectionMachine {
    mutating func receive(_ frame: String) {
        guard socket == .creating || socket == .resuming || socket == .live else { return }
        guard frame.utf8.count <= settings.maximumFrameBytes else { return receivedTooMuch(nil) }
        // A frame that is not JSON is ignored and does not count as activity.
        guard let messages = try? codec.messages(in: frame), messages.contains(where: { $0.index != nil }) else {
            return
        }
        hasHeard = true
        lastHeard = now
        likelyDenials = 0
        let before = session?.unacknowledged.messages ?? 0
        for message in messages {
            guard socket == .creating || socket == .resuming || socket == .live else { return }
            receive(message)
        }
        guard let unacknowledged = session?.unacknowledged, unacknowledged.messages > before else { return }
        session?.unacknowledged.bytes += frame.utf8.count
        let isMuch =
            unacknowledged.messages >= settings.unacknowledgedMessages
            || unacknowledged.bytes + frame.utf8.count >= settings.unacknowledgedBytes
        if socket == .live, isMuch { ping() }
    }

    private mutating func receive(_ message: JetstreamMessage) {
        switch message {
        case .sessionCreateReply(let reply):
            if socket == .creating { receive(reply) }
        case .ping(let ping):
            receive(ping)
        default:
            guard socket != .creating, let index = message.index, isNext(index) else { return }
            dispatch(message)
        }
    }

    /// Returns whether a message is to be handled. If so, its index counts as received
    /// (Docs/Protocols/Jetstream.md §1.5).
    private mutating func isNext(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        guard let last = session?.lastReceived else { return false }
        guard index > last else {
            duplicateCount += 1
            return false
        }
        // A recovered session may have gaps. Only its replies matter, and these were stored before being acknowledged.
        let mayLeaveGap = isRecovering && socket == .live
        guard index == last + 1 || mayLeaveGap else {
            askForRepair()
            return false
        }
        session?.lastReceived = index
        session?.unacknowledged.messages += 1
        session?.repairs = 0
        if socket == .live { session?.repairSince = nil }
        return true
    }

    /// Requests the missing messages, with at most one request at a time (Docs/Protocols/Jetstream.md §1.7).
    private mutating func askForRepair() {
        guard socket == .live, let session, session.repairSince == nil else { return }
        if session.repairs >= settings.repairs {
            return loseSession("messages from the server were lost", nil, nil)
        }
        self.session?.repairs += 1
        self.session?.repairSince = now
        ping(resendMissing: true)
    }

    private mutating func receive(_ ping: JetstreamMessage.Ping) {
        guard socket == .resuming || socket == .live, let nextIndex = session?.nextIndex, ping.ack < nextIndex else {
            return
        }
        forgetRetained(upTo: ping.ack)
        let opensGate = socket == .resuming
        if opensGate || ping.resendMissing { session?.repairSince = nil }
        if opensGate {
            socket = .live
            liveSince = now
            session?.unansweredRepairs = 0
            actions.append(.report(.resumed))
        }
        guard opensGate || ping.resendMissing else { return }
        for message in session?.retained.elements ?? [] { actions.append(.send(message.text)) }
        if opensGate { sendPending() }
    }

    /// Removes retained messages that the server has received.
    mutating func forgetRetained(upTo index: Int) {
        _ = session?.retained.removeFirst { $0.index <= index }
    }

    private mutating func dispatch(_ message: JetstreamMessage) {
        switch message {
        case .scopeFetchReply(let reply): receive(reply)
        case .scopeState(let state): receive(state)
        case .scopeSync(let sync): receive(sync)
        case .scopeSyncReply(let reply): settle(reply.replyTo, with: reply.fragmentReplies)
        case .reply(let reply): receive(reply)
        case .unusable(let message):
            // The change set of the unreadable reply is unknown, so only a state shows what the server has.
            guard let type = message.type, type.hasSameBytes(as: "ScopeSyncReply"),
                scopes.values.contains(where: \.isWaiting)
            else { return }
            loseSession("the server's reply to a change set can't be decoded", nil, nil)
        case .sessionCreate, .sessionCreateReply, .scopeFetch, .ping: break
        }
    }
}

// MARK: Sessions

extension ConnectionMachine {
    /// Ends the session after a frame that exceeds the maximum size, because the server would send it again on each
    /// socket.
    ///
    /// If the frame was the state of a scope, its fetch fails, because the state would come again in the next session.
    /// A state follows the reply to its fetch. A frame that may contain more than a state counts as one if it comes
    /// again in the next session.
    mutating func receivedTooMuch(_ underlying: HeliumError?) {
        guard session != nil else { return dropSocket() }
        let message = "the server sent more than \(settings.maximumFrameBytes) bytes in one frame"
        blameFetch(
            JetstreamError(
                .ceilingExceeded,
                "the state of the scope does not fit in a frame: \(message)",
                delivery: .answered,
                underlying: underlying
            )
        )
        loseSession(message, nil, underlying)
    }

    /// Fails the fetch that caused the loss of a session: that of a scope whose state does not arrive, or that of a
    /// scope whose fetch has no reply for the second time.
    mutating func blameFetch(_ error: JetstreamError) {
        let waiting = scopeOrder.first { id in
            switch scopes[id]?.phase {
            case .fetching?, .awaitingState?: true
            case .wanted?, .applying?, .live?, nil: false
            }
        }
        guard let waiting, let scope = scopes[waiting] else { return }
        if scope.phase == .awaitingState || scope.hasLostSession {
            if case .fetching(let index) = scope.phase { stopWaiting(index) }
            refuseFetch(waiting, error)
        } else {
            scopes[waiting]?.hasLostSession = true
        }
    }

    private mutating func receive(_ reply: JetstreamMessage.SessionCreateReply) {
        guard let token = reply.sessionToken, reply.error == nil else {
            return end(
                JetstreamError(
                    .sessionDenied,
                    "the server refused the session",
                    server: reply.error,
                    delivery: .answered
                )
            )
        }
        session = LiveSession(token: token)
        socket = .live
        liveSince = now
        let (shortest, longest) = (settings.pingInterval.lowerBound, settings.pingInterval.upperBound)
        nextPing = now + shortest + (longest - shortest) * random.unit()
        actions.append(.report(.established))
        sendPending()
    }
}

// MARK: Scopes

extension ConnectionMachine {
    private mutating func receive(_ reply: JetstreamMessage.ScopeFetchReply) {
        guard case .fetch(let id)? = stopWaiting(reply.replyTo) else { return }
        forgetRetained(upTo: reply.replyTo)
        guard scopes[id]?.phase == .fetching(index: reply.replyTo) else { return }
        if reply.error == nil, let scopeIndex = reply.scopeIndex, isFree(scopeIndex) {
            if let former = scopesByIndex[scopeIndex] { scopes[former]?.scopeIndex = nil }
            scopesByIndex[scopeIndex] = id
            scopes[id]?.scopeIndex = scopeIndex
            scopes[id]?.phase = .awaitingState
            progress(id)
        } else {
            let message =
                reply.error == nil ? "the server's reply has no usable scope index" : "the server refused the scope"
            refuseFetch(id, JetstreamError(.fetchRefused, message, server: reply.error, delivery: .answered))
        }
    }

    /// Returns whether a fetch may use a scope index. A name that is fetched again in a session gets its former index
    /// (Docs/Protocols/Jetstream.md §7 no 9).
    private func isFree(_ scopeIndex: Int) -> Bool {
        scopesByIndex[scopeIndex].map { scopes[$0]?.isAbandoned == true } ?? true
    }

    private mutating func receive(_ reply: JetstreamMessage.Reply) {
        switch waiting[reply.replyTo] {
        case nil: break
        case .changes?: settle(reply.replyTo, with: [])
        case .fetch(let id)?:
            stopWaiting(reply.replyTo)
            forgetRetained(upTo: reply.replyTo)
            refuseFetch(id, JetstreamError(.fetchRefused, "the server's reply has no scope index", delivery: .answered))
        }
    }

    mutating func refuseFetch(_ id: ScopeID, _ error: JetstreamError) {
        dropQueued(id)
        deliver(id, .ended(error))
        remove(id)
    }

    private mutating func receive(_ state: JetstreamMessage.ScopeState) {
        guard let id = scopesByIndex[state.scopeIndex] else { return }
        guard scopes[id]?.isAbandoned == false else {
            scopes[id]?.phase = .live
            return removeIfAbandoned(id)
        }
        // The scope returns the sets that were never sent, rebased on the state.
        dropQueued(id)
        scopes[id]?.phase = .applying
        scopes[id]?.unappliedStates += 1
        progress(id)
        let sent = scopes[id]?.sent.elements.map(\.changes.id) ?? []
        deliver(id, .state(state, sent: sent))
    }

    private mutating func receive(_ sync: JetstreamMessage.ScopeSync) {
        guard let id = scopesByIndex[sync.scopeIndex], !sync.fragments.isEmpty else { return }
        switch scopes[id]?.phase {
        case .applying?, .live?: deliver(id, .sync(sync.fragments))
        case .wanted?, .fetching?, .awaitingState?, nil: break
        }
    }

    /// Settles a change set, and earlier ones of its scope, which the server dropped unread
    /// (Docs/Protocols/Jetstream.md §1.9).
    private mutating func settle(_ index: Int, with replies: [FragmentReply]) {
        guard case .changes(let id)? = waiting[index],
            let settled = scopes[id]?.sent.removeFirst(while: { $0.index <= index })
        else { return }
        forgetRetained(upTo: index)
        progress(id)
        var fits = true
        pendingCount -= settled.count
        for sent in settled {
            stopWaiting(sent.index)
            let outcome: ChangesOutcome
            if sent.index < index {
                let message = "the server replied to a later change set, but not to this one"
                outcome = .reverted(JetstreamError(.unanswered, message, delivery: .maybeSent))
            } else if replies.count == sent.changes.fragments.count {
                outcome = .replied(replies)
            } else {
                fits = false
                let message = "the server's reply does not match the change set"
                outcome = .reverted(JetstreamError(.replyMismatch, message, delivery: .answered))
            }
            settle(id, sent, outcome)
        }
        removeIfAbandoned(id)
        save()
        if !fits { loseSession("the server's reply does not match a change set", nil, nil) }
        finishRecovery()
    }

    private mutating func progress(_ id: ScopeID) {
        scopes[id]?.lastProgress = now
        scopes[id]?.didResume = false
    }
}
