internal import HeliumJSON
internal import HeliumServerKit

extension JetstreamEngine {
    /// Handles the messages of a frame in order, until one of them must wait for a decision.
    mutating func take(_ messages: ArraySlice<ClientMessage>, from connection: Int, in id: Int) {
        // Pings come first, because their index is 0. Of several acknowledgements, the highest is sufficient. Of
        // several resend requests, one is sufficient, because each resends everything that is retained.
        var (highest, lastRequest): (Int?, Int?)
        for (position, message) in zip(messages.indices, messages) {
            guard case .ping(let ack, let resendMissing) = message, ack <= sessions[id]?.serverIndex ?? 0 else {
                continue
            }
            highest = max(ack, highest ?? 0)
            if resendMissing { lastRequest = position }
        }
        if let highest { prune(id, through: highest) }
        for (position, message) in zip(messages.indices, messages) {
            guard sessions[id] != nil else { break }
            handle(message, in: id, mayResend: position == lastRequest)
            if sessions[id]?.question != nil {
                sessions[id]?.rest = (messages[(position + 1)...], connection)
                return
            }
        }
        finishFrame(of: connection, in: id)
    }

    /// The number of search steps that a session's changes may cost before it has to wait.
    private static let freeSearchSteps = 10_000
    /// The time that a session waits for each step: about ten times the duration of the step.
    private static let timePerSearchStep: Duration = .microseconds(2)

    /// Requests the next frame of a socket at once, or after a delay if the session's changes made the server search
    /// many objects for another path to the root.
    ///
    /// A small message can cost as much as the tree below the object that it moves.
    private mutating func finishFrame(of connection: Int, in id: Int) {
        let steps = sessions[id]?.searchSteps ?? 0
        guard steps > Self.freeSearchSteps else { return actions.append(.received(connection)) }
        sessions[id]?.searchSteps = 0
        timers.insert(.received(connection: connection), at: now + Self.timePerSearchStep * steps)
    }

    // A session must not be copied while its messages are handled, because each message would then copy the retained
    // messages.

    /// Continues with messages that waited for a decision.
    mutating func goOn(_ id: Int) {
        while sessions[id] != nil, sessions[id]?.question == nil {
            if let rest = sessions[id]?.rest {
                sessions[id]?.rest = nil
                take(rest.messages, from: rest.connection, in: id)
            } else if let frame = sessions[id]?.frames.first {
                sessions[id]?.frames.removeFirst()
                read(frame.bytes, on: frame.connection, id)
            } else {
                return
            }
        }
    }

    private mutating func handle(_ message: ClientMessage, in id: Int, mayResend: Bool) {
        if message.index > 0 {
            // Indexes up to the last are duplicates, and skipped ones never arrive (Docs/Protocols/Jetstream.md §1.5).
            guard let last = sessions[id]?.clientIndex, message.index > last else { return duplicateCount += 1 }
            if case .fetch = message {
                // Counted after the decision. Until then, the client must send it again to a restarted server.
            } else {
                accept(message.index, in: id)
            }
        }
        switch message {
        case .sessionCreate, .reply: break
        case .ping: if mayResend { sendMissing(id) }
        case .invalidFetch(let index):
            enqueue(.error(.scopeFetchReply, number: index, .unreadable), to: id)
        case .invalidSync(let index, let count):
            enqueue(.replies(to: index, Array(repeating: .unreadable, count: count)), to: id)
        case .fetch(let index, let name, let parameters):
            fetch(name, parameters, index, in: id)
        case .sync(let index, let scopeIndex, let sync):
            apply(sync, to: scopeIndex, index, in: id)
        }
    }
}

// MARK: Fetches

extension JetstreamEngine {
    /// Counts a message as received: it is acknowledged, and its effects are stored.
    private mutating func accept(_ index: Int, in id: Int) {
        sessions[id]?.clientIndex = index
        touch(id)
    }

