import Foundation
import HeliumCore
import HeliumJSON
import JetstreamCore
import JetstreamHosting

/// The server: an engine, a store that outlives it, and the ends of the sockets. It does the engine's actions as
/// `JetstreamHost` does: after the commit of the changes that came with them.
final class SimulatedServer {
    private unowned let world: SyncWorld
    private let random: RandomSource
    private let file: ScopeFile
    private var engine: JetstreamEngine?
    /// The time at which the engine's process started.
    private var start: Duration = .zero
    private var disk: StoredState
    /// Actions that wait for a commit.
    private var actions: [JetstreamEngine.Action] = []
    private var isCommitting = false
    private var sockets: [Int: SimulatedSocket] = [:]
    /// The frame of each socket that the engine works on, and those that wait behind it.
    private var waiting: [Int: [String]] = [:]
    private var lastSocket = 0
    /// The sockets that wait to be let in, by the questions about them.
    private var asking: [Int: Int] = [:]
    /// The share of refusals among the answers to each kind of question, as one in so many; `nil` for none.
    private var refusals: (connection: Int?, session: Int?, fetch: Int?) = (40, 30, 12)

    init(_ world: SyncWorld) throws {
        self.world = world
        random = world.simulation.random("server")
        file = try ScopeFile(parsing: Data(Self.scopes.utf8))
        disk = StoredState()
        try begin()
    }

    var isUp: Bool { engine != nil }

    /// The time at which the engine has to be called next.
    var deadline: Duration? { engine?.deadline.map { start + $0 } }

    /// The state that a client would get now; `nil` while there is no server.
    var state: JSONValue? { engine?.state(of: SyncWorld.scope) }

    /// Whether nothing waits for a commit or another frame.
    var isQuiet: Bool { isUp && actions.isEmpty && waiting.values.allSatisfy(\.isEmpty) }

    private func begin() throws {
        start = world.now
        var settings = JetstreamEngine.Settings()
        settings.isPersistent = true
        settings.questions = [.connection, .session, .fetch]
        settings.write = { write in if WriteRule.refuses(write.value) { throw JetstreamRefusal("may not be written") } }
        var engine = try JetstreamEngine(file, settings: settings, random: random, restoring: disk)
        if !world.ledger.hasStore { disk = StoredState(of: engine) }
        store(engine.handle(.timer, at: .zero))
        world.ledger.hasStore = true
        self.engine = engine
    }
}

/// The values that clients may not write.
enum WriteRule {
    static func refuses(_ value: JSONValue) -> Bool {
        guard let token = Document.token(of: value) else { return false }
        return token > 0 && token % 13 == 0
    }
}

// MARK: The engine

extension SimulatedServer {
    private func handle(_ event: JetstreamEngine.Event) {
        let duplicates = engine?.duplicateCount ?? 0
        guard let new = engine?.handle(event, at: world.now - start) else { return }
        for _ in duplicates..<(engine?.duplicateCount ?? 0) { world.count(.duplicateForServer) }
        if case .opened(let socket, _, _, _) = event {
            for case .ask(let question, .connection) in new { asking[question] = socket }
        }
        take(new)
    }

    private func take(_ new: [JetstreamEngine.Action]) {
        actions += new
        guard !isCommitting, !actions.isEmpty else { return }
        isCommitting = true
        let process = start
        world.after(world.delay(0...6)) { [unowned self] in
            guard isUp, start == process else { return }
            isCommitting = false
            commit(performing: true)
        }
    }

    private func commit(performing: Bool) {
        let batch = actions
        actions = []
        store(batch)
        guard performing else { return }
        for action in batch { perform(action) }
    }

    private func store(_ batch: [JetstreamEngine.Action]) {
        for case .store(let change) in batch {
            disk.apply(change)
            world.ledger.committed(change, in: world)
        }
    }

