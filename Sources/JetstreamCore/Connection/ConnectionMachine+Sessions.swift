internal import HeliumCore
internal import HeliumJSON

// MARK: The end of a session

extension ConnectionMachine {
    /// Abandons the session. Change sets that were sent are settled as possibly applied. Another session follows, whose
    /// states decide (Docs/Protocols/Jetstream.md §7 no 5).
    mutating func loseSession(_ message: String, _ server: ErrorObject?, _ underlying: HeliumError?) {
        guard session != nil else { return }
        let error = JetstreamError(
            .sessionLost,
            message,
            server: server,
            delivery: .maybeSent,
            underlying: underlying
        )
        let wasRecovering = isRecovering
        leaveSession(settlingWith: error)
        actions.append(.report(.lost(error)))
        if settings.restartsSession || wasRecovering { dropSocket() } else { end(error) }
    }

    /// Clears the session. Scopes remain wanted.
    private mutating func leaveSession(settlingWith error: JetstreamError) {
        session = nil
        isRecovering = false
        likelyDenials = 0
        let hadWaiting = !waiting.isEmpty
        waiting = [:]
        scopesByIndex = [:]
        for id in scopeOrder {
            let sent = scopes[id]?.sent.removeAll() ?? []
            pendingCount -= sent.count
            for sent in sent { settle(id, sent, .unknown(error)) }
            scopes[id]?.scopeIndex = nil
            scopes[id]?.phase = .wanted
            scopes[id]?.didResume = false
            if let scope = scopes[id], scope.isAbandoned || scope.isRecovered { remove(id) }
        }
        if hadWaiting { actions.append(.report(.waitingReplies(0))) }
        save()
    }

    /// Ends the client and settles all pending work.
    mutating func end(_ error: JetstreamError) {
        if error.kind == .clientClosed, let stored = storedSession, !stored.changes.isEmpty { finalSession = stored }
        for id in scopeOrder {
            guard let scope = scopes[id] else { continue }
            var (maybeSent, notSent) = (error, error)
            maybeSent.delivery = .maybeSent
            notSent.delivery = .notSent
            for sent in scope.sent.elements {
                if !scope.isRecovered { settle(id, sent, .unknown(maybeSent)) }
            }
            for changes in scope.queued.elements { deliver(id, .settled(changes.id, .reverted(notSent))) }
            deliver(id, .ended(error))
        }
        let hadWaiting = !waiting.isEmpty
        scopes = [:]
        scopeOrder = []
        scopesByIndex = [:]
        waiting = [:]
        pendingCount = 0
        session = nil
        hasEnded = true
        if hadWaiting { actions.append(.report(.waitingReplies(0))) }
        save()
        dropSocket()
        actions.append(.end(error))
    }
}

// MARK: The session of an earlier process

extension ConnectionMachine {
    /// Adopts the stored session until its change sets are settled.
    mutating func recover(_ stored: StoredSession) {
        guard session == nil, socket == .none, !stored.changes.isEmpty else { return }
        isRecovering = true
        var session = LiveSession(token: stored.token)
        session.nextIndex = stored.nextIndex
        session.lastReceived = stored.lastReceived
        session.retained = FIFO(stored.messages)
        self.session = session
        for changes in stored.changes {
            // Scopes of callers have numbers from 0, so recovered scopes have negative ones.
            let known = scopeOrder.first { id in
                guard let scope = scopes[id], scope.isRecovered else { return false }
                return scope.name.hasSameBytes(as: changes.scopeName)
            }
            let id = known ?? ScopeID(-1 - scopeOrder.count)
            if known == nil {
                var scope = ScopeRecord(name: changes.scopeName, parameters: [:])
                scope.isRecovered = true
                scope.phase = .live
                scopes[id] = scope
                scopeOrder.append(id)
            }
            let outgoing = OutgoingChanges(
                id: ChangesID(-changes.index),
                fragments: changes.fragments,
                isAtomic: changes.isAtomic,
                procedure: changes.procedure
            )
            scopes[id]?.sent.append(SentChanges(index: changes.index, changes: outgoing))
            waiting[changes.index] = .changes(id)
            pendingCount += 1
        }
    }

    /// Leaves the session of the earlier process after all its change sets are settled.
    mutating func finishRecovery() {
        guard isRecovering, !scopes.values.contains(where: { $0.isRecovered && !$0.sent.isEmpty }) else { return }
        leaveSession(settlingWith: JetstreamError(.sessionLost, "the session is settled", delivery: .maybeSent))
        dropSocket()
    }
}
