package import HeliumCore
package import HeliumJSON

/// The decisions of a Jetstream server, without I/O: events and the time go in, actions come out (Jetstream.md §5, §7).
///
/// It has one owner, which gives it an event at a time and does the actions in their order. Nothing that it sends depends on
/// the order of a dictionary.
package struct JetstreamEngine: Sendable {
    let settings: Settings
    let schema: Schema
    let refusals: ScopeFile.Refusals
    let random: RandomSource
    /// The beginning of this engine's tokens, which tokens of another store do not have.
    let epoch: String
    var hosted: [Hosted] = []
    private var scopeNumbers: [ByteText: Int] = [:]
    var connections: [Int: Connection] = [:]
    var sessions: [Int: Session] = [:]
    var tokens: [ByteText: Int] = [:]
    var questions: [Int: Pending] = [:]
    var timers = TimerQueue<Timer>()
    var actions: [Action] = []
    /// Sessions whose counters are to be stored.
    private var dirty: [Int] = []
    private var lastQuestion = 0
    private var lastSession = 0
    private var lastBody = 0
    var now: Duration = .zero
    /// The number of messages that came again and were dropped.
    package internal(set) var duplicateCount = 0

    /// An engine with the initial trees of a scope file, or with what a store has kept.
    ///
    /// - Throws: ``ScopeFileError`` if the file cannot be used.
    package init(
        _ file: ScopeFile,
        settings: Settings = Settings(),
        random: RandomSource,
        restoring state: StoredState = StoredState()
    ) throws {
        self.settings = settings
        self.random = random
        schema = try Schema(file, readsMilliseconds: settings.hasOriginalRules)
        refusals = file.refusals
        epoch = state.epoch ?? SessionToken.epoch(random)
        var limits = ScopeLimits()
        limits.objects = settings.limits.objectsPerScope
        limits.bytes = settings.limits.bytesPerScope
        for definition in file.scopes {
            let scope: HostedScope
            if let stored = state.scopes[definition.name] {
                scope = try HostedScope(definition, schema: schema, limits: limits, restoring: stored)
            } else {
                scope = try HostedScope(definition, schema: schema, random: random, limits: limits)
            }
            scopeNumbers[definition.name] = hosted.count
            hosted.append(Hosted(scope: scope))
        }
        restore(state)
    }

    /// The time at which ``Event/timer`` is due; `nil` if nothing is.
    package var deadline: Duration? { timers.next }

    /// The names of the scopes, in the order of the file.
    package var scopeNames: [String] { hosted.map(\.scope.name) }

    /// The number of objects that a scope holds; `nil` if there is no such scope.
    package func objectCount(in scope: String) -> Int? { scopeNumbers[scope].map { hosted[$0].scope.graph.count } }

    /// The number of sessions, connected or not.
    package var sessionCount: Int { sessions.count }

    /// Handles an event.
    ///
    /// - Parameter now: The time on a clock that never goes back. An earlier time than before counts as the one before.
    /// - Returns: What is to be done, in order.
    package mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        self.now = max(now, self.now)
        switch event {
        case .opened(let connection, let parameters): opened(connection, parameters)
        case .frame(let connection, let bytes): received(bytes, on: connection)
        case .closed(let connection): closed(connection)
        case .timer: break
        case .decided(let question, let refusal): decided(question, refusal)
        case .dropSockets:
            for connection in connections.keys.sorted() { actions.append(.drop(connection)) }
        case .expireSessions:
            for session in sessions.keys.sorted() { end(session) }
        }
        fireTimers()
        return takeActions()
    }

    /// Changes an object from the server's side, for all sessions (Jetstream.md §5.6).
    ///
    /// - Parameters:
    ///   - scope: The scope's name.
    ///   - query: `$uuid` and `$cls` of the object; empty for the root.
    ///   - operators: `$set`, `$push`, `$pull` and `$addToSet`, each with values by path.
    /// - Returns: The result and what is to be done; `nil` if there is no such scope.
    package mutating func update(
        _ scope: String,
        _ query: JSONObject,
        _ operators: JSONObject,
        at now: Duration
    ) -> (JetstreamUpdateResult, [Action])? {
        guard let number = scopeNumbers[scope] else { return nil }
        self.now = max(now, self.now)
        let (result, fragments, effects) = hosted[number].scope.update(query, operators, random: random)
        store(effects, of: number)
        if !fragments.isEmpty { broadcast(fragments, of: number, except: nil) }
        fireTimers()
        return (result, takeActions())
    }

    /// The members of a ScopeState as JSON: `rootUUID` and `fragments`; `nil` if there is no such scope.
    package mutating func state(of scope: String) -> JSONValue? {
        guard let number = scopeNumbers[scope] else { return nil }
        let body = document(of: number)
        return try? JSONValue(parsing: [UInt8(ascii: "{")] + body.bytes + [UInt8(ascii: "}")])
    }

    private mutating func takeActions() -> [Action] {
        for id in dirty {
            guard let session = sessions[id] else { continue }
            sessions[id]?.isDirty = false
            actions.append(
                .store(.counters(session: id, client: session.clientIndex, server: session.serverIndex))
            )
        }
        dirty = []
        defer { actions = [] }
        return actions
    }
}

