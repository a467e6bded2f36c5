import Foundation
import GRDB
import HeliumDatabase
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Cost of creating messages and posts", .timeLimit(.minutes(5)))
struct CreationCostTests {
    @Test("a new message or post is one row that is written once, also if it contains its own id")
    func rows() async throws {
        try await withVisitors { alice, bob in
            let channel = try await alice.channel()
            let link: TestJSON = ["text": "a", "pos": 0, "len": 1, "url": "http://example.com/{message_id}{post_id}"]
            let body: TestJSON = ["text": "a word", "entities": ["links": [link]]]
            let trace = StatementTrace()
            for (path, table, name) in [
                ("channels/\(channel)/messages", "appnet_message", "message"), ("posts", "appnet_post", "post"),
            ] {
                let first = try await alice.post(path, ["text": "first"])
                let parent = try #require(first["id"]?.stringValue, "\(first.text)")
                try await trace.start(alice.running.appNet.state.store.access.database)
                let made = try await alice.post(path, body)
                let ran = try await trace.stop(alice.running.appNet.state.store.access.database)
                let id = try #require(made["id"]?.stringValue, "\(made.text)")
                #expect(made["thread_id"] == .string(id))
                #expect(made.text.contains("/\(id){") || made.text.contains("}\(id)"), "\(made.text)")
                #expect(ran.count { $0.hasPrefix("INSERT INTO \"\(table)\"") } == 1, "\(name)")
                #expect(!ran.contains { $0.hasPrefix("UPDATE \"\(table)\"") || $0.hasPrefix("UPDATE \(table)") })
                #expect(
                    !ran.contains {
                        $0.hasSuffix("COUNT(*) FROM \(table)") || $0.hasSuffix("COUNT(*) FROM \"\(table)\"")
                    }
                )
                let reply = try await bob.post(path, ["text": "reply", "reply_to": .string(id)])
                #expect(reply["thread_id"] == .string(id) && reply["reply_to"] == .string(id))
                #expect(Int(parent).map { $0 + 1 } == Int(id))
            }
        }
    }

    @Test("a user who is named in many spellings is looked up without the profile")
    func names() async throws {
        try await withVisitors { alice, _ in
            let names: TestJSON = ["@bob", "@Bob", "@BOB", "2", "02"]
            let trace = StatementTrace()
            try await trace.start(alice.running.appNet.state.store.access.database)
            let channel = try await alice.post("channels", ["type": "com.example.a", "readers": ["user_ids": names]])
            let message = try await alice.post("channels/pm/messages", ["text": "hello", "destinations": names])
            let ran = try await trace.stop(alice.running.appNet.state.store.access.database)
            #expect(channel["readers"]?["user_ids"] == ["2"], "\(channel.text)")
            #expect(message.status == 200, "\(message.text)")
            #expect(!ran.contains { $0.hasPrefix("SELECT * FROM appnet_user WHERE username") })
        }
    }

    @Test(
        "the users that a text mentions are looked up without their profiles, and the author's is read once",
        arguments: [1, 400]
    )
    func mentions(count: Int) async throws {
        try await withVisitors({ $0.accounts = Self.bots }) { alice, bob in
            let channel = try await alice.channel()
            _ = try await alice.post("users/@bob/follow", [:])
            let text = String(repeating: "@alice ", count: count).prefix(2_048)
            let trace = StatementTrace()
            try await trace.start(alice.running.appNet.state.store.access.database)
            let message = try await bob.post("channels/\(channel)/messages", ["text": .string(String(text))])
            let ran = try await trace.stop(alice.running.appNet.state.store.access.database)
            #expect(message["entities"]?["mentions"]?.arrayValue?.first?["id"] == "1", "\(message.text)")
            #expect(!ran.contains { $0.hasPrefix("SELECT * FROM appnet_user WHERE username") })
            #expect(ran.count { $0.hasPrefix("SELECT type = 'bot' FROM appnet_user") } == 1)
            #expect(ran.count { $0.hasPrefix("SELECT * FROM appnet_user") } < 5)
        }
    }

    /// Two users. The second is a bot.
    private static var bots: AppNetAccounts {
        var accounts = AppNetAccounts.standard
        accounts.users[1].type = "bot"
        return accounts
    }

    @Test("messages and posts are refused when the rows, with the deleted ones, reach their limit")
    func ceilings() async throws {
        try await withVisitors {
            $0.maxima.messages = 2
            $0.maxima.posts = 2
        } _: { alice, _ in
            let channel = try await alice.channel()
            for path in ["channels/\(channel)/messages", "posts"] {
                let first = try await alice.post(path, ["text": "first"])
                #expect(try await alice.delete("\(path)/\(try #require(first["id"]?.stringValue))").status == 200)
                #expect(try await alice.post(path, ["text": "second"]).status == 200)
                #expect(try await alice.post(path, ["text": "third"]).status == 400)
            }
        }
    }
}
