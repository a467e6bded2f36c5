import GRDB
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Ids of new objects of App.net", .timeLimit(.minutes(5)))
struct ObjectNumberTests {
    @Test(
        "new objects get greater numbers than all others, whatever the sequences of the store are",
        arguments: ["'x'", "0", "1"]
    )
    func damagedSequences(value: String) async throws {
        try await withAppNet { alice async throws in
            let channel = try await alice.createChannel()
            let other = try await alice.createChannel()
            for _ in 0..<3 { try await alice.createMessage("old", in: channel) }
            for _ in 0..<3 { try await alice.post("posts", #"{"text":"old"}"#) }
            let marker = #"{"name":"global","id":"1"}"#
            let version = try await alice.post("posts/marker", marker)["version"]?.stringValue
            _ = try await alice.running.server.appNet.state.store.write { database in
                try database.execute(sql: "UPDATE sqlite_sequence SET seq = \(value)")
                try database.execute(sql: "UPDATE appnet_setting SET value = \(value)")
            } publish: { _, _ in
            }
            #expect(try await alice.createMessage("new", in: other) == "4")
            #expect(try await alice.post("posts", #"{"text":"new"}"#)["id"]?.stringValue == "4")
            // The channel with the latest message comes first.
            #expect(try await alice.send("GET", "channels").ids == [other, channel])
            let changed = try await alice.post("posts/marker", marker)["version"]?.stringValue
            #expect(changed != nil && changed != version)
            #expect(try await alice.createChannel() == "3")
        }
    }

    @Test("the greatest id has no successor")
    func exhausted() throws {
        let database = try ServerDatabase.memory()
        try AppNetService.migrator.migrate(database)
        try database.write { database in
            #expect(try PostRecord.nextID(database) == 1)
            try database.execute(
                sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
                arguments: [PostRecord.databaseTableName, Int64.max]
            )
            #expect(throws: NumbersExhausted.self) { try PostRecord.nextID(database) }
        }
    }
}