// MARK: Numbers

extension JetstreamEngine {
    mutating func nextSession() -> Int {
        lastSession += 1
        return lastSession
    }

    /// The number of a new body that the store may keep.
    mutating func nextBody() -> Int {
        lastBody += 1
        return lastBody
    }

    mutating func ask(_ pending: Pending, _ question: Question) -> Int {
        lastQuestion += 1
        questions[lastQuestion] = pending
        actions.append(.ask(lastQuestion, question))
        return lastQuestion
    }

    func scopeNumber(_ name: String) -> Int? { scopeNumbers[name] }

    /// The document of a scope's state.
    mutating func document(of scope: Int) -> ServerMessage.Body {
        var last = lastBody
        let body = hosted[scope].scope.stateDocument {
            last += 1
            return last
        }
        lastBody = last
        return body
    }
}

// MARK: Storing

extension JetstreamEngine {
    mutating func store(_ change: StoreChange) {
        if settings.isPersistent { actions.append(.store(change)) }
    }

    /// Notes that a session's counters have changed.
    mutating func touch(_ id: Int) {
        guard settings.isPersistent, sessions[id]?.isDirty == false else { return }
        sessions[id]?.isDirty = true
        dirty.append(id)
    }

    mutating func store(_ effects: HostedScope.Effects, of number: Int) {
        guard settings.isPersistent else { return }
        let scope = hosted[number].scope
        for id in effects.removed { store(.removeObject(scope: scope.name, id)) }
        for handle in effects.created {
            let fragment = scope.fragment(of: handle, isAdd: true)
            store(.addObject(scope: scope.name, fragment.id, className: fragment.className, fragment.properties))
        }
        for (handle, slots) in effects.changed {
            let fragment = scope.fragment(of: handle, isAdd: false, slots: slots)
            store(.setProperties(scope: scope.name, fragment.id, fragment.properties))
        }
    }

    private mutating func restore(_ state: StoredState) {
        lastBody = state.lastBody
        for stored in state.sessions {
            let id = stored.info.id
            lastSession = max(lastSession, id)
            var session = Session(info: stored.info, token: stored.token, lastSeen: .zero)
            session.clientIndex = stored.clientIndex
            session.serverIndex = stored.serverIndex
            session.sentIndex = stored.serverIndex
            session.retained = RetainedMessages(stored.retained)
            var isComplete = true
            for name in stored.scopes {
                guard let number = scopeNumbers[name] else {
                    isComplete = false
                    break
                }
                hosted[number].listeners.append(Listener(session: id, scopeIndex: session.scopes.count))
                session.scopes.append(number)
                session.listenerCount += 1
            }
            // A session with a scope that the file has no more cannot go on.
            guard isComplete else {
                for number in hosted.indices { hosted[number].listeners.removeAll { $0.session == id } }
                store(.removeSession(id))
                continue
            }
            sessions[id] = session
            tokens[stored.token] = id
            timers.insert(.expiry(session: id), at: settings.limits.expiry)
        }
        lastSession = max(lastSession, state.lastSession)
        if settings.isPersistent { storeInitialTrees(state) }
    }

    /// Stores the scopes that the store did not have. The actions come with the first event.
    private mutating func storeInitialTrees(_ state: StoredState) {
        for number in hosted.indices where state.scopes[hosted[number].scope.name] == nil {
            let scope = hosted[number].scope
            for fragment in scope.allFragments() {
                store(.addObject(scope: scope.name, fragment.id, className: fragment.className, fragment.properties))
            }
        }
    }
}
