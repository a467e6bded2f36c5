import HeliumJSON
import JetstreamCore

/// One run of a client's app: the machine with one document. It does the machine's actions as `ClientCore` and
/// `ConnectionKeeper` do.
final class ClientProcess {
    let name: String
    private unowned let client: SimulatedClient
    private unowned let world: SyncWorld
    private var machine: ConnectionMachine
    private(set) var document: Document?
    private(set) var socket: SimulatedSocket?
    /// The token of the stored session.
    private let restoredToken: String?
    /// The token of the last session.
    private var lastToken: String?
    private var isAlive = true
    private(set) var hasEnded = false
    private var isConnecting = false
    private var scopeCount = 0
    private var changesCount = 0
    /// The sets of this process.
    private var records: [ChangeLedger.Record] = []

    /// Frames for the socket.
    private var outbound: [String] = []
    private var isWriting = false
    private var isStoreBehind = false
    /// The items that arrived on the socket and were not read.
    private var inbound: [SimulatedSocket.Item] = []
    /// Deliveries that the document has not taken.
    private var inbox: [(document: Document, delivery: ScopeDelivery)] = []
    private var isTaking = false
    private var isReadingPaused = false
    /// The deliveries from which on nothing is read.
    private static let inboxLimit = 6

    /// The sockets in a row that broke before anything came.
    private var silentSockets = 0
    private var hasHeard = false
    /// Whether the socket was opened with a token.
    private var isResuming = false
    /// Whether the server has refused the last socket.
    private var isRefused = false

    init(_ name: String, of client: SimulatedClient, in world: SyncWorld) {
        self.name = name
        self.client = client
        self.world = world
        restoredToken = client.stored?.token
        lastToken = restoredToken
        var settings = ConnectionSettings()
        settings.hasStore = true
        machine = ConnectionMachine(settings: settings, random: world.random, stored: client.stored)
    }

    func begin() {
        world.note("\(name) starts\(client.stored == nil ? "" : " with a store")")
        makeDocument()
        connect(after: world.delay(0...100))
    }

    /// Ends the process.
    func die() {
        isAlive = false
        socket?.breakOff()
        socket = nil
        document?.end()
        document = nil
        inbox = []
    }

    /// Closes the client, as its user does.
    func close() {
        guard isAlive, !hasEnded else { return }
        world.note("\(name) closes")
        handle(.close)
    }

    // MARK: State

    /// The time at which the machine has to be called next.
    var deadline: Duration? { isAlive ? machine.deadline : nil }

    func fireTimers() {
        guard let deadline, deadline <= world.now else { return }
        handle(.timePassed)
    }

    /// The reason why the process has not settled with the server; `nil` if it has.
    var unrest: String? {
        if hasEnded { return "the client has ended" }
        guard let document, document.isCurrent else { return "no state was applied" }
        guard let socket, !socket.isDead else { return "there is no socket that works" }
        if !inbox.isEmpty || !inbound.isEmpty || !outbound.isEmpty || isWriting { return "messages wait" }
        if document.scope.nextDeadline != nil { return "changes are delayed" }
        if !document.scope.changeSets.isEmpty { return "\(document.scope.changeSets.count) change sets are pending" }
        if machine.storedSession?.changes.isEmpty == false { return "change sets have no reply" }
        return nil
    }
}

// MARK: The document

extension ClientProcess: ScopeSender {
    private func makeDocument() {
        scopeCount += 1
        let document = Document(ScopeID(scopeCount), of: name, copiesAtOnce: client.number != 1, in: world)
        self.document = document
        document.scope.onChanges(document) { [unowned self, weak document] set in
            guard isAlive, document?.scope.isAttached == true, !records.contains(where: { $0.set === set }) else {
                return
            }
            world.fail("\(name) reports a set before it is submitted")
        }
        let timer = FlushTimer(document.scope, simulatedBy: world, name)
        var hooks = ScopeHooks(self) { timer.batchBegan() }
        let submit = hooks.submit
        hooks.submit = { [unowned self] set in
            record(set)
            return submit(set)
        }
        document.scope.attach(hooks)
        document.beginVisits(name)
        handle(.fetch(document.id, name: SyncWorld.scope, parameters: [:]))
    }

    private func record(_ set: ChangeSet) {
        if document?.isMaking == true { world.fail("\(name) submits a set while the closure of another one runs") }
        let record = ChangeLedger.Record("\(name) set \(records.count + 1)", isAtomic: set.isAtomic)
        record.set = set
        records.append(record)
        world.ledger.add(record)
        document?.remember(set)
        set.observeState(nil) { [weak self] set in
            guard let self, isAlive else { return }
            world.ledger.told(record, set, in: world)
        }
    }

    func makeChangesID() -> ChangesID {
        changesCount += 1
        return ChangesID(changesCount)
    }

    func submit(_ changes: OutgoingChanges) -> JetstreamError? {
        note(changes)
        guard let document else { return nil }
        return handle(.submit(document.id, changes))
    }

