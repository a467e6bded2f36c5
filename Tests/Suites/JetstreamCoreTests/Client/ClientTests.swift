import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumJSON
import HeliumTesting
import HeliumWebSocket
import TestSupport
import Testing

@testable import JetstreamCore

@Suite("Jetstream client", .timeLimit(.minutes(5)))
struct ClientTests {
    private func options(_ change: (inout JetstreamClientOptions) -> Void = { _ in }) -> JetstreamClientOptions {
        var options = JetstreamClientOptions()
        options.backoff.firstDelay = .milliseconds(1)
        options.backoff.maximumDelay = .milliseconds(2)
        change(&options)
        return options
    }

    private func rename(_ name: String) -> [SyncFragment] { [MachineRig.change(name)] }

    /// Reads events until one is the outcome of a change set.
    private func outcome(_ scope: MirroredScope) async throws -> Result<[FragmentReply], JetstreamError>? {
        while let event = try await scope.next() {
            if case .settled(_, let outcome) = event { return outcome }
        }
        return nil
    }

    private func name(_ scope: MirroredScope) -> JSONValue? { scope.mirror.objects.first?.properties["name"] }

    @Test("a mirror has the state, and then the changes of others and its own")
    func mirror() async throws {
        let server = ServerInMemory()
        let (first, second) = (
            JetstreamClient(transport: server.transport), JetstreamClient(transport: server.transport)
        )
        first.connect()
        second.connect()
        let (mine, other) = (first.mirror("Canvas"), second.mirror("Canvas"))
        guard case .state(let root, let objects)? = try await mine.next() else { return #expect(Bool(false)) }
        #expect(root == SimpleServer.root && objects.map(\.className) == ["Canvas"])
        _ = try await other.next()
        try mine.submit(rename("new"))
        guard case .success(let replies)? = try await outcome(mine) else { return #expect(Bool(false)) }
        #expect(replies.map(\.isAccepted) == [true] && name(mine) == "new")
        guard case .sync(let fragments)? = try await other.next() else { return #expect(Bool(false)) }
        #expect(fragments == rename("new") && name(other) == "new")
        #expect(fragments.map(\.heldBytes) == [0], "a program that keeps a fragment keeps no frame")
        try mine.submit(rename("refuse"))
        guard case .success(let refused)? = try await outcome(mine) else { return #expect(Bool(false)) }
        #expect(refused.map(\.error?.message) == ["not this name"] && name(mine) == "new")
        await first.close()
        await second.close()
        #expect(try await mine.next() == nil)
        #expect(first.status.isClosed)
    }

    @Test("a broken connection is resumed with the token, and nothing is lost or doubled")
    func resume() async throws {
        let server = ServerInMemory()
        let client = JetstreamClient(transport: server.transport, options: options())
        client.connect()
        let scope = client.mirror("Canvas")
        _ = try await scope.next()
        for round in 0..<20 {
            try scope.submit(rename("\(round)"))
            if round.isMultiple(of: 3) { server.cut() }
            guard case .success? = try await outcome(scope) else { return #expect(Bool(false)) }
        }
        #expect(server.with { $0.applied } == (0..<20).map { "\($0)" })
        #expect(server.connections.count == 8 && server.connections.dropFirst().allSatisfy { $0 == "token-1" })
        await client.close()
    }

    @Test("a session that the server forgot is replaced by another with the same parameters")
    func forgotten() async throws {
        let server = ServerInMemory()
        let client = JetstreamClient(
            transport: server.transport,
            options: options { $0.sessionParameters = ["user": "u1"] }
        )
        var news = client.sessionEvents.makeAsyncIterator()
        client.connect()
        let scope = client.mirror("Canvas")
        _ = try await scope.next()
        server.with { $0.expireAll() }
        server.cut()
        guard case .state? = try await scope.next() else { return #expect(Bool(false)) }
        #expect(server.with { $0.parameters } == [["user": "u1"], ["user": "u1"]])
        #expect(server.connections == [nil, "token-1", nil])
        var lost: JetstreamError?
        while lost == nil, let event = await news.next() {
            if case .lost(let error) = event { lost = error }
        }
        #expect(lost?.server?.type == "session-token-unrecognized")
        await client.close()
    }

    @Test("a refused session ends the run with the error, and a refused scope is an event")
    func refusals() async throws {
        let server = ServerInMemory()
        let denied = JetstreamClient(
            transport: server.transport,
            options: options { $0.sessionParameters = ["deny": true] }
        )
        let scope = denied.mirror("Canvas")
        let error = await #expect(throws: JetstreamError.self) { try await denied.run() }
        #expect(error?.kind == .sessionDenied && error?.server == ErrorObject(message: "denied", type: "rejected"))
        await #expect(throws: JetstreamError.self) { try await scope.next() }
        let client = JetstreamClient(transport: server.transport, options: options())
        client.connect()
        let missing = client.mirror("Nothing")
        let refusal = await #expect(throws: JetstreamError.self) { try await missing.next() }
        #expect(refusal?.kind == .fetchRefused && refusal?.server?.message == "No such scope")
        await client.close()
    }

    @Test("a socket that permanently cannot be opened ends the run")
    func connectionFailed() async throws {
        let transport = LoopbackTransport { _, _ in throw CocoaError(.fileNoSuchFile) }
        let client = JetstreamClient(transport: transport, options: options())
        let scope = client.mirror("Canvas")
        let error = await #expect(throws: JetstreamError.self) { try await client.run() }
        #expect(error?.kind == .connectionFailed && error?.underlying is CocoaError)
        await #expect(throws: JetstreamError.self) { try await scope.next() }
    }

    @Test("cancelling the run of a client settles all change sets")
    func cancellation() async throws {
        let server = ServerInMemory()
        let client = JetstreamClient(transport: server.transport, options: options())
        let run = Task { try await client.run() }
        let scope = client.mirror("Canvas")
        _ = try await scope.next()
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(try await scope.next() == nil)
        let error = #expect(throws: JetstreamError.self) { try scope.submit(rename("late")) }
        #expect(error?.kind == .clientClosed)
    }

    @Test("a released client closes its connection")
    func letGo() async throws {
        let server = ServerInMemory()
        var client: JetstreamClient? = JetstreamClient(transport: server.transport, options: options())
        client?.connect()
        let scope = try #require(client?.mirror("Canvas"))
        _ = try await scope.next()
        client = nil
        #expect(try await scope.next() == nil)
    }

    @Test("a silent server is left after 25 seconds of the client's clock")
    func watchdog() async throws {
        let clock = TestClock()
        let server = ServerInMemory()
        let client = JetstreamClient(transport: server.transport, options: options { $0.clock = clock })
        client.connect()
        let scope = client.mirror("Canvas")
        _ = try await scope.next()
        // The server of this test sends no pings.
        for _ in 0..<3 {
            await clock.waitForDeadlines(1)
            clock.advance(by: .seconds(9))
        }
        // In steps so short that the next connection is not left too, however late it is seen.
        try await eventually {
            clock.advance(by: .milliseconds(1))
            return server.connections.count > 1
        }
        #expect(server.connections == [nil, "token-1"])
        await client.close()
    }

    // MARK: Stores

    @Test("the next client with the store settles change sets, and sends unsent ones once")
    func store() async throws {
        let (server, store) = (ServerInMemory(), MemorySessionStore())
        let client = JetstreamClient(transport: server.transport, options: options { $0.sessionStore = store })
        client.connect()
        let scope = client.mirror("Canvas")
        _ = try await scope.next()
        try scope.submit(rename("one"))
        let session = try #require(
            await {
                while await store.load()?.changes.isEmpty != false { await Task.yield() }
                return await store.load()
            }()
        )
        _ = try await outcome(scope)
        await client.close()
        #expect(await store.load() == nil)

        // As if the process had been killed before the reply.
        await store.save(session)
        let next = JetstreamClient(transport: server.transport, options: options { $0.sessionStore = store })
        var news = next.sessionEvents.makeAsyncIterator()
        next.connect()
        let again = next.mirror("Canvas")
        guard case .state? = try await again.next() else { return #expect(Bool(false)) }
        #expect(name(again) == "one" && server.with { $0.applied } == ["one"])
        var recovered: [String] = []
        while recovered.isEmpty, let event = await news.next() {
            if case .recovered(let changes, .success(let replies)) = event {
                recovered.append("\(changes.scopeName) \(replies.map(\.isAccepted))")
            }
        }
        #expect(recovered == ["Canvas [true]"])
        #expect(server.connections == [nil, "token-1", nil])
        await next.close()
    }

    @Test("a store that cannot be read or written ends the client")
    func failingStore() async throws {
        struct Failing: SessionStore {
            let canLoad: Bool
            func load() async throws -> StoredSession? {
                if canLoad { nil } else { throw CocoaError(.fileReadUnknown) }
            }
            func save(_ session: StoredSession?) async throws { throw CocoaError(.fileWriteUnknown) }
        }
        for canLoad in [true, false] {
            let server = ServerInMemory()
            let client = JetstreamClient(
                transport: server.transport,
                options: options { $0.sessionStore = Failing(canLoad: canLoad) }
            )
            let scope = client.mirror("Canvas")
            let error = await #expect(throws: JetstreamError.self) { try await client.run() }
            #expect(error?.kind == .storeFailed)
            await #expect(throws: JetstreamError.self) { try await scope.next() }
        }
    }

    @Test("a connection that is lost while the store writes ends neither the writing nor the client")
    func lostWhileSaving() async throws {
        /// A store that gives up when it is cancelled.
        final class Slow: SessionStore {
            let begun = Signal<Void>()
            let mayGoOn = Signal<Void>()
            func load() async -> StoredSession? { nil }
            func save(_ session: StoredSession?) async throws {
                guard session?.changes.isEmpty == false else { return }
                begun.settle()
                try await mayGoOn.value()
            }
        }
        let (server, store) = (ServerInMemory(), Slow())
        let client = JetstreamClient(transport: server.transport, options: options { $0.sessionStore = store })
        client.connect()
        let scope = client.mirror("Canvas")
        _ = try await scope.next()
        try scope.submit(rename("one"))
        try await store.begun.value()
        server.cut()
        // The client learns of it meanwhile, mostly.
        try await Task.sleep(for: .milliseconds(50))
        store.mayGoOn.settle()
        guard case .success? = try await outcome(scope) else { return #expect(Bool(false)) }
        #expect(server.connections == [nil, "token-1"] && server.with { $0.applied } == ["one"])
        await client.close()
    }

    @Test("a store in a file is replaced in one step, and only its owner may read it")
    func fileStore() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("jetstream-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileSessionStore(path: folder.appendingPathComponent("below/session").path)
        #expect(try await store.load() == nil)
        let session = StoredSession(
            token: "secret-token",
            parameters: ["user": "u1"],
            nextIndex: 4,
            lastReceived: 7,
            messages: [StoredMessage(index: 3, text: "{}")],
            changes: [
                StoredChanges(index: 3, scopeName: "Canvas", fragments: rename("a"), isAtomic: true, procedure: "A.b")
            ]
        )
        try await store.save(session)
        #expect(try await store.load() == session)
        let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(!"\(session)".contains("secret"))
        try await store.save(nil)
        #expect(try await store.load() == nil)
        try Data("nope".utf8).write(to: URL(fileURLWithPath: store.path))
        let error = await #expect(throws: JetstreamError.self) { try await store.load() }
        #expect(error?.kind == .storeFailed)
    }

    // MARK: Models

    @Test("models follow the server on the caller's actor, and their changes are sent")
    @MainActor
    func models() async throws {
        let server = ServerInMemory()
        let client = JetstreamClient(transport: server.transport, options: options())
        client.connect()
        let canvas = Canvas(uuid: UUID())
        let scope = Scope(name: "Canvas", root: canvas)
        try await client.fetch(scope)
        #expect(canvas.name == "Demo" && canvas.uuid == SimpleServer.root)
        canvas.name = "mine"
        try await eventually { server.with { $0.name } == "mine" }
        let set = scope.modify { canvas.name = "refuse this" }
        #expect(canvas.name == "refuse this")
        let error = await #expect(throws: JetstreamError.self) { try await set.completion() }
        #expect(error?.kind == .changesRefused && canvas.name == "mine")

        let other = JetstreamClient(transport: server.transport, options: options())
        other.connect()
        let mirror = other.mirror("Canvas")
        _ = try await mirror.next()
        try mirror.submit(rename("theirs"))
        _ = try await outcome(mirror)
        try await eventually { canvas.name == "theirs" }
        await #expect(throws: JetstreamError.self) { try await client.fetch(scope) }
        await client.close()
        await other.close()
    }

    @Test("a paused scope applies nothing until the pause ends")
    @MainActor
    func pause() async throws {  // ScopePauseTests: testMultiMessagePause
        let server = ServerInMemory()
        let client = JetstreamClient(transport: server.transport, options: options())
        client.connect()
        let canvas = Canvas(uuid: UUID())
        let scope = Scope(name: "Canvas", root: canvas)
        try await client.fetch(scope)
        scope.pauseIncomingMessages()
        let other = JetstreamClient(transport: server.transport, options: options())
        other.connect()
        let mirror = other.mirror("Canvas")
        _ = try await mirror.next()
        for name in ["a", "b"] {
            try mirror.submit(rename(name))
            _ = try await outcome(mirror)
        }
        #expect(canvas.name == "Demo")
        scope.resumeIncomingMessages()
        try await eventually { canvas.name == "b" }
        await client.close()
        await other.close()
    }

    @Test("a paused scope that nobody holds any more is given up, and the client goes on")
    @MainActor
    func pausedScopeLetGo() async throws {
        let server = ServerInMemory()
        let client = JetstreamClient(transport: server.transport, options: options())
        client.connect()
        var scope: Scope? = Scope(name: "Canvas", root: Canvas(uuid: UUID()))
        if let scope { try await client.fetch(scope) }
        scope?.pauseIncomingMessages()
        let other = JetstreamClient(transport: server.transport, options: options())
        other.connect()
        let mirror = other.mirror("Canvas")
        _ = try await mirror.next()
        try mirror.submit(rename("theirs"))
        // The change has arrived, and its task waits for the end of the pause.
        try await eventually { scope?.waiting.isEmpty == false }
        weak let held = scope
        scope = nil
        try await eventually { held == nil }
        let again = Scope(name: "Canvas", root: Canvas(uuid: UUID()))
        try await client.fetch(again)
        #expect((again.root as? Canvas)?.name == "theirs")
        await client.close()
        await other.close()
    }

    @Test("what comes for a paused scope waits while reading continues, until it is too much")
    func pausedReading() async throws {
        let core = ClientCore(machine: ConnectionMachine(), clock: TestClock(), maximumPausedBytes: 100_000)
        var index = 0
        func receive(_ make: (Int) -> JetstreamMessage) {
            core.handle(.received(JetstreamCodec().text(of: [make(index)])))
            index += 1
        }
        func change(_ name: String) {
            receive { .scopeSync(.init(index: $0, scopeIndex: 0, fragments: rename(name))) }
        }
        /// Whether reading waits, which the cancellation ends.
        func isStopped() async -> Bool {
            let reading = Task { try await core.waitForRoom() }
            reading.cancel()
            do {
                try await reading.value
                return false
            } catch {
                return true
            }
        }
        _ = core.socketOpened()
        receive { _ in .sessionCreateReply(.init(sessionToken: "token")) }
        let link = core.fetch("Canvas", parameters: [:])
        receive { .scopeFetchReply(.init(index: $0, replyTo: 1, scopeIndex: 0)) }
        receive { .scopeState(.init(index: $0, scopeIndex: 0, rootUUID: SimpleServer.root, fragments: rename("a"))) }
        for number in 0..<40 { change("\(number)") }
        #expect(await isStopped(), "a scope that is not paused is slow")
        let reading = Task { try await core.waitForRoom() }
        link.setPaused(true)
        try await reading.value
        for number in 0..<40 { change("\(number)") }
        #expect(await !isStopped())
        change(String(repeating: "x", count: 100_000))
        #expect(await isStopped())
        link.setPaused(false)
        #expect(await isStopped(), "it is slow until it has taken them")
        for _ in 0..<82 { _ = try await link.next() }
        #expect(await !isStopped())
    }

    @Test("unsent change sets settle when the client is closed, also between a state and its use")
    func closingBetween() async throws {
        let server = ServerInMemory()
        let client = JetstreamClient(transport: server.transport, options: options())
        let scope = client.mirror("Canvas")
        try scope.submit(rename("one"))
        client.connect()
        // The state has arrived and was not read yet.
        try await eventually { server.with { $0.sessions["token-1"]?.nextIndex } == 3 }
        await client.close()
        var failures: [JetstreamError] = []
        while let event = try await scope.next() {
            if case .settled(_, .failure(let error)) = event { failures.append(error) }
        }
        #expect(failures.map(\.kind) == [.clientClosed] && failures.map(\.delivery) == [.notSent])
        #expect(server.with { $0.applied }.isEmpty)
    }

    @Test("a released scope is given up, and the client continues")
    @MainActor
    func scopeLetGo() async throws {
        let server = ServerInMemory()
        let client = JetstreamClient(transport: server.transport, options: options())
        client.connect()
        var scope: Scope? = Scope(name: "Canvas", root: Canvas(uuid: UUID()))
        if let scope { try await client.fetch(scope) }
        weak let held = scope
        scope = nil
        try await eventually { held == nil && client.status.isConnected }
        await client.close()
    }

    @Test("code without an actor updates a scope step by step")
    func steps() async throws {
        let server = ServerInMemory()
        let client = JetstreamClient(transport: server.transport, options: options())
        client.connect()
        let canvas = Canvas(uuid: UUID())
        let scope = Scope(name: "Canvas", root: canvas)
        let connection = try client.connection(to: scope)
        #expect(try await connection.next())
        #expect(canvas.name == "Demo")
        canvas.name = "mine"
        connection.flush()
        #expect(try await connection.next())
        #expect(scope.changeSets.isEmpty && server.with { $0.name } == "mine")
        await client.close()
        #expect(try await !connection.next())
    }

    // MARK: Giving up a scope

    @Test("a lost connection settles what it sent, and the next one sends the rest")
    func droppedConnection() async throws {
        let server = ServerInMemory()
        let client = JetstreamClient(transport: server.transport, options: options())
        client.connect()
        let canvas = Canvas(uuid: UUID())
        let scope = Scope(name: "Canvas", root: canvas)
        var connection: ScopeConnection? = try client.connection(to: scope)
        _ = try await connection?.next()
        let sent = scope.modify { canvas.name = "mine" }
        connection = nil
        #expect(sent.state == .maybeSent && sent.error?.delivery == .maybeSent)
        let late = scope.modify { canvas.name = "late" }
        #expect(late.state == .syncing)
        let again = try client.connection(to: scope)
        #expect(try await again.next())
        while late.state == .syncing { _ = try await again.next() }
        #expect(late.state == .completed && server.with { $0.applied } == ["mine", "late"])
        await client.close()
    }

    @Test("the change sets of a released scope settle")
    @MainActor
    func letGoScope() async throws {
        let server = ServerInMemory()
        let client = JetstreamClient(transport: server.transport, options: options())
        client.connect()
        let canvas = Canvas(uuid: UUID())
        var scope: Scope? = Scope(name: "Canvas", root: canvas)
        if let scope { try await client.fetch(scope) }
        let set = try #require(scope?.modify { canvas.name = "mine" })
        scope = nil
        let error = await #expect(throws: JetstreamError.self) { try await set.completion() }
        #expect(set.state == .maybeSent && error?.delivery == .maybeSent)
        await client.close()
    }

    // MARK: Time

    @Test("throttled values without an actor wait for their time")
    func throttledFlush() async throws {
        let (server, clock) = (ServerInMemory(), TestClock())
        let client = JetstreamClient(transport: server.transport, options: options { $0.clock = clock })
        client.connect()
        let root = TestModel()
        let scope = Scope(name: "Canvas", root: root)
        let connection = try client.connection(to: scope)
        #expect(try await connection.next())
        root.throttled = 1
        #expect(connection.flush() == nil && scope.changeSets.count == 1)
        root.throttled = 2
        #expect(connection.flush() == .milliseconds(50) && scope.changeSets.count == 1)
        clock.advance(by: .milliseconds(20))
        #expect(connection.flush() == .milliseconds(30) && scope.changeSets.count == 1)
        clock.advance(by: .milliseconds(30))
        #expect(connection.flush() == nil && scope.changeSets.count == 2)
        #expect(scope.changeSets.all.last?.fragments.first?.properties == ["throttled": 2])
        await client.close()
    }

    @Test("a throttled value that `modify` sends begins an interval")
    func throttledModification() async throws {
        let (server, clock) = (ServerInMemory(), TestClock())
        let client = JetstreamClient(transport: server.transport, options: options { $0.clock = clock })
        client.connect()
        let root = TestModel()
        let scope = Scope(name: "Canvas", root: root)
        let connection = try client.connection(to: scope)
        #expect(try await connection.next())
        scope.modify { root.throttled = 1 }
        root.throttled = 2
        #expect(connection.flush() == .milliseconds(50) && scope.changeSets.count == 1)
        clock.advance(by: .milliseconds(50))
        #expect(connection.flush() == nil && scope.changeSets.count == 2)
        await client.close()
    }

    // MARK: Ceilings

    @Test("a scope has the client's maximum of pending change sets, unless it has its own", arguments: [3, 20_000])
    func pendingMaximum(maximum: Int) throws {
        let server = ServerInMemory()
        let client = JetstreamClient(
            transport: server.transport,
            options: options { $0.maximumPendingChanges = maximum }
        )
        let canvas = Canvas(uuid: UUID())
        let (scope, own) = (Scope(name: "Canvas", root: canvas), Scope(name: "Own", root: Canvas(uuid: UUID())))
        own.maximumPendingChangeSets = 7
        #expect(scope.maximumPendingChangeSets == 10_000)
        let connections = [try client.connection(to: scope), try client.connection(to: own)]
        #expect(scope.maximumPendingChangeSets == maximum && own.maximumPendingChangeSets == 7)
        for number in 1...3 { #expect(scope.modify { canvas.name = "\(number)" }.state == .syncing) }
        let fourth = scope.modify { canvas.name = "4" }
        #expect(fourth.error?.kind == (maximum == 3 ? .ceilingExceeded : nil))
        #expect(connections.count == 2)
    }

    /// Sockets on which a part of a frame arrives all the time.
    private struct PartTransport: JetstreamTransport {
        let inner: LoopbackTransport
        let clock: TestClock

        func connect(token: Secret?) async throws -> any JetstreamSocket {
            PartSocket(inner: try await inner.connect(token: token), clock: clock)
        }
    }

    private struct PartSocket: JetstreamSocket {
        let inner: any JetstreamSocket
        let clock: TestClock

        func send(_ frame: String) async throws { try await inner.send(frame) }
        func receive() async throws -> String? { try await inner.receive() }
        func close() async { await inner.close() }
        var closure: JetstreamClosure? { inner.closure }
        var partialArrival: Duration? { clock.uptime }
    }

    @Test("a server that sends a frame slowly is not left")
    func slowFrame() async throws {
        let (server, clock) = (ServerInMemory(), TestClock())
        let transport = PartTransport(inner: server.transport, clock: clock)
        let client = JetstreamClient(transport: transport, options: options { $0.clock = clock })
        client.connect()
        let scope = client.mirror("Canvas")
        _ = try await scope.next()
        for _ in 0..<10 {
            await clock.waitForDeadlines(1)
            clock.advance(by: .seconds(9))
        }
        #expect(server.connections == [nil])
        await client.close()
    }

    @Test("closing a client does not wait for the cancellation of a task that runs it and reads a scope")
    func closedWhileCancelled() async {
        for _ in 0..<300 {
            let client = JetstreamClient(transport: ServerInMemory().transport)
            let scope = client.mirror("Canvas")
            let reader = Task {
                await withTaskGroup(of: Void.self) { group in
                    // Cancelling the reader also cancels the run, whose handler closes the client.
                    group.addTask { try? await client.run() }
                    do { while try await scope.next() != nil {} } catch {}
                }
            }
            let closing = Task.detached { await client.close() }
            await Task.yield()
            reader.cancel()
            await reader.value
            await closing.value
        }
    }
}