    private mutating func fetch(_ name: String, _ parameters: JSONObject, _ index: Int, in id: Int) {
        guard let info = sessions[id]?.info else { return }
        guard let number = scopeNumber(name) else {
            accept(index, in: id)
            return enqueue(.error(.scopeFetchReply, number: index, JetstreamRefusal("No such scope")), to: id)
        }
        if let name = refusals.fetch.first(where: { parameters[$0]?.lenientFlag == true }) {
            return finishFetch(index, of: number, in: id, refusal: Self.refusal(by: name))
        }
        guard settings.questions.contains(.fetch) else {
            return finishFetch(index, of: number, in: id, refusal: nil)
        }
        let fetch = JetstreamFetch(session: info, scope: name, parameters: parameters)
        let question = ask(.fetch(session: id, index: index, scope: number), .fetch(fetch))
        sessions[id]?.question = question
    }

    mutating func finishFetch(_ index: Int, of number: Int, in id: Int, refusal: JetstreamRefusal?) {
        guard let scopes = sessions[id]?.scopes, let listenerCount = sessions[id]?.listenerCount else { return }
        accept(index, in: id)
        let known = scopes.firstIndex(of: number)
        let isListener = known != nil && !settings.hasOriginalRules
        var refusal = refusal
        if refusal == nil, !isListener, listenerCount >= settings.limits.scopesPerSession {
            refusal = JetstreamRefusal("the session has fetched too many scopes", type: "rejected")
        }
        if refusal == nil, !hosted[number].isReadable { refusal = .unreadableScope }
        if let refusal { return enqueue(.error(.scopeFetchReply, number: index, refusal), to: id) }
        // Serialized only for a fetch that is allowed, because it takes as long as the scope is large.
        let document = document(of: number)
        guard document.bytes.count <= settings.limits.retainedBytes / 2 else {
            // Such a state would end the session, and each following session.
            let refusal = JetstreamRefusal("the scope is too large to be sent", type: "rejected")
            return enqueue(.error(.scopeFetchReply, number: index, refusal), to: id)
        }
        let scopeIndex = known ?? scopes.count
        if known == nil {
            sessions[id]?.scopes.append(number)
            store(.fetched(session: id, scopeIndex: scopeIndex, scope: hosted[number].scope.name))
        }
        if !isListener {
            sessions[id]?.listenerCount += 1
            hosted[number].listeners.append(Listener(session: id, scopeIndex: scopeIndex))
        }
        enqueue(ServerMessage(.scopeFetchReply, number: index, "\"scopeIndex\":\(scopeIndex)"), to: id)
        enqueue(ServerMessage(kind: .scopeState, number: scopeIndex, body: document), to: id)
    }
}

// MARK: Syncs

extension JetstreamEngine {
    private mutating func apply(_ sync: IncomingSync, to scopeIndex: Int, _ index: Int, in id: Int) {
        guard let scopes = sessions[id]?.scopes, let info = sessions[id]?.info else { return }
        guard scopes.indices.contains(scopeIndex) else {
            return enqueue(.replies(to: index, sync.fragments.map { _ in .noScopeIndex }), to: id)
        }
        let number = scopes[scopeIndex]
        // The session has fetched the scope before the store was damaged.
        guard hosted[number].isReadable else {
            return enqueue(.replies(to: index, sync.fragments.map { _ in .unreadableScope }), to: id)
        }
        var check: HostedScope.WriteCheck?
        if let write = settings.write {
            let name = hosted[number].scope.name
            check = { fragment, property, value in
                try write(
                    JetstreamWrite(
                        session: info,
                        scope: name,
                        uuid: fragment.id.uuid,
                        className: fragment.className,
                        isAdd: fragment.isAdd,
                        property: property,
                        value: value
                    )
                )
            }
        }
        let outcome = hosted[number].scope.apply(sync, hasOriginalRules: settings.hasOriginalRules, check: check)
        sessions[id]?.searchSteps += outcome.effects.keptAfterSearch
        store(outcome.effects, of: number)
        if settings.hasOriginalRules || !outcome.accepted.isEmpty {
            broadcast(outcome.accepted, of: number, except: id)
        }
        enqueue(.replies(to: index, outcome.refusals), to: id)
    }
}
