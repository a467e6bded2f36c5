internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumJSON
internal import HeliumServerKit
internal import HeliumWebSocketFraming
internal import Logging
internal import Synchronization

/// Runs an engine: passes it events from sockets, closures and the clock, and takes its actions.
///
/// With a store, all changes of the current events are committed in one transaction before any message caused by them
/// is sent. Events that arrive during a transaction are collected for the next one.
///
/// If a commit fails, the engine knows decisions that are not in the store. The sockets are dropped, and a new engine
/// is created from the store, as after a crash. Clients resume their sessions when the store can be written again.
actor JetstreamHost {
    private struct Client {
        let connection: LiveConnection
        /// The senders of unprocessed frames, in the order of the frames.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    var engine: JetstreamEngine
    private let authorization: JetstreamAuthorization
    let store: (tables: JetstreamStore, makeEngine: JetstreamStore.EngineFactory)?
    let logger: Logger
    let clock: any HeliumClock
    /// The time at which the engine's time is zero.
    var start: Duration
    private var clients: [Int: Client] = [:]
    /// The pending actions, oldest first.
    private var actions: [JetstreamEngine.Action] = []
    private var isPerforming = false
    /// The callers that wait until the pending actions are taken. The result is whether their changes are committed.
    private var settled: [CheckedContinuation<Bool, Never>] = []
    private var alarm: (time: Duration, task: Task<Void, Never>)?
    /// The failure of the store, until the engine was created again. Nothing may be sent meanwhile.
    var fault: StoreFault?
    /// The number of failures of the store. Decisions that were requested before a failure are ignored.
    private var generation = 0
    /// The delays before attempts to recover from failures.
    var recovery = StoreRecovery()
    var recovering: Task<Void, Never>?
    /// The first changes of the engine that was created again; `nil` if it was not yet.
    var firstChanges: [StoreChange]?
    /// Settled with an error when the store cannot be used any more.
    let end = Signal<Void>()
    /// Whether the server has stopped. No timers are handled afterwards.
    private(set) var isStopped = false
    /// The number of the last connection.
    private let lastConnection = Guarded(0)

    init(
        _ engine: JetstreamEngine,
        authorization: JetstreamAuthorization,
        store: (tables: JetstreamStore, makeEngine: JetstreamStore.EngineFactory)?,
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
        guard fault == nil else {
            return connection.close(code: CloseCode.tryAgainLater, reason: "the store has failed: try again later")
        }
        clients[id] = Client(connection: connection)
        let client = AddressShare.client(of: connection.address)
        handle(.opened(id, parameters: parameters, client: client) { connection.authenticate() })
    }

    /// Returns when the frame was processed, so that the socket's next frame is only read then.
    func received(_ bytes: [UInt8], on id: Int) async {
        guard clients[id] != nil, fault == nil else { return }
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

    /// Returns when the event and its effects have been processed.
    func perform(_ event: JetstreamEngine.Event) async {
        handle(event)
        _ = await settle()
    }

    /// Changes an object of a scope.
    ///
    /// - Throws: ``JetstreamRefusal`` if there is no such scope, if it cannot be read, or if the store failed.
    func update(_ scope: String, _ query: JSONObject, _ operators: JSONObject) async throws -> JetstreamUpdateResult {
        if let fault { throw Self.refusal(by: fault) }
        guard let (result, actions) = engine.update(scope, query, operators, at: clock.uptime - start) else {
            if engine.scopeNumber(scope) != nil { throw JetstreamRefusal.unreadableScope }
            throw JetstreamRefusal("there is no scope \"\(scope.excerpt(64))\"")
        }
        take(actions)
        guard await settle() else { throw fault.map(Self.refusal(by:)) ?? JetstreamRefusal(Self.storeFailed) }
        return result
    }

    /// Waits until the pending actions are taken.
    ///
    /// - Returns: Whether their changes are committed.
    private func settle() async -> Bool {
        guard isPerforming else { return true }
        return await withCheckedContinuation { settled.append($0) }
    }
}

// MARK: The engine

extension JetstreamHost {
    private func handle(_ event: JetstreamEngine.Event) {
        guard fault == nil else { return }
        take(engine.handle(event, at: clock.uptime - start))
    }

    /// Takes actions, or queues them if a commit is in progress.
    private func take(_ new: [JetstreamEngine.Action]) {
        setAlarm()
        guard store != nil else { return perform(new) }
        actions += new
        guard !isPerforming, !actions.isEmpty else { return }
        isPerforming = true
        Task { await performAll() }
    }

    private func performAll() async {
        while !actions.isEmpty, fault == nil {
            let (batch, callers) = (actions, settled)
            (actions, settled) = ([], [])
            let changes = batch.compactMap(\.storeChange)
            do {
                if !changes.isEmpty { try await store?.tables.write(changes) }
                perform(batch)
                for caller in callers { caller.resume(returning: true) }
            } catch {
                fail(StoreFault(error))
                for caller in callers { caller.resume(returning: false) }
            }
        }
        isPerforming = false
        for caller in settled { caller.resume(returning: fault == nil) }
        settled = []
    }

    /// Handles a failure of the store. All sockets are dropped, because uncommitted decisions must not become visible.
    private func fail(_ fault: StoreFault) {
        self.fault = fault
        firstChanges = nil
        generation += 1
        actions = []
        alarm?.task.cancel()
        alarm = nil
        for id in clients.keys.sorted() {
            clients[id]?.connection.drop()
            for sender in clients[id]?.waiting ?? [] { sender.resume() }
        }
        clients = [:]
        beginRecovery()
    }

    private func perform(_ actions: [JetstreamEngine.Action]) {
        for action in actions {
            switch action {
            case .send(let id, let frame):
                // Frames for a closed connection need not be assembled.
                if let connection = clients[id]?.connection, connection.isOpen { connection.push(frame.bytes) }
            case .close(let id, let code, let reason):
                clients[id]?.connection.close(code: code, reason: reason)
            case .drop(let id):
                clients[id]?.connection.drop()
            case .received(let id):
                if clients[id]?.waiting.isEmpty == false { clients[id]?.waiting.removeFirst().resume() }
            case .ask(let id, let question):
                Task { [generation] in await ask(id, question, generation) }
            case .store:
                break
            }
        }
    }

    private func ask(_ id: Int, _ question: JetstreamEngine.Question, _ asked: Int) async {
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
        // The number of a question may be used again by the engine that was created after a failure.
        if asked == generation { handle(.decided(id, refusal)) }
    }
}

// MARK: Time

extension JetstreamHost {
    func setAlarm() {
        guard !isStopped, fault == nil, let deadline = engine.deadline else { return }
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

    /// Cancels the timer and the recovery.
    func stop() {
        recovering?.cancel()
        recovering = nil
        alarm?.task.cancel()
        alarm = nil
        isStopped = true
    }
}

/// The state for serving one socket.
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
