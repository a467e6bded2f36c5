import GRDB
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Long lists without pagination", .timeLimit(.minutes(5)))
struct LongListTests {
    private static let count = 120
    /// Annotations of some 40 KB.
    private static let annotations: [JSONValue] = [
        ["type": "com.example.a", "value": ["text": .string(String(repeating: "x", count: 40_000))]]
    ]

    @Test("long lists of muted and blocked users end at 4 MiB and can be continued", arguments: ["muted", "blocked"])
    func users(path: String) async throws {
        try await withAppNet { alice async throws in
            let ids = try await alice.running.appNet.state.store.write { database in
                let tables = AppNetTables(database: database)
                return try (0..<Self.count).map { number in
                    var user = AppNetUser(
                        id: 0,
                        username: "user\(number)",
                        password: nil,
                        name: "User",
                        type: "human",
                        created: 0,
                        timezone: "America/Los_Angeles",
                        locale: "en_US"
                    )
                    user.annotations = Self.annotations
                    let id = try tables.users.insert(user).id
                    try tables.relations.add(path == "muted" ? .mute : .block, 1, id, at: 0)
                    return String(id)
                }
            } publish: { _, _ in
            }
            try await Self.expect(ids.reversed(), at: "users/me/\(path)", of: alice)
        }
    }

    @Test("a long list of muted channels ends at 4 MiB and can be continued")
    func channels() async throws {
        try await withAppNet { alice async throws in
            let ids = try await alice.running.appNet.state.store.write { database in
                let table = AppNetChannelTable(database: database)
                return try (0..<Self.count).map { number in
                    var channel = AppNetChannel(id: 0, type: "com.example.a", owner: 1, created: 0)
                    channel.activity = 1_000 + Int64(number)
                    channel.annotations = Self.annotations
                    let id = try table.insert(channel).id
                    try database.execute(
                        sql: "INSERT INTO appnet_channel_mute (channel, user) VALUES (?, 1)",
                        arguments: [id]
                    )
                    return String(id)
                }
            } publish: { _, _ in
            }
            try await Self.expect(ids.reversed(), at: "users/me/channels/muted", of: alice)
        }
    }

    @Test("a long list of filters ends at 4 MiB and can be continued, and all filters can be deleted")
    func filters() async throws {
        try await withAppNet { alice async throws in
            let long: JSONValue = .array((0..<50).map { .string("\($0)" + String(repeating: "x", count: 2_000)) })
            let clause: JSONValue = ["object_type": "post", "field": "/data/id", "operator": "one_of", "value": long]
            let state = alice.running.appNet.state
            let ids = try await state.store.write { database in
                let document: JSONValue = ["match_policy": "include_any", "clauses": [clause]]
                return try (0..<60).map { _ in
                    let filter = try FilterRecord(id: 0, owner: 1, document)
                    return String(try FilterTable(database: database).insert(filter).id)
                }
            } publish: { _, _ in
            }
            let first = try await alice.send("GET", "filters")
            #expect(first.status == 200 && first.text.utf8.count < AnswerLimits.bytes + 200_000, "\(first.message)")
            #expect(first.meta["more"] == .bool(true) && first.ids.count > 1)
            let bound = try #require(first.meta["min_id"]?.stringValue)
            let second = try await alice.send("GET", "filters?before_id=\(bound)")
            #expect(second.meta["more"] == .bool(false))
            #expect(first.ids + second.ids == ids.reversed())
            let deleted = try await alice.send("DELETE", "filters")
            #expect(deleted.status == 200 && deleted.text.utf8.count < 600_000 && deleted.meta["more"] == .bool(true))
            #expect(try await alice.send("GET", "filters").ids.isEmpty)
            #expect(try await state.store.read { try FilterTable(database: $0).count(of: 1) } == 0)
        }
    }

    /// Reads a list, which must have some of its items in a first response and the others in a second one.
    private static func expect(_ ids: [String], at path: String, of alice: AppNetPeer) async throws {
        // Without annotations, the list is short enough.
        let short = try await alice.send("GET", path)
        #expect(short.ids == ids && short.meta == ["code": .integer(200)], "\(path) \(short.meta.text)")
        let first = try await alice.send("GET", "\(path)?include_annotations=1")
        #expect(first.status == 200 && first.text.utf8.count < AnswerLimits.bytes + 65_536, "\(first.message)")
        #expect(first.meta["more"] == .bool(true) && first.ids.count > 1)
        let bound = try #require(first.meta["min_id"]?.stringValue)
        let second = try await alice.send("GET", "\(path)?include_annotations=1&before_id=\(bound)")
        #expect(second.meta["more"] == .bool(false))
        #expect(first.ids + second.ids == ids)
    }
}
