import Foundation
import GRDB
import HeliumServer
import HeliumServerTesting
import TestSupport
import Testing

/// A server, and a folder for databases.
struct BeastToolWorld {
    let running: RunningServer
    let folder: URL

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// The variables that make `helium` use the server, with the token of its first user.
    var environment: [String: String] {
        let appNet = running.ready.appNet
        return ["APPNET_BASE_URL": appNet.root.absoluteString, "APPNET_TOKEN": appNet.users[0].token]
    }

    /// The token of another user of the server.
    var otherToken: String { running.ready.appNet.users[1].token }

    func beast(_ arguments: String..., db: String = "journal.sqlite") async throws -> Tool.Outcome {
        try await Tool.run(["beast"] + arguments + ["--db", path(db)], environment: environment)
    }

    /// Without a server and a token.
    func offline(_ arguments: String..., db: String = "journal.sqlite") async throws -> Tool.Outcome {
        try await Tool.run(["beast"] + arguments + ["--db", path(db)])
    }

    /// Any command with the server and the token, and with standard input.
    func tool(_ arguments: [String], input: Data) async throws -> Tool.Outcome {
        try await Tool.run(arguments, environment: environment, inputFile: .temporary(input))
    }

    /// `helium appnet`, with the same token.
    func appNet(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.run(["appnet"] + arguments, environment: environment)
    }

    func process(_ arguments: String..., db: String) -> Process {
        Tool.process(["beast"] + arguments + ["--db", path(db)], environment: environment)
    }

    /// The id of the journal, which is created.
    func journal(db: String = "journal.sqlite") async throws -> String {
        let outcome = try await beast("init", "--format", "json", db: db)
        #expect(outcome.stderr == "")
        return try #require(Self.list(outcome.stdout).first?["id"] as? String)
    }

    /// Lets a database belong to no service, as those of earlier versions, so that a server with another port can be used.
    func forgetService(db: String = "journal.sqlite") async throws {
        let queue = try openDatabase(path(db))
        try await queue.write { try $0.execute(sql: "DELETE FROM meta WHERE key = 'service_origin'") }
        try queue.close()
    }

    func fill(_ channel: String, _ count: Int) async throws {
        try await running.appNet.fillChannel(channel, count: count, by: "alice") {
            .init(text: "Message \($0) about Café #tag\($0 % 2)")
        }
    }

    /// The texts of the messages that the service has and that were not deleted.
    func texts(_ channel: String) async throws -> [String] {
        let list = try await appNet("messages", channel, "--format", "json")
        return try Self.list(list.stdout).filter { $0["is_deleted"] == nil }.compactMap { $0["text"] as? String }
    }

    static func list(_ text: String) throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    static func run(_ body: (Self) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try await withEmbeddedServer { try await body(Self(running: $0, folder: folder)) }
        }
    }
}
