import Foundation
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("SQLite store of the middleware server", .timeLimit(.minutes(5)))
struct PersistenceTests {
    @Test("devices and todos are there after a restart, in WAL mode")
    func survivesRestart() async throws {
        try await withTemporaryFolder { folder in
            var configuration = EmbeddedServerConfiguration()
            configuration.store = folder.appendingPathComponent("server.sqlite").path
            let todo = "/demo-auth/v1/todo"
            let device = try await withEmbeddedServer(configuration) { running in
                let peer = Peer(running: running)
                let device = try await peer.register(DeviceTests.whole)
                let created = try await peer.signed("POST", todo, device: device, json: #"{"name":"kept"}"#)
                #expect(created.status == 200)
                #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("server.sqlite-wal").path))
                return device
            }
            try await withEmbeddedServer(configuration) { running in
                let peer = Peer(running: running)
                let list = try await peer.signed("GET", todo, device: device)
                #expect(list.status == 200)
                #expect(list.text.contains(#""name":"kept""#))
                #expect(try await running.middleware.deviceCount() == 1)
                let kept = try #require(try await running.middleware.state.store.device(device))
                #expect(kept.status == .active)
                #expect(kept.description["app"]?["id"] == "de.example.tv")
            }
        }
    }

    @Test("only its owner may read the database and the files beside it, also existing ones")
    func isPrivate() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("server.sqlite").path
            var configuration = EmbeddedServerConfiguration()
            configuration.store = path
            func rights() -> [String: Int] {
                var rights: [String: Int] = [:]
                for suffix in ["", "-wal", "-shm"] {
                    let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
                    rights[suffix] = (attributes?[.posixPermissions] as? NSNumber)?.intValue
                }
                return rights
            }
            for _ in 0..<2 {
                try await withEmbeddedServer(configuration) { running in
                    _ = try await Peer(running: running).register(DeviceTests.whole)
                    #expect(rights() == ["": 0o600, "-wal": 0o600, "-shm": 0o600])
                }
                #expect(rights()[""] == 0o600)
                // As an older version made it.
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            }
        }
    }

    @Test("only its owner may read a database behind a link, also if the target is new")
    func isPrivateBehindLink() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("server.sqlite")
            let link = folder.appendingPathComponent("link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            var configuration = EmbeddedServerConfiguration()
            configuration.store = link.path
            func rights(_ suffix: String) throws -> Int? {
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path + suffix)
                return (attributes[.posixPermissions] as? NSNumber)?.intValue
            }
            try await withEmbeddedServer(configuration) { running in
                _ = try await Peer(running: running).register(DeviceTests.whole)
                for suffix in ["", "-wal", "-shm"] { #expect(try rights(suffix) == 0o600, "\(suffix)") }
            }
            // As an older version left it when it was killed.
            for suffix in ["", "-wal"] {
                _ = FileManager.default.createFile(atPath: file.path + "-wal", contents: nil)
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path + suffix)
            }
            try await withEmbeddedServer(configuration) { _ async throws in
                for suffix in ["", "-wal"] { #expect(try rights(suffix) == 0o600, "\(suffix)") }
            }
        }
    }

    @Test("a file that is not a database is an error of the start")
    func refusesOtherFiles() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("text.sqlite")
            try Data(String(repeating: "no database ", count: 100).utf8).write(to: file)
            var configuration = EmbeddedServerConfiguration()
            configuration.store = file.path
            let error = #expect(throws: EmbeddedServerError.self) { try EmbeddedServer(configuration) }
            #expect(error?.kind == .unusableStore)
            configuration.store = folder.appendingPathComponent("absent/store.sqlite").path
            #expect(throws: EmbeddedServerError.self) { try EmbeddedServer(configuration) }
        }
    }

    @Test("the stores in memory and on disk behave the same with devices", arguments: [false, true])
    func devices(inFile: Bool) async throws {
        try await withStore(inFile: inFile) { store in
            let first = KeyVerifierTests.device("a", .inactive)
            try await store.insert(first, maximum: 5)
            try await store.insert(KeyVerifierTests.device("b"), maximum: 5)
            await #expect(throws: (any Error).self) {
                try await store.insert(KeyVerifierTests.device("a", .active), maximum: 5)
            }
            #expect(try await store.device("a") == first)
            #expect(try await store.device("A") == nil)
            let changed = try await store.updateDevice("a", maximum: 5) {
                $0.status = .disabled
                $0.description = ["culture": ["code": "de-de"]]
            }
            #expect(try await store.device("a") == changed)
            #expect(changed?.status == .disabled)
            #expect(try await store.updateDevice("x", maximum: 5) { $0.status = .active } == nil)
            #expect(try await store.removeDevices { $0.status == .disabled } == 1)
            #expect(try await store.removeDevice("a") == false)
            #expect(try await store.removeDevice("b"))
            #expect(try await store.deviceCount() == 0)
        }
    }

    @Test(
        "the stores in memory and on disk sort todos by every field, and equal ones by creation",
        arguments: [false, true]
    )
    func todos(inFile: Bool) async throws {
        try await withStore(inFile: inFile) { store in
            let records = [("1", "b", "x", 3), ("2", "a", "y", 1), ("3", "b", "x", 2)]
            for (id, name, group, time) in records {
                let todo = TodoRecord(
                    id: id,
                    name: name,
                    status: "checked",
                    group: group,
                    created: Int64(time),
                    lastModified: Int64(-time)
                )
                try await store.insert(todo, maximum: 10)
            }
            let orders: [(TodoOrder?, [String])] = [
                (nil, ["1", "2", "3"]), (.id, ["1", "2", "3"]), (.name, ["2", "1", "3"]), (.status, ["1", "2", "3"]),
                (.group, ["1", "3", "2"]), (.created, ["2", "3", "1"]), (.lastModified, ["1", "3", "2"]),
            ]
            for (order, expected) in orders {
                #expect(try await store.todos(by: order, skip: 0, limit: 10).map(\.id) == expected)
            }
            #expect(try await store.updateTodo("2") { $0.name = "z" }?.name == "z")
            #expect(try await store.todo("2")?.name == "z")
            #expect(try await store.updateTodo("9") { $0.name = "z" } == nil)
            #expect(try await store.removeTodo("2"))
            #expect(try await store.removeTodo("2") == false)
        }
    }
}
