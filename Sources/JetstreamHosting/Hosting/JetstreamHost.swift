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
actor JetstreamHost {
    private struct Client {
        let connection: LiveConnection
        /// The senders of unprocessed frames, in the order of the frames.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private var engine: JetstreamEngine
    private let authorization: JetstreamAuthorization
    private let store: JetstreamStore?
    private let logger: Logger
    private let clock: any HeliumClock
    /// The time at which the engine's time is zero.
    private let start: Duration
    private var clients: [Int: Client] = [:]
    /// The pending actions, oldest first.
    private var actions: [JetstreamEngine.Action] = []
    private var isPerforming = false
    /// The callers that wait until their changes are committed.
    private var settled: [CheckedContinuation<Void, Never>] = []
    private var alarm: (time: Duration, task: Task<Void, Never>)?
    /// Whether the store has failed. Nothing may be sent afterwards.
    private var isBroken = false
    /// Whether the server has stopped. No timers are handled afterwards.
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

    /// Returns when the frame was processed, so that the socket's next frame is only read then.
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

    /// Returns when the event and its effects have been processed.
    func perform(_ event: JetstreamEngine.Event) async {
        handle(event)
        await settle()
    }

    /// Changes an object of a scope.
    ///
    /// - Throws: ``JetstreamRefusal`` if there is no such scope, or if the store failed.
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

    /// Handles a failure of the store. All sockets are dropped, because uncommitted decisions must not become visible.
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
                // Frames for a closed connection need not be assembled.
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

    /// Cancels the timer.
    func stop() {
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