    func stateApplied(unsent: [OutgoingChanges]) {
        if !unsent.isEmpty { world.count(.rebased) }
        for changes in unsent { note(changes) }
        let ids = Set(unsent.map(\.id))
        for record in records where record.outcome == nil && record.message == nil && !record.isSettled {
            // The state may have all that the set would change. Its observers are called afterwards.
            if let set = record.set, set.state != .syncing {
                record.isRebased = true
                record.changes = nil
                continue
            }
            guard let id = record.set?.changesID, !ids.contains(id) else { continue }
            record.isCarried = true
            record.changes = nil
        }
        guard let document else { return }
        document.isCurrent = true
        handle(.stateApplied(document.id, unsent: unsent))
    }

    func abandon() -> ChangesID? {
        guard let document else { return nil }
        handle(.abandon(document.id))
        return machine.takeLastSent(of: document.id)
    }

    /// The inbox waits for the end of a pause by itself.
    func setPaused(_ isPaused: Bool) {}

    var uptime: Duration { world.now }

    /// Notes the contents of a set that is to be sent.
    private func note(_ changes: OutgoingChanges) {
        let record = records.last { $0.set?.changesID == changes.id }
        world.note("\(record?.name ?? "a set of \(name)") has \(changes.fragments.count) fragments")
        record?.changes = changes
    }

    private func takeDeliveries() {
        guard !isTaking, !inbox.isEmpty else { return }
        isTaking = true
        let isBusy = world.random.below(20) == 0
        world.after(isBusy ? world.delay(100...1500) : world.delay(0...4)) { [weak self] in
            guard let self, isAlive else { return }
            isTaking = false
            takeDelivery()
        }
    }

    private func takeDelivery() {
        guard let (target, delivery) = inbox.first else { return }
        // The shell waits for the end of a pause. A delivery that is there when the pause begins waits in the scope.
        if target.scope.isPaused, world.random.below(8) > 0 {
            world.after(world.delay(20...50)) { [weak self] in self?.takeDeliveries() }
            return
        }
        inbox.removeFirst()
        world.note("\(name) takes \(delivery.label)")
        if case .ended = delivery, target === document, !hasEnded {
            replaceDocument(target, delivery)
        } else {
            target.take(delivery)
        }
        if isReadingPaused, inbox.count < Self.inboxLimit {
            isReadingPaused = false
            handle(.readingPaused(false))
            read()
        }
        takeDeliveries()
    }

    /// A fetch was refused: the app tries again with other objects.
    private func replaceDocument(_ target: Document, _ delivery: ScopeDelivery) {
        target.endPauses()
        target.scope.receive(delivery)
        target.end()
        world.after(world.delay(100...2000)) { [weak self] in
            guard let self, isAlive, !hasEnded else { return }
            makeDocument()
        }
    }
}

// MARK: The machine

extension ClientProcess {
    @discardableResult
    private func handle(_ event: ConnectionEvent) -> JetstreamError? {
        var refusal: JetstreamError?
        let duplicates = machine.duplicateCount
        let actions = machine.handle(event, at: world.now)
        for _ in duplicates..<machine.duplicateCount { world.count(.duplicateForClient) }
        if let lastToken, machine.token != lastToken { world.ledger.lostTokens.insert(lastToken) }
        for action in actions {
            switch action {
            case .save: isStoreBehind = true
            case .send(let frame): send(frame)
            case .closeSocket: closeSocket()
            case .deliver(let id, let delivery): deliver(delivery, to: id)
            case .refuse(_, let error): refusal = error
            case .report(let news): report(news)
            case .end(let error): end(error)
            }
        }
        lastToken = machine.token ?? lastToken
        return refusal
    }

    private func deliver(_ delivery: ScopeDelivery, to id: ScopeID) {
        guard let document, document.id == id else { return }
        if case .settled(let id, _) = delivery { records.last { $0.set?.changesID == id }?.isSettled = true }
        inbox.append((document, delivery))
        takeDeliveries()
    }

    private func report(_ news: SessionEvent) {
        switch news {
        case .established:
            world.count(.established)
        case .resumed: world.count(.resumed)
        case .lost(let error): lost(error)
        case .waitingReplies: break
        case .recovered(let changes, let result):
            world.note("\(name) recovers message \(changes.index): \(label(of: result))")
            guard let restoredToken else { return world.fail("\(name) recovers a set without a store") }
            world.ledger.recovered(.init(token: restoredToken, index: changes.index), result, in: world)
        }
    }

    private func lost(_ error: JetstreamError) {
        world.count(.lost)
        world.note("\(name) lost its session: \(error.message)")
        // Only the state of the next session has what the server did since.
        document?.isCurrent = false
        guard let lastToken, world.ledger.hasSession(lastToken) else { return }
        // A refused connection ends the session. So do three sockets in a row that break as if they were refused, or on which no
        // answer comes in time.
        let silentCount = silentSockets + (socket != nil && !hasHeard ? 1 : 0)
        if !isRefused, silentCount < 3 {
            world.fail("\(name) gave up a session that the server has: \(error.message)")
        }
    }

