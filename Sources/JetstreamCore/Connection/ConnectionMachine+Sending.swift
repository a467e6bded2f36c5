internal import HeliumCore
internal import HeliumJSON

// MARK: Calls

extension ConnectionMachine {
    mutating func fetch(_ id: ScopeID, name: String, parameters: JSONObject) {
        let isFetched = scopes.values.contains { scope in
            !scope.isRecovered && !scope.isAbandoned && scope.name.hasSameBytes(as: name)
        }
        if isFetched {
            let message = "the scope is already fetched"
            return actions.append(.deliver(id, .ended(JetstreamError(.invalidScope, message, delivery: .notSent))))
        }
        scopes[id] = ScopeRecord(name: name, parameters: parameters)
        scopeOrder.append(id)
        if socket == .live { sendFetch(id) }
    }

    mutating func abandon(_ id: ScopeID) {
        dropQueued(id)
        scopes[id]?.isAbandoned = true
        removeIfAbandoned(id)
    }

    mutating func submit(_ changes: OutgoingChanges, in id: ScopeID) {
        guard scopes[id]?.isAbandoned == false else {
            let error = JetstreamError(.invalidScope, "the scope is not fetched", delivery: .notSent)
            return actions.append(.refuse(changes.id, error))
        }
        if let error = fault(of: changes) { return actions.append(.refuse(changes.id, error)) }
        // There is nothing to send, so the set is completed at once.
        if changes.fragments.isEmpty { return deliver(id, .settled(changes.id, .replied([]))) }
        guard pendingCount < settings.maximumPendingChanges else {
            let message = "\(settings.maximumPendingChanges) change sets are pending"
            return actions.append(.refuse(changes.id, JetstreamError(.ceilingExceeded, message, delivery: .notSent)))
        }
        pendingCount += 1
        if socket == .live, !isRecovering, scopes[id]?.phase == .live {
            sendChanges(changes, in: id)
        } else {
            scopes[id]?.queued.append(changes)
        }
    }

    mutating func stateApplied(_ id: ScopeID, unsent: [OutgoingChanges]) {
        guard scopes[id]?.isAbandoned == false else { return }
        dropQueued(id)
        pendingCount += unsent.count
        scopes[id]?.queued = FIFO(unsent)
        guard let unapplied = scopes[id]?.unappliedStates else { return }
        scopes[id]?.unappliedStates = max(unapplied - 1, 0)
        // This confirms an earlier state. Anything sent now would be rebased and sent again after the last state.
        guard unapplied <= 1, scopes[id]?.phase == .applying else { return }
        scopes[id]?.phase = .live
        if socket == .live { sendQueued(id) }
    }

    /// Returns the reason why a change set cannot be sent: a server would drop it unread and never reply
    /// (Docs/Protocols/Jetstream.md §1.9).
    private func fault(of changes: OutgoingChanges) -> JetstreamError? {
        for fragment in changes.fragments {
            guard let name = fragment.unsendableProperty else { continue }
            let shown = PeerText.shortened(name, to: 100)
            let message =
                "property \"\(shown)\" has a value that can't be sent: objects, nested arrays and mixed arrays are not supported"
            return JetstreamError(.invalidChanges, message, delivery: .notSent)
        }
        if let procedure = changes.procedure {
            let parts = procedure.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
            if parts.count != 2 || parts.contains(where: \.isEmpty) {
                let message = "the name of a procedure must have the form Model.procedure"
                return JetstreamError(.invalidChanges, message, delivery: .notSent)
            }
        }
        return nil
    }
}

// MARK: Sending

extension ConnectionMachine {
    /// Sends fetches and change sets that waited for the session or for the gate after a reconnect.
    mutating func sendPending() {
        guard !isRecovering else { return }
        for id in scopeOrder {
            switch scopes[id]?.phase {
            case .wanted?: sendFetch(id)
            case .live?: sendQueued(id)
            case .fetching?, .awaitingState?, .applying?, nil: break
            }
        }
    }

