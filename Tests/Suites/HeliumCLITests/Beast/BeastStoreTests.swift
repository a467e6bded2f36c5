import Foundation
import GRDB
import TestSupport
import Testing

@Suite("helium beast: databases and progress", .timeLimit(.minutes(5)))
struct BeastStoreTests {
    private typealias World = BeastToolWorld

    @Test("helium beast --account keeps the database in the user's state folder, for its owner only")
    func account() async throws {
        try await World.run { world in
            let environment = world.environment.merging(["XDG_STATE_HOME": world.path("state")]) { $1 }
            func run(_ arguments: String..., account: String = "alice") async throws -> Tool.Outcome {
                try await Tool.run(["beast"] + arguments + ["--account", account], environment: environment)
            }
            #expect(try await run("init").status == 0)
            #expect(try await run("send", "Tea").status == 0)
            #expect(try await run("list").stdout.contains("Tea"))
            let folder = world.path("state/helium/beast")
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(folder) == 0o700)
            #expect(try mode(folder + "/alice.sqlite") == 0o600)
            let other = try await run("list", account: "bob")
            #expect(other.status == 1 && other.stderr.contains("there is no database at \(folder)/bob.sqlite"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/bob.sqlite"))
            for name in ["", ".alice", "a/b"] { #expect(try await run("list", account: name).status == 64) }
        }
    }

    @Test("helium beast imports a database of AATTMessageManager once, and sends its unsent messages")
    func legacy() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            let file = world.path("aattadndatabase.sqlite3")
            let queue = try DatabaseQueue(path: file)
            try await queue.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE messages (message_id INTEGER PRIMARY KEY, message_message_id TEXT UNIQUE,
                            message_channel_id TEXT NOT NULL, message_date INTEGER NOT NULL, message_json TEXT NOT NULL,
                            message_text TEXT, message_unsent BOOLEAN, message_send_attempts INTEGER);
                        INSERT INTO messages VALUES
                            (1, '5C0C1DA8-97BC-4C59-A6F5-8E3F4E4C1D11', '\(channel)', 1400000008, '{}', 'Later', 1, 3),
                            (2, '77', '\(channel)', 1400000009, '{"id":', 'broken', 0, 0);
                        """
                )
            }
            try queue.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: file))
            let first = try await world.offline("import", file, "--legacy")
            #expect(first.status == 0 && first.stderr == "", "\(first)")
            let line = "0 messages, 1 unsent, 0 drafts, 0 deletions, 0 files; 1 could not be read\n"
            #expect(first.stdout == line)
            let twice = try await world.offline("import", file, "--legacy", "--format", "json")
            let report = try JSONSerialization.jsonObject(with: Data(twice.stdout.utf8)) as? [String: Int]
            #expect(report?["unsent"] == 0 && report?["unreadable"] == 1, "\(twice)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
            #expect(try await world.offline("outbox").stdout.contains("Later"))
            #expect(try await world.beast("outbox", "send").status == 0)
            #expect(try await world.texts(channel) == ["Later"])
            try Data("no database".utf8).write(to: URL(fileURLWithPath: file))
            let foreign = try await world.offline("import", file, "--legacy")
            #expect(foreign.status == 1 && foreign.stderr.contains("notADatabase"), "\(foreign)")
        }
    }

    @Test("helium beast names a file that is no database, and the reason")
    func unusableFile() async throws {
        try await World.run { world in
            let folder = try await world.offline("list", db: "")
            #expect(folder.status == 1, "\(folder)")
            #expect(folder.stderr == "helium: \(world.path("")): notADatabase: not a regular file\n")
            let missing = try await world.beast("init", db: "none/a.sqlite")
            let reason = "cannotOpen: the folder of the file does not exist"
            #expect(missing.status == 1 && missing.stderr == "helium: \(world.path("none/a.sqlite")): \(reason)\n")
        }
    }

    @Test("the commands of helium beast that only read do not wait for a stopped writer")
    func stoppedWriter() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            try await world.fill(channel, 3)
            _ = try await world.beast("sync")
            let list = try await world.offline("list", "--format", "json")
            let first = try #require(try World.list(list.stdout).first)
            let id = try #require((first["message"] as? [String: Any])?["id"] as? String)
            let writer = try openDatabase(world.path("journal.sqlite"), allowsUnsafeTransactions: true)
            try await writer.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            let commands = [
                ["list"], ["show", id], ["search", "message"], ["lookup"], ["lookup", "--hashtag", "tag1"], ["outbox"],
                ["drafts"], ["doctor"], ["export", world.path("export.jsonl")],
            ]
            for command in commands {
                let outcome = try await Tool.run(["beast"] + command + ["--db", world.path("journal.sqlite")])
                #expect(outcome.status == 0 && outcome.stderr == "", "\(command): \(outcome)")
            }
            try await writer.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try writer.close()
        }
    }

    @Test("helium beast upgrades an older database with the first command that writes, and reads it before")
    func upgrade() async throws {
        try await World.run { world in
            let path = world.path("old.sqlite")
            let fixture = SharedDocuments.package.appendingPathComponent("Fixtures/messagebeast/version-1.sqlite")
            try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
            func search(_ text: String = "first") async throws -> Tool.Outcome {
                try await world.offline("search", text, "--channel", "100", db: "old.sqlite")
            }
            #expect(try await search("日本").stdout.contains("今日は日本語"))
            let before = try await search()
            #expect(before.status == 0 && before.stdout.contains("First"), "\(before)")
            #expect(before.stderr.contains("the index of an older version"))
            let writing = try await world.offline("drafts", "create", "x", "--channel", "100", db: "old.sqlite")
            #expect(writing.status == 0 && writing.stderr.contains("upgrading the search index"), "\(writing)")
            let after = try await search()
            #expect(after.status == 0 && after.stdout == before.stdout && after.stderr == "", "\(after)")
        }
    }

    @Test("helium beast sync shows its progress on a terminal, within its width", arguments: [80, 30])
    func progress(columns: Int) async throws {
        try await World.run { world in
            let channel = try await world.journal()
            try await world.fill(channel, 450)
            // Another device: the service has counted the messages that it finds.
            _ = try await world.journal(db: "second.sqlite")
            let terminal = try #require(PseudoTerminal(columns: columns, rows: 24))
            let outcome = try await Tool.run(
                ["beast", "sync", "--db", world.path("second.sqlite")],
                environment: world.environment,
                errors: terminal.process
            )
            #expect(outcome.status == 0)
            #expect(outcome.stdout.contains("450"))
            let shown = terminal.shown()
            let lines = shown.split(whereSeparator: { $0.isNewline }).map { $0.replacing("\u{1B}[K", with: "") }
            #expect(lines.filter { !$0.isEmpty }.count == 3, "\(shown.debugDescription)")
            #expect(lines.allSatisfy { $0.count < columns }, "\(shown.debugDescription)")
            for amount in ["200 messages", "400 messages", "450 messages"] { #expect(shown.contains(amount)) }
            #expect(shown.hasSuffix("\r\n"))
            guard columns == 80 else { return }
            #expect(lines.first?.contains("[=") == true && lines.first?.contains(" 44 %") == true, "\(lines)")
            #expect(lines.last?.contains("100 %") == true && lines.last?.contains("= ") == false, "\(lines)")
        }
    }
}
