import Foundation
import GRDB
import HeliumConcurrency
import HeliumDatabase
import HeliumJSON
import HeliumServerKit
import HeliumTesting
import HeliumWebSocket
import TestSupport
import Testing

@testable import JetstreamHosting

#if os(Linux)
    @Suite("A Jetstream server whose store fails", .timeLimit(.minutes(5)))
    struct StoreFaultTests {
        /// Begins a fault of a server's store, and returns what ends it.
        private func begin(
            _ fault: InjectedStoreFault,
            of server: JetstreamServer,
            _ path: String
        ) async throws -> () async throws -> Void {
            let access = try await server.access()
            return try await fault.begin(path) { sql in
                try await access.database.writeWithoutTransaction { try $0.execute(sql: sql) }
            }
        }

        /// A text that needs new pages.
        private static let long = String(repeating: "x", count: 200_000)

        @Test(
            "Clients resume when the store can be written again, and nothing is lost or applied twice",
            arguments: InjectedStoreFault.allCases
        )
        func resumes(fault: InjectedStoreFault) async throws {
            try await withTemporaryFolder { folder in
                let path = folder.appending(path: "store.sqlite").path
                let clock = TestClock()
                try await withJetstreamServer(.board) {
                    $0.store = path
                    $0.jetstream.clock = clock
                } _: { server, url in
                    let (socket, token, _) = try await TestSocket.joined(url)
                    _ = try await socket.rename(id(1), "one", index: 2)
                    let end = try await begin(fault, of: server, path)
                    try await socket.send(TestSocket.rename(id(1), Self.long, index: 3))
                    #expect(await socket.end()?.wasClean == false)
                    if fault != .full {
                        // Small changes of a full store can still succeed, and then the server accepts clients.
                        let refused = try await TestSocket(url)
                        #expect(await refused.end()?.code == .tryAgainLater)
                        #expect(try await server.refusal()?.contains(fault.words) == true)
                    }
                    try await end()
                    try await server.recovers(clock)
                    #expect(await server.control.objects(in: "Board").first?.properties["name"] == "one")
                    let again = try await TestSocket(url, fields: ["X-Jetstream-SessionToken": token])
                    try await again.send(#"{"type":"Ping","index":0,"ack":3,"resendMissing":true}"#)
                    #expect(try await again.next()["ack"] == 2)
                    let reply = try await again.rename(id(1), Self.long, index: 3)
                    #expect(reply["replyTo"] == 3)
                    #expect(await server.control.objects(in: "Board").first?.properties["name"] == .string(Self.long))
                    await again.close()
                }
            }
        }

        @Test("An update of the application throws the cause, changes nothing, and works again after the fault")
        func update() async throws {
            try await withTemporaryFolder { folder in
                let path = folder.appending(path: "store.sqlite").path
                let clock = TestClock()
                try await withJetstreamServer(.board) {
                    $0.store = path
                    $0.jetstream.clock = clock
                } _: { server, _ in
                    let end = try await begin(.full, of: server, path)
                    for _ in 0..<2 {
                        try await server.recovers(clock)
                        let change: JSONObject = ["$set": ["name": .string(Self.long)]]
                        await #expect(throws: JetstreamRefusal.self) {
                            try await server.control.update("Board", change)
                        }
                    }
                    try await end()
                    try await server.recovers(clock)
                    #expect(await server.control.objects(in: "Board").first?.properties["name"] != .string(Self.long))
                    _ = try await server.control.update("Board", ["$set": ["name": "after"]])
                    #expect(await server.control.objects(in: "Board").first?.properties["name"] == "after")
                }
            }
        }

        @Test("A decision that was requested before a failure does not decide on another request after it")
        func staleDecision() async throws {
            let (old, held) = (Signal<Void>(), Signal<Void>())
            try await withTemporaryFolder { folder in
                let path = folder.appending(path: "store.sqlite").path
                let clock = TestClock()
                try await withJetstreamServer(.board) {
                    $0.store = path
                    $0.jetstream.clock = clock
                    $0.jetstream.authorization.session = { session in
                        if session.connection["wait"] == "old" {
                            try await old.value()
                            throw JetstreamRefusal("too late")
                        }
                        if session.connection["wait"] == "held" { try await held.value() }
                    }
                } _: { server, url in
                    let (socket, _, _) = try await TestSocket.joined(url)
                    let stale = try await TestSocket(url, query: "x-jetstream-wait=old")
                    try await stale.send(TestSocket.sessionCreate)
                    try await eventually { old.waiterCount == 1 }
                    let end = try await begin(.readOnly, of: server, path)
                    try await socket.send(TestSocket.rename(id(1), "two", index: 2))
                    _ = await stale.end()
                    try await end()
                    try await server.recovers(clock)
                    // The second request of the new engine has the number of the old one's second.
                    var sockets: [TestSocket] = []
                    for count in 1...2 {
                        let next = try await TestSocket(url, query: "x-jetstream-wait=held")
                        try await next.send(TestSocket.sessionCreate)
                        try await eventually { held.waiterCount == count }
                        sockets.append(next)
                    }
                    old.settle()
                    // The decision comes to the host before these calls end, or never.
                    for _ in 0..<100 { _ = await server.control.sessionCount }
                    held.settle()
                    for socket in sockets {
                        #expect(try await socket.next()["sessionToken"] != nil)
                        await socket.close()
                    }
                }
            }
        }

        /// Creates triggers that refuse statements like violated constraints. Their text stands for that of a row.
        private static func refuse(_ statements: [String], _ access: DatabaseAccess) async throws {
            for (number, statement) in statements.enumerated() {
                let sql =
                    "CREATE TRIGGER refused_\(number) BEFORE \(statement) BEGIN SELECT RAISE(ABORT, 'private'); END"
                try await access.database.writeWithoutTransaction { try $0.execute(sql: sql) }
            }
        }

        @Test("A write that a constraint refuses does not end the server: it is undone, and clients resume")
        func constraint() async throws {
            try await withTemporaryFolder { folder in
                let clock = TestClock()
                try await withJetstreamServer(.board) {
                    $0.store = folder.appending(path: "store.sqlite").path
                    $0.jetstream.clock = clock
                } _: { server, url in
                    let (socket, token, _) = try await TestSocket.joined(url)
                    let access = try await server.access()
                    try await Self.refuse(["INSERT ON jetstream_value", "UPDATE ON jetstream_value"], access)
                    try await socket.send(TestSocket.rename(id(1), "refused", index: 2))
                    #expect(await socket.end()?.wasClean == false)
                    try await server.recovers(clock)
                    #expect(await server.control.objects(in: "Board").first?.properties["name"] != "refused")
                    try await access.database.writeWithoutTransaction {
                        try $0.execute(sql: "DROP TRIGGER refused_0; DROP TRIGGER refused_1")
                    }
                    let again = try await TestSocket(url, fields: ["X-Jetstream-SessionToken": token])
                    let reply = try await again.rename(id(1), "one", index: 2)
                    #expect(reply["replyTo"] == 2)
                    #expect(await server.control.objects(in: "Board").first?.properties["name"] == "one")
                    await again.close()
                }
            }
        }

        /// Runs a server that the test's fault of its store ends, with a client of the board.
        private func withEndingServer(
            _ body: (String, DatabaseAccess, TestSocket, Task<Void, any Error>) async throws -> Void
        ) async throws {
            try await withTemporaryFolder { folder in
                let path = folder.appending(path: "store.sqlite").path
                var configuration = JetstreamServer.Configuration(scopes: .board)
                configuration.port = 0
                configuration.store = path
                let server = try JetstreamServer(configuration)
                let running = Task { try await server.run() }
                let (socket, _, _) = try await TestSocket.joined(try await server.ready().webSocket)
                try await body(path, try await server.access(), socket, running)
            }
        }

        @Test("A store that refuses every write ends the server with SQLite's words, without those of the row")
        func refusedStore() async throws {
            try await withEndingServer { path, access, socket, running in
                try await Self.refuse(
                    [
                        "INSERT ON jetstream_value", "UPDATE ON jetstream_value", "INSERT ON jetstream_setting",
                        "UPDATE ON jetstream_setting",
                    ],
                    access
                )
                try await socket.send(TestSocket.rename(id(1), "refused", index: 2))
                _ = await socket.end()
                let error = await #expect(throws: EmbeddedServerError.self) { try await running.value }
                #expect(error?.kind == .failedStore)
                let reason = "\(path): an access failed: constraint failed (SQLite error 1811)"
                #expect(error?.reason == reason)
            }
        }

        @Test("A damaged store ends the server with an error that names the file and the damage")
        func damaged() async throws {
            try await withEndingServer { path, access, socket, running in
                try await access.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
                try UnwritableFile.damage(path, from: 4096)
                (access.database as? DatabasePool)?.releaseMemory()
                try await socket.send(TestSocket.rename(id(1), Self.long, index: 2))
                _ = await socket.end()
                let error = await #expect(throws: EmbeddedServerError.self) { try await running.value }
                #expect(error?.kind == .failedStore)
                #expect(error?.reason.hasPrefix("\(path): the file is damaged (SQLite error ") == true)
            }
        }

        @Test("The delays between attempts double from one second to thirty, and begin again after a calm minute")
        func delays() {
            var recovery = StoreRecovery()
            var now: Duration = .zero
            let expected = [0, 1, 2, 4, 8, 16, 30, 30]
            for delay in expected {
                let next = recovery.delay(at: now)
                #expect(next == .seconds(delay))
                now += .seconds(delay)
            }
            let soon = recovery.delay(at: now + .seconds(30))
            let late = recovery.delay(at: now + .seconds(91))
            #expect(soon == .seconds(30))
            #expect(late == .zero)
        }
    }

    extension JetstreamServer {
        fileprivate func access() async throws -> DatabaseAccess {
            try #require(await control.host.store?.tables.access)
        }

        /// The text of the refusal of an update; `nil` if it was not refused.
        fileprivate func refusal() async throws -> String? {
            do {
                _ = try await control.update("Board", ["$set": ["name": "refused"]])
                return nil
            } catch let refusal as JetstreamRefusal {
                return refusal.message
            }
        }

        /// Moves the clock until the store is used again.
        fileprivate func recovers(_ clock: TestClock) async throws {
            try await eventually {
                if await control.host.fault == nil { return true }
                clock.advance(by: .milliseconds(10))
                return false
            }
        }
    }
#endif