    private mutating func sendFetch(_ id: ScopeID) {
        guard !isRecovering, let scope = scopes[id], !scope.isAbandoned, let index = session?.nextIndex else { return }
        let fetch = JetstreamMessage.ScopeFetch(index: index, name: scope.name, parameters: scope.parameters)
        guard sendNumbered(.scopeFetch(fetch), index) else {
            dropQueued(id)
            deliver(id, .ended(tooLarge))
            return remove(id)
        }
        scopes[id]?.phase = .fetching(index: index)
        scopes[id]?.lastProgress = now
        startWaiting(index, .fetch(id))
    }

    private mutating func sendQueued(_ id: ScopeID) {
        for changes in scopes[id]?.queued.removeAll() ?? [] { sendChanges(changes, in: id) }
    }

    private mutating func sendChanges(_ changes: OutgoingChanges, in id: ScopeID) {
        guard let scopeIndex = scopes[id]?.scopeIndex, let index = session?.nextIndex else { return }
        let sync = JetstreamMessage.ScopeSync(
            index: index,
            scopeIndex: scopeIndex,
            fragments: changes.fragments,
            isAtomic: changes.isAtomic,
            procedure: changes.procedure
        )
        guard sendNumbered(.scopeSync(sync), index) else {
            pendingCount -= 1
            return deliver(id, .settled(changes.id, .reverted(tooLarge)))
        }
        if lastSent[id].map({ $0.rawValue < changes.id.rawValue }) ?? true { lastSent[id] = changes.id }
        if scopes[id]?.sent.isEmpty == true { scopes[id]?.lastProgress = now }
        scopes[id]?.sent.append(SentChanges(index: index, changes: changes))
        startWaiting(index, .changes(id))
    }

    /// Sends a numbered message and retains it until the server acknowledges it.
    ///
    /// - Returns: `false` if the message exceeds the maximum frame size. A server would close each socket that sends
    ///   it.
    private mutating func sendNumbered(_ message: JetstreamMessage, _ index: Int) -> Bool {
        let text = codec.text(of: message)
        guard text.utf8.count <= settings.maximumFrameBytes else { return false }
        session?.nextIndex = index + 1
        session?.retained.append(StoredMessage(index: index, text: text))
        save()
        actions.append(.send(text))
        return true
    }

    private var tooLarge: JetstreamError {
        let message = "a message can have at most \(settings.maximumFrameBytes) bytes"
        return JetstreamError(.ceilingExceeded, message, delivery: .notSent)
    }

    mutating func save() {
        if settings.hasStore { actions.append(.save) }
    }

    private mutating func startWaiting(_ index: Int, _ reply: WaitingReply) {
        waiting[index] = reply
        actions.append(.report(.waitingReplies(waiting.count)))
    }

    @discardableResult
    mutating func stopWaiting(_ index: Int) -> WaitingReply? {
        guard let reply = waiting.removeValue(forKey: index) else { return nil }
        actions.append(.report(.waitingReplies(waiting.count)))
        return reply
    }
}

// MARK: Deliveries

extension ConnectionMachine {
    mutating func deliver(_ id: ScopeID, _ delivery: ScopeDelivery) {
        guard let scope = scopes[id], !scope.isAbandoned, !scope.isRecovered else { return }
        actions.append(.deliver(id, delivery))
    }

    mutating func settle(_ id: ScopeID, _ sent: SentChanges, _ outcome: ChangesOutcome) {
        if let scope = scopes[id], scope.isRecovered {
            actions.append(.report(.recovered(sent.stored(scopeName: scope.name), outcome.result)))
        } else {
            deliver(id, .settled(sent.changes.id, outcome))
        }
    }

    /// Removes the unsent change sets of a scope.
    mutating func dropQueued(_ id: ScopeID) { pendingCount -= scopes[id]?.queued.removeAll().count ?? 0 }

    /// Removes an abandoned scope after its last request has a reply.
    mutating func removeIfAbandoned(_ id: ScopeID) {
        if let scope = scopes[id], scope.isAbandoned, !scope.isWaiting { remove(id) }
    }

    mutating func remove(_ id: ScopeID) {
        if let scopeIndex = scopes[id]?.scopeIndex { scopesByIndex[scopeIndex] = nil }
        scopes[id] = nil
        scopeOrder.removeAll { $0 == id }
    }
}