    private func perform(_ action: JetstreamEngine.Action) {
        switch action {
        case .send(let number, let frame):
            let text = world.changingFrame(String(decoding: frame.bytes, as: UTF8.self))
            world.note("server sends on \(number): \(text)")
            if text.contains(#""resendMissing":true},{"#) { world.count(.redeliveredByServer) }
            sockets[number]?.sendDown(.frame(text))
        case .close(let number, let code, let reason):
            world.note("server closes \(number): \(code) \(reason)")
            sockets[number]?.sendDown(.close(.init(code: Int(code), reason: reason)))
        case .drop(let number): sockets[number]?.breakOff()
        case .received(let number):
            guard waiting[number]?.isEmpty == false else { return }
            waiting[number]?.removeFirst()
            if let next = waiting[number]?.first { handle(.frame(number, Array(next.utf8))) }
        case .store: break
        case .ask(let number, let question): ask(number, question)
        }
    }

    private func ask(_ number: Int, _ question: JetstreamEngine.Question) {
        let (share, kind): (Int?, Kind) =
            switch question {
            case .connection: (refusals.connection, .connectionRefused)
            case .session: (refusals.session, .sessionRefused)
            case .fetch: (refusals.fetch, .fetchRefused)
            }
        let isRefused = share.map { world.random.below($0) == 0 } ?? false
        // The answer to a connection's question may end its session.
        let (process, socket) = (start, asking.removeValue(forKey: number))
        world.after(world.delay(0...40)) { [unowned self] in
            guard isUp, start == process else { return }
            if isRefused { world.count(kind) }
            if isRefused, let socket { sockets[socket]?.isRefused = true }
            world.note("server decides \(number): \(isRefused ? "\(kind)" : "yes")")
            handle(.decided(number, isRefused ? JetstreamRefusal("not now", type: "rejected") : nil))
        }
    }

    /// Tells the engine the time, if that is due.
    func fireTimers() {
        guard let deadline, deadline <= world.now else { return }
        handle(.timer)
    }
}

// MARK: Sockets

extension SimulatedServer: SimulatedSocket.Server {
    /// Takes a connection. Returns `nil` if there is no server.
    func accept(_ process: ClientProcess, token: String?) -> SimulatedSocket? {
        guard isUp else { return nil }
        lastSocket += 1
        let socket = SimulatedSocket(lastSocket, client: process, server: self, in: world)
        sockets[lastSocket] = socket
        handle(.opened(lastSocket, parameters: token.map { ["sessiontoken": .string($0)] } ?? [:]))
        return socket
    }

    func arrived(_ frame: String, on number: Int) {
        guard isUp, sockets[number] != nil else { return }
        waiting[number, default: []].append(frame)
        if waiting[number]?.count == 1 { handle(.frame(number, Array(frame.utf8))) }
    }

    func ended(_ number: Int) {
        sockets[number] = nil
        waiting[number] = nil
        handle(.closed(number))
    }
}

// MARK: Faults and updates

extension SimulatedServer {
    /// Ends the process, and starts another a while later.
    ///
    /// - Parameters:
    ///   - committing: Whether the last batch is committed and then nothing of it is done.
    ///   - losesStore: Whether the next one has a new store.
    func kill(committing: Bool, losesStore: Bool) {
        guard isUp else { return }
        world.note("server killed")
        if committing { commit(performing: false) }
        engine = nil
        actions = []
        isCommitting = false
        waiting = [:]
        asking = [:]
        for number in sockets.keys.sorted() { sockets[number]?.serverDied() }
        sockets = [:]
        world.after(world.delay(50...6000)) { [unowned self] in
            world.note("server starts")
            if losesStore {
                disk = StoredState()
                world.ledger.loseStore()
            }
            do { try begin() } catch { world.fail("the server can't start: \(error)") }
        }
    }

    func expireSessions() {
        world.note("sessions expire")
        handle(.expireSessions)
    }

    /// Ends all refusals.
    func heal() { refusals = (nil, nil, nil) }

    func update(_ query: JSONObject, _ operators: JSONObject) {
        guard let (result, new) = engine?.update(SyncWorld.scope, query, operators, at: world.now - start) else {
            return
        }
        world.note("server updates \(operators): \(result.writeErrors)")
        take(new)
    }

    private static let scopes = """
        {"classes": {
           "Folder": {
             "properties": {"note": "string", "cursor": "number", "folders": ["Folder"], "link": "Folder",
                            "canvases": ["Canvas"], "favorite": "Folder", "target": "Folder"},
             "procedures": {"rename": [{"type": "change", "class": "Folder", "properties": {"note": "$new"},
                                        "additional": false}]}},
           "Canvas": {
             "properties": {"name": "string", "shapes": ["Shape"], "selected": "Shape"},
             "procedures": {"draw": [{"type": "change", "class": "Canvas", "properties": {"shapes": "$insert"},
                                      "additional": false},
                                     {"type": "add", "class": "Shape", "additional": true}]}},
           "Shape": {"properties": {"x": "number", "y": "number", "color": "number"}}},
         "scopes": {"Desk": {"root": "Folder", "initial": {
             "note": "t0", "canvases": [{"name": "t0", "shapes": [{"x": 0}, {"y": 0}]}, {"name": "t0"}],
             "folders": [{"note": "t0"}]}}}}
        """
}
