internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumJSON
internal import HeliumServerKit
internal import HeliumWebSocketFraming
internal import Logging
internal import Synchronization

/// Runs an engine: gives it what sockets, closures and the clock bring, and does what it decides.
///
/// With a store, all changes of the events at hand are committed in one transaction before anything that they caused is
/// sent. While a transaction is under way further events are taken in, for the next one.
actor JetstreamHost {
    private struct Client {
        let connection: LiveConnection
        /// The senders of frames that are not worked off, in the order of their frames.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private var engine: JetstreamEngine
    private let authorization: JetstreamAuthorization
    private let store: JetstreamStore?
    private let logger: Logger
    private let clock: any HeliumClock
    /// The engine's time began then.
    private let start: Duration
    private var clients: [Int: Client] = [:]
    /// Actions that are to be done, oldest first.
    private var actions: [JetstreamEngine.Action] = []
    private var isPerforming = false
    /// Callers that wait until what they caused is committed.
    private var settled: [CheckedContinuation<Void, Never>] = []
    private var alarm: (time: Duration, task: Task<Void, Never>)?
    /// The store has failed: nothing may be sent any more.
    private var isBroken = false
    /// The server has stopped: nothing is due any more.
    private var isStopped = false
    /// The number of the last connection.
    private let lastConnection = Guarded(0)

    init(
        _ engine: JetstreamEngine,
        authorization: JetstreamAuthorization,
        store: JetstreamStore?,
        clock: any HeliumClock,
        logger: Logger
    ) {
        self.engine = engine
        self.authorization = authorization
        self.store = store
        self.clock = clock
        start = clock.uptime
        self.logger = logger
    }

    nonisolated func nextConnection() -> Int {
        lastConnection.withLock { number in
            number += 1
            return number
        }
    }
}

// MARK: Sockets

extension JetstreamHost {
    func opened(_ id: Int, _ connection: LiveConnection, _ parameters: JSONObject) {
        guard !isBroken else { return connection.drop() }
        clients[id] = Client(connection: connection)
        handle(.opened(id, parameters: parameters))
    }

    /// Returns when the frame is worked off, so that the next one of the socket is read only then.
    func received(_ bytes: [UInt8], on id: Int) async {
        guard clients[id] != nil, !isBroken else { return }
        await withCheckedContinuation { continuation in
            clients[id]?.waiting.append(continuation)
            handle(.frame(id, bytes))
        }
    }

    func closed(_ id: Int) {
        for sender in clients.removeValue(forKey: id)?.waiting ?? [] { sender.resume() }
        handle(.closed(id))
    }
}

// MARK: Users

extension JetstreamHost {
    var sessionCount: Int { engine.sessionCount }

    func state(of scope: String) -> JSONValue? { engine.state(of: scope) }

    /// Returns when the event and what it causes are done.
    func perform(_ event: JetstreamEngine.Event) async {
        handle(event)
        await settle()
    }

    /// - Throws: ``JetstreamRefusal`` if there is no such scope, or the store has failed.
    func update(_ scope: String, _ query: JSONObject, _ operators: JSONObject) async throws -> JetstreamUpdateResult {
        guard !isBroken else { throw JetstreamRefusal("the store has failed") }
        guard let (result, actions) = engine.update(scope, query, operators, at: clock.uptime - start) else {
            throw JetstreamRefusal("there is no scope \"\(scope.excerpt(64))\"")
        }
        take(actions)
        await settle()
        if isBroken { throw JetstreamRefusal("the store has failed") }
        return result
    }

    private func settle() async {
        guard isPerforming else { return }
        await withCheckedContinuation { settled.append($0) }
    }
}

// MARK: The engine

extension JetstreamHost {
    private func handle(_ event: JetstreamEngine.Event) {
        guard !isBroken else { return }
        take(engine.handle(event, at: clock.uptime - start))
    }

    /// Does actions, or leaves them to whoever is committing others.
    private func take(_ new: [JetstreamEngine.Action]) {
        setAlarm()
        guard store != nil else { return perform(new) }
        actions += new
        guard !isPerforming, !actions.isEmpty else { return }
        isPerforming = true
        Task { await performAll() }
    }

    private func performAll() async {
        while !actions.isEmpty, !isBroken {
            let batch = actions
            actions = []
            let changes = batch.compactMap { action -> StoreChange? in
                if case .store(let change) = action { change } else { nil }
            }
            do {
                if !changes.isEmpty { try await store?.write(changes) }
                perform(batch)
            } catch {
                fail(error)
            }
        }
        isPerforming = false
        for caller in settled { caller.resume() }
        settled = []
    }

    /// The store has failed: what was decided must not be seen, so that all sockets end.
    private func fail(_ error: any Error) {
        logger.critical("The store of Jetstream has failed", metadata: ["error": "\(error)"])
        isBroken = true
        actions = []
        for id in clients.keys.sorted() {
            clients[id]?.connection.drop()
            for sender in clients[id]?.waiting ?? [] { sender.resume() }
        }
        clients = [:]
    }

    private func perform(_ actions: [JetstreamEngine.Action]) {
        for action in actions {
            switch action {
            case .send(let id, let frame):
                // What is closed already need not be put together.
                if let connection = clients[id]?.connection, connection.isOpen { connection.push(frame.bytes) }
            case .close(let id, let code, let reason):
                clients[id]?.connection.close(code: code, reason: reason)
            case .drop(let id):
                clients[id]?.connection.drop()
            case .received(let id):
                if clients[id]?.waiting.isEmpty == false { clients[id]?.waiting.removeFirst().resume() }
            case .authenticated(let id):
                if let connection = clients[id]?.connection, !connection.authenticate() {
                    connection.close(code: CloseCode.tryAgainLater, reason: "there are too many connections")
                }
            case .ask(let id, let question):
                Task { await ask(id, question) }
            case .store:
                break
            }
        }
    }

    private func ask(_ id: Int, _ question: JetstreamEngine.Question) async {
        var refusal: JetstreamRefusal?
        do {
            switch question {
            case .connection(let parameters): try await authorization.connection?(parameters)
            case .session(let session): try await authorization.session?(session)
            case .fetch(let fetch): try await authorization.fetch?(fetch)
            }
        } catch {
            refusal = JetstreamRefusal(error)
        }
        handle(.decided(id, refusal))
    }
}

// MARK: Time

extension JetstreamHost {
    private func setAlarm() {
        guard !isStopped, let deadline = engine.deadline else { return }
        if let alarm, alarm.time <= deadline { return }
        alarm?.task.cancel()
        let time = start + deadline
        alarm = (
            deadline,
            Task { [weak self, clock] in
                try? await clock.waitForDeadline(at: time)
                if !Task.isCancelled { await self?.ring() }
            }
        )
    }

    private func ring() {
        alarm = nil
        handle(.timer)
        setAlarm()
    }

    /// Ends the waiting for what is due.
    func stop() {
        alarm?.task.cancel()
        alarm = nil
        isStopped = true
    }
}

/// The state with which one socket is served.
struct JetstreamLiveSession: LiveSession {
    let host: JetstreamHost
    let id: Int
    let parameters: JSONObject

    func opened(on client: LiveConnection) async { await host.opened(id, client, parameters) }

    func received(_ bytes: [UInt8], on client: LiveConnection) async { await host.received(bytes, on: id) }

    func broken(_ reason: String, on client: LiveConnection) {}

    func closed(_ client: LiveConnection) {
        Task { await host.closed(id) }
    }
}
