package import HeliumCore
package import HeliumJSON
internal import HeliumServerKit

/// The state machine of a Jetstream server, without I/O: it takes events and the time and returns actions
/// (Docs/Protocols/Jetstream.md §5, §7).
///
/// It has one owner, which passes one event at a time and takes the actions in order. Nothing that it sends depends on
/// the order of a dictionary.
package struct JetstreamEngine: Sendable {
    let settings: Settings
    let schema: Schema
    let refusals: ScopeFile.Refusals
    let random: RandomSource
    /// The prefix of this engine's tokens, which distinguishes them from those of another store.
    let epoch: String
    var hosted: [Hosted] = []
    private var scopeNumbers: [ByteText: Int] = [:]
    var connections: [Int: Connection] = [:]
    var sessions: [Int: Session] = [:]
    /// The memory of the unacknowledged messages of all sessions.
    var retainedTotal = RetainedTotal()
    var tokens: [ByteText: Int] = [:]
    /// The sessions by client.
    var shares: AddressShare
    /// The sessions that can be ended to make room.
    var idle = IdleSessions()
    var questions: [Int: Pending] = [:]
    var timers = TimerQueue<Timer>()
    var actions: [Action] = []
    /// The sessions whose counters must be stored.
    private var dirty: [Int] = []
    private var lastQuestion = 0
    /// The number of the last session, also if that session was not created.
    private(set) var lastSession = 0
    private var lastBody = 0
    var now: Duration = .zero
    /// The number of duplicate messages that were dropped.
    package internal(set) var duplicateCount = 0
    /// The number of states that were serialized.
    package private(set) var serializationCount = 0

    /// Creates an engine with the initial trees of a scope file, or with stored state.
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
        shares = AddressShare(
            settings.limits.sessionsPerAddress,
            of: settings.limits.sessions,
            part: settings.sharePerAddress
        )
        schema = try Schema(file, hasOriginalRules: settings.hasOriginalRules)
        refusals = file.refusals
        epoch = state.epoch ?? SessionToken.epoch(random)
        var limits = ScopeLimits()
        limits.objects = settings.limits.objectsPerScope
        limits.bytes = settings.limits.bytesPerScope
        for definition in file.scopes {
            let scope: HostedScope
            let fault = state.rootFault(of: definition)
            if fault != nil {
                scope = try HostedScope(
                    name: definition.name,
                    schema: schema,
                    rootClass: HostedScope.rootClass(of: definition, schema),
                    limits: limits
                )
            } else if let stored = state.scopes[definition.name] {
                scope = try HostedScope(definition, schema: schema, limits: limits, restoring: stored)
            } else {
                scope = try HostedScope(definition, schema: schema, random: random, limits: limits)
            }
            scopeNumbers[definition.name] = hosted.count
            hosted.append(Hosted(scope: scope, fault: fault))
        }
        restore(state)
    }

    /// The time at which ``Event/timer`` is due; `nil` if no timer is set.
    package var deadline: Duration? { timers.next }

    /// The names of the scopes, in the order of the file.
    package var scopeNames: [String] { hosted.map(\.scope.name) }

    /// The names of the scopes that are not served, each with the reason.
    var unservedScopes: [(name: String, fault: StoredRootFault)] {
        hosted.compactMap { hosted in hosted.fault.map { (hosted.scope.name, $0) } }
    }

    /// Returns the number of objects in a scope; `nil` if there is no such scope.
    package func objectCount(in scope: String) -> Int? { scopeNumbers[scope].map { hosted[$0].scope.graph.count } }

    /// The number of sessions, connected or not.
    package var sessionCount: Int { sessions.count }

    /// Handles an event.
    ///
    /// - Parameter now: The time of a monotonic clock. A time before the previous one counts as the previous one.
    /// - Returns: The actions to take, in order.
    package mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        self.now = max(now, self.now)
        switch event {
        case .opened(let connection, let parameters, let client, let authenticate):
            opened(connection, Connection(parameters: parameters, client: client, authenticate: authenticate))
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

    /// Changes an object on the server's side, for all sessions (Docs/Protocols/Jetstream.md §5.6).
    ///
    /// - Parameters:
    ///   - scope: The name of the scope.
    ///   - query: `$uuid` and `$cls` of the object; empty for the root.
    ///   - operators: `$set`, `$push`, `$pull` and `$addToSet`, each with values by path.
    /// - Returns: The result and the actions to take; `nil` if there is no such scope, or if it is not served.
    package mutating func update(
        _ scope: String,
        _ query: JSONObject,
        _ operators: JSONObject,
        at now: Duration
    ) -> (JetstreamUpdateResult, [Action])? {
        guard let number = readableScopeNumber(scope) else { return nil }
        self.now = max(now, self.now)
        let (result, fragments, effects) = hosted[number].scope.update(query, operators, random: random)
        store(effects, of: number)
        if !fragments.isEmpty { broadcast(fragments, of: number, except: nil) }
        fireTimers()
        return (result, takeActions())
    }

    /// Returns the members of a ScopeState as JSON: `rootUUID` and `fragments`; `nil` if there is no such scope, or if it
    /// cannot be read.
    package mutating func state(of scope: String) -> JSONValue? {
        guard let number = readableScopeNumber(scope) else { return nil }
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

    /// Returns a number for a new body that the store may keep.
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

    /// Returns the number of a scope that is served; `nil` for others.
    func readableScopeNumber(_ name: String) -> Int? {
        scopeNumbers[name].flatMap { hosted[$0].isReadable ? $0 : nil }
    }

    /// Returns the document of a scope's state.
    mutating func document(of scope: Int) -> ServerMessage.Body {
        var last = lastBody
        let body = hosted[scope].scope.stateDocument {
            last += 1
            return last
        }
        if last > lastBody { serializationCount += 1 }
        lastBody = last
        return body
    }
}

// MARK: Storing

extension JetstreamEngine {
    mutating func store(_ change: StoreChange) {
        if settings.isPersistent { actions.append(.store(change)) }
    }

    /// Records that a session's counters have changed.
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
            session.client = stored.client
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
            // A session cannot continue if the file no longer contains one of its scopes.
            guard isComplete else {
                for number in hosted.indices { hosted[number].listeners.removeAll { $0.session == id } }
                store(.removeSession(id))
                continue
            }
            sessions[id] = session
            shares.add(session.client)
            for message in stored.retained { retainedTotal.add(message) }
            tokens[stored.token] = id
            noteIdle(id)
            timers.insert(.expiry(session: id), at: settings.limits.expiry)
        }
        lastSession = max(lastSession, state.lastSession)
        if settings.isPersistent { storeInitialTrees(state) }
    }

    /// Stores the scopes that are not in the store. The actions are returned with the first event. The rows of a scope
    /// that cannot be read stay as they are.
    private mutating func storeInitialTrees(_ state: StoredState) {
        for hosted in hosted where hosted.isReadable && state.scopes[hosted.scope.name] == nil {
            let scope = hosted.scope
            for fragment in scope.allFragments() {
                store(.addObject(scope: scope.name, fragment.id, className: fragment.className, fragment.properties))
            }
        }
    }
}