    private func end(_ error: JetstreamError) {
        world.note("\(name) has ended: \(error.kind)")
        hasEnded = true
        client.stored = machine.storedSession
        isStoreBehind = false
        client.processEnded()
    }
}

// MARK: Sockets

extension ClientProcess: SimulatedSocket.Client {
    private func connect(after delay: Duration) {
        guard !isConnecting else { return }
        isConnecting = true
        world.after(delay) { [weak self] in
            guard let self, isAlive, machine.wantsSocket else { return }
            let token = machine.token
            world.after(world.delay(1...60)) { [weak self] in self?.open(token) }
        }
    }

    private func open(_ token: String?) {
        guard isAlive, machine.wantsSocket else { return }
        isConnecting = false
        guard client.isReachable, let socket = world.server?.accept(self, token: token) else {
            world.count(.unreachable)
            return connect(after: world.delay(100...3000))
        }
        world.note("\(name) opens \(socket.number)\(token == nil ? "" : " with a token")")
        self.socket = socket
        outbound = []
        inbound = []
        hasHeard = false
        isResuming = token != nil
        handle(.opened)
    }

    private func closeSocket() {
        guard let socket else { return }
        world.note("\(name) closes \(socket.number)")
        socket.closeByClient()
        outbound = []
        inbound = []
        self.socket = nil
        world.after(world.delay(0...5)) { [weak self] in self?.socketEnded(SocketEnd(code: 1000)) }
    }

    private func socketEnded(_ end: SocketEnd) {
        guard isAlive else { return }
        silentSockets = hasHeard ? 0 : silentSockets + 1
        world.note("\(name) has no socket: \(end.code)")
        handle(.closed(end))
        if !hasEnded { connect(after: world.delay(0...400)) }
    }

    /// Takes what has arrived, which is read when reading is not paused.
    func arrived(_ item: SimulatedSocket.Item, on socket: SimulatedSocket) {
        guard isAlive, socket === self.socket else { return }
        inbound.append(item)
        read()
    }

    private func read() {
        while !isReadingPaused, let item = inbound.first {
            inbound.removeFirst()
            switch item {
            case .frame(let frame):
                // What the server sent before it answered the resume follows a gap, and comes again.
                if isResuming, !hasHeard, !frame.hasPrefix(#"[{"type":"Ping""#) { world.count(.earlyMessage) }
                hasHeard = true
                handle(.received(frame))
                if inbox.count >= Self.inboxLimit, !isReadingPaused {
                    world.count(.readingPaused)
                    isReadingPaused = true
                    handle(.readingPaused(true))
                }
            case .close(let end):
                isRefused = socket?.isRefused == true
                socket?.clientTookEnd()
                socket = nil
                outbound = []
                inbound = []
                return socketEnded(end)
            }
        }
    }

    private func send(_ frame: String) {
        world.note("\(name) sends \(frame)")
        for case .scopeSync(let sync) in (try? JetstreamCodec().messages(in: frame)) ?? [] {
            guard let token = machine.token else { continue }
            world.ledger.sent(sync, token, pending: records, in: world)
        }
        outbound.append(frame)
        write()
    }

    /// Sends the next frame. Before, the store is brought up to date.
    private func write() {
        guard !isWriting, !outbound.isEmpty else { return }
        isWriting = true
        let (frame, socket) = (outbound.removeFirst(), socket)
        guard isStoreBehind else { return finishWriting(frame, on: socket, after: world.delay(0...2)) }
        isStoreBehind = false
        let session = machine.storedSession
        world.after(world.delay(0...8)) { [weak self] in
            guard let self, isAlive else { return }
            client.stored = session
            finishWriting(frame, on: socket, after: world.delay(0...2))
        }
    }

    private func finishWriting(_ frame: String, on socket: SimulatedSocket?, after delay: Duration) {
        world.after(delay) { [weak self] in
            guard let self, isAlive else { return }
            isWriting = false
            socket?.sendUp(frame)
            write()
        }
    }
}

private func label(of result: Result<[FragmentReply], JetstreamError>) -> String {
    switch result {
    case .success: "replied"
    case .failure(let error): "\(error.kind)"
    }
}

extension ScopeDelivery {
    /// A few words for the trace.
    fileprivate var label: String {
        switch self {
        case .state(let state, let sent): "a state of \(state.fragments.count) objects with \(sent.count) sets sent"
        case .sync(let fragments): "a sync of \(fragments.count) fragments"
        case .settled(let id, .replied): "the reply to \(id.rawValue)"
        case .settled(let id, .reverted(let error)): "the revert of \(id.rawValue): \(error.kind)"
        case .settled(let id, .unknown(let error)): "the doubt about \(id.rawValue): \(error.kind)"
        case .ended(let error): "the end: \(error.kind)"
        }
    }
}
