import Foundation
import GRDB
import HeliumServer
import HeliumServerTesting
import TestSupport
import Testing

@Suite("helium beast")
struct BeastCommandTests {
    private typealias World = BeastToolWorld

    private func withWorld(_ body: (World) async throws -> Void) async throws { try await World.run(body) }

    @Test("helium beast creates channels, fills them by sync, and reads and searches them offline")
    func journal() async throws {
        try await withWorld { world in
            let channel = try await world.journal()
            try await world.fill(channel, 5)
            let sync = try await world.beast("sync")
            #expect(sync.stdout.contains("\(channel)        5    0        0"))
            let list = try await world.offline("list", "--limit", "2", "--format", "json")
            let messages = try World.list(list.stdout)
            #expect(messages.count == 2)
            let newest = try #require(messages.first?["message"] as? [String: Any])
            #expect(newest["text"] as? String == "Message 4 about Café #tag0")
            let id = try #require(newest["id"] as? String)
            #expect(try await world.offline("show", id).stdout.contains("Message 4 about Café"))
            let hits = try await world.offline("search", "cafe mess", "--format", "json")
            #expect(try World.list(hits.stdout).count == 5)
            let ranked = try await world.offline(
                "search",
                "message NOT tag1",
                "--pattern",
                "--rank",
                "--format",
                "json"
            )
            #expect(try World.list(ranked.stdout).count == 3)
            let tagged = try await world.offline("lookup", "--hashtag", "#TAG1", "--format", "json")
            #expect(try World.list(tagged.stdout).count == 2)
            let uses = try await world.offline("lookup", "--format", "json")
            #expect(try World.list(uses.stdout).compactMap { $0["name"] as? String } == ["tag0", "tag1"])
            #expect(try await world.offline("doctor").stdout == "no problems\n")
            #expect(try await world.offline("doctor", "--rebuild").stdout == "no problems\n")
        }
    }

    @Test("a full sync of helium beast that is killed continues where it was")
    func killed() async throws {
        try await withWorld { world in
            let channel = try await world.journal()
            try await world.fill(channel, 450)
            // Another device: the journal is not new to it.
            _ = try await world.journal(db: "second.sqlite")
            let path = "/stream/0/channels/\(channel)/messages"
            let token = world.running.faults.inject(.delay(.seconds(1)), .path(path))
            world.running.server.requests.removeAll()
            let sync = world.process("sync", db: "second.sqlite")
            sync.standardOutput = FileHandle.nullDevice
            sync.standardError = FileHandle.nullDevice
            try sync.run()
            try await eventually { world.running.requests.count("GET", path) == 2 }
            // The third stays without a response, however late it is seen.
            world.running.faults.inject(.delay(.seconds(60)), .path(path, next: 1))
            world.running.faults.remove(token)
            try await eventually { world.running.requests.count("GET", path) == 3 }
            kill(sync.processIdentifier, SIGKILL)
            sync.waitUntilExit()
            let stored = try await world.offline("list", "--limit", "0", "--format", "json", db: "second.sqlite")
            #expect(try World.list(stored.stdout).count == 400)
            world.running.server.requests.removeAll()
            let outcome = try await world.beast("sync", "--format", "json", db: "second.sqlite")
            #expect(try World.list(outcome.stdout).first?["messages"] as? Int == 50)
            // The third page, and one that asks for what is new.
            #expect(world.running.requests.count("GET", path) == 2)
            let all = try await world.offline("list", "--limit", "0", "--format", "json", db: "second.sqlite")
            let ids = try World.list(all.stdout).compactMap { ($0["message"] as? [String: Any])?["id"] as? String }
            #expect(ids.count == 450)
            #expect(Set(ids).count == 450)
        }
    }

    @Test("a channel that fails does not stop helium beast sync, which names it and fails")
    func failingChannel() async throws {
        try await withWorld { world in
            let created = try await world.beast("init", "--action", "com.example.favorite", "--format", "json")
            let channels = try World.list(created.stdout).compactMap { $0["id"] as? String }
            try #require(channels.count == 2)
            for channel in channels { try await world.fill(channel, 2) }
            let path = "/stream/0/channels/\(channels[0])/messages"
            let token = world.running.faults.inject(.status(404), .path(path))
            let outcome = try await world.beast("sync", "--format", "json")
            #expect(outcome.status == 1, "\(outcome)")
            #expect(try World.list(outcome.stdout).map { $0["messages"] as? Int } == [0, 2])
            let notes = outcome.stderr.split(separator: "\n").filter { $0.hasPrefix("helium: channel ") }
            #expect(notes.count == 1 && notes[0].hasPrefix("helium: channel \(channels[0]): "), "\(outcome)")
            world.running.faults.remove(token)
            let again = try await world.beast("sync", "--format", "json")
            #expect(again.status == 0, "\(again)")
            #expect(try World.list(again.stdout).map { $0["messages"] as? Int } == [2, 0])
        }
    }

    @Test("helium beast sync --reconcile finds deletions on the service")
    func reconciled() async throws {
        try await withWorld { world in
            let channel = try await world.journal()
            try await world.fill(channel, 3)
            _ = try await world.beast("sync")
            let appNet = world.running.ready.appNet
            let deletion = try await Tool.run(
                ["appnet", "delete", channel, "2"],
                environment: ["APPNET_BASE_URL": appNet.root.absoluteString, "APPNET_TOKEN": appNet.users[0].token]
            )
            #expect(deletion.status == 0)
            _ = try await world.beast("sync")
            #expect(try await World.list(world.offline("list", "--format", "json").stdout).count == 3)
            _ = try await world.beast("sync", "--reconcile")
            #expect(try await World.list(world.offline("list", "--format", "json").stdout).count == 2)
        }
    }

    @Test(
        "helium beast exits with 64 for usage errors, and with 1 for others",
        arguments: [
            (["list"], 64), (["list", "--db", "a", "--account", "b"], 64), (["list", "--account", "a/b"], 64),
            (["list", "--db", "none.sqlite", "--limit", "-1"], 64), (["wipe", "--db", "none.sqlite"], 64),
            (["lookup", "--db", "none.sqlite", "--hashtag", "a", "--place", "b"], 64), (["list", "--db", ""], 64),
            (["list", "--db", "none.sqlite"], 1), (["search", "a", "--db", "none.sqlite"], 1),
        ] as [([String], Int32)]
    )
    func usage(_ arguments: [String], _ status: Int32) async throws {
        let outcome = try await Tool.run(["beast"] + arguments)
        #expect(outcome.status == status)
        #expect(outcome.stdout == "")
        #expect(outcome.stderr != "")
        #expect(!FileManager.default.fileExists(atPath: "none.sqlite"))
    }

    @Test("helium beast wipe needs a confirmation, and empties the database")
    func wiped() async throws {
        try await withWorld { world in
            let channel = try await world.journal()
            try await world.fill(channel, 3)
            _ = try await world.beast("sync")
            #expect(try await world.offline("wipe").status == 64)
            #expect(try await world.offline("wipe", "--yes").status == 0)
            let list = try await world.offline("list")
            #expect(list.status == 1)
            #expect(list.stderr.contains("0 channels"))
        }
    }

    @Test("helium beast reports invalid patterns, types without an index and unknown ids")
    func refused() async throws {
        try await withWorld { world in
            _ = try await world.journal()
            #expect(try await world.offline("search", "a AND (", "--pattern").stderr.contains("invalidPattern"))
            for signs in ["\"(*", "🙂", "", "₽ …"] {
                let outcome = try await world.offline("search", signs)
                #expect(outcome.status == 1 && outcome.stderr.contains("cannot be searched for"), "\(outcome)")
                let place = try await world.offline("lookup", "--place", signs)
                #expect(place.status == 1 && place.stderr.contains("cannot be searched for"), "\(place)")
            }
            #expect(try await world.offline("lookup", "--annotation", "a.b").stderr.contains("notIndexed"))
            #expect(try await world.offline("show", "99").stderr.contains("not in the database"))
            #expect(try await world.offline("list", "--channel", "77").stderr.contains("not in the database"))
        }
    }
    @Test("an export of helium beast is readable for its owner only, and an import restores it")
    func exported() async throws {
        try await withWorld { world in
            let channel = try await world.journal()
            try await world.fill(channel, 3)
            _ = try await world.beast("sync")
            let file = world.path("export.jsonl")
            let export = try await world.offline("export", file)
            #expect(export.stdout == "1 channels, 3 messages (0 unsent), 0 deletions, 0 files\n")
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            // An existing file is kept.
            let again = try await world.offline("export", file)
            #expect(again.status == 1 && again.stderr.contains("--force"))
            #expect(try await world.offline("export", file, "--force").status == 0)
            let imported = try await world.offline("import", file, "--format", "json", db: "second.sqlite")
            #expect(imported.status == 0 && imported.stdout.contains("\"messages\""))
            let list = try await world.offline("list", "--format", "json", db: "second.sqlite")
            #expect(try World.list(list.stdout).count == 3)
            #expect(try await world.offline("list").stdout == world.offline("list", db: "second.sqlite").stdout)
            let twice = try await world.offline("import", file, db: "second.sqlite")
            #expect(twice.status == 1 && twice.stderr.contains("notEmpty"))
        }
    }

    @Test("helium beast export - is standard output, and import - is standard input")
    func streams() async throws {
        try await withWorld { world in
            let channel = try await world.journal()
            try await world.fill(channel, 3)
            _ = try await world.beast("sync")
            for command in [["export", "-"], ["doctor", "--export", "-"]] {
                let temporary = world.folder.appendingPathComponent("temporary")
                try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
                let export = try await Tool.run(
                    ["beast"] + command + ["--db", world.path("journal.sqlite")],
                    environment: ["TMPDIR": temporary.path],
                    folder: world.folder
                )
                #expect(export.status == 0 && export.stderr.contains("3 messages"), "\(export)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
                #expect(!FileManager.default.fileExists(atPath: world.path("-")))
                let copy = "\(command[0]).sqlite"
                let imported = try await Tool.run(
                    ["beast", "import", "-", "--db", world.path(copy)],
                    environment: ["TMPDIR": temporary.path],
                    input: export.stdout
                )
                #expect(imported.status == 0 && imported.stdout.contains("3 messages"), "\(imported)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
                #expect(try await world.offline("list").stdout == world.offline("list", db: copy).stdout)
            }
        }
    }

    @Test("an invalid line of an import is reported by helium beast, and nothing is imported")
    func brokenImport() async throws {
        try await withWorld { world in
            let channel = try await world.journal()
            try await world.fill(channel, 3)
            _ = try await world.beast("sync")
            let file = world.path("export.jsonl")
            _ = try await world.offline("export", file)
            var lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
            lines[2] = "{\"message\":3}"
            try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
            let imported = try await world.offline("import", file, db: "second.sqlite")
            #expect(imported.status == 1)
            #expect(imported.stdout == "")
            #expect(imported.stderr.contains("line 3 "))
            #expect(try await world.offline("list", db: "second.sqlite").stderr.contains("0 channels"))
            let legacy = try await world.offline("import", file, "--legacy")
            #expect(legacy.status == 1 && legacy.stderr.contains("notADatabase"))
            #expect(try await world.offline("list", "--format", "json").status == 0)
        }
    }

    @Test("helium beast doctor exports the readable part of a damaged database")
    func salvaged() async throws {
        try await withWorld { world in
            let channel = try await world.journal()
            try await world.fill(channel, 200)
            _ = try await world.beast("sync")
            let queue = try openDatabase(world.path("journal.sqlite"))
            // Moves all pages from the log to the file.
            try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            try queue.close()
            let sound = try await world.offline("doctor", "--export", world.path("sound.jsonl"))
            #expect(sound.status == 0 && sound.stdout.contains("200 messages"))
            let url = URL(fileURLWithPath: world.path("journal.sqlite"))
            var data = try Data(contentsOf: url)
            // Pages that are not used any more may have the text too.
            var position = data.startIndex
            while let found = data[position...].range(of: Data("Message 150 about".utf8)) {
                let page = found.lowerBound / 4096 * 4096
                data.replaceSubrange(page..<(page + 4096), with: Data(repeating: 0xA5, count: 4096))
                position = page + 4096
            }
            #expect(position > data.startIndex)
            try data.write(to: url)
            let file = world.path("salvaged.jsonl")
            let salvaged = try await world.offline("doctor", "--export", file)
            #expect(salvaged.status == 1)
            #expect(salvaged.stdout.contains("rows of message cannot be read"))
            #expect(try Data(contentsOf: url) == data)
            #expect(try await world.offline("import", file, db: "second.sqlite").status == 0)
            let list = try await world.offline("list", "--limit", "0", "--format", "json", db: "second.sqlite")
            let count = try World.list(list.stdout).count
            #expect((150..<200).contains(count))
        }
    }

    @Test(
        "helium beast export, import and doctor exit with 64 for usage errors, and with 1 for others",
        arguments: [
            (["export", "--db", "none.sqlite"], 64), (["import", "--db", "none.sqlite"], 64), (["export", "a"], 64),
            (["doctor", "--db", "none.sqlite", "--export", ""], 64),
            (["doctor", "--db", "none.sqlite", "--force"], 64), (["export", "a", "--db", "-"], 64),
            (["export", "-", "--db", "none.sqlite", "--format", "json"], 64),
            (["doctor", "--export", "-", "--db", "none.sqlite", "--format", "json"], 64),
            (["doctor", "--db", "none.sqlite", "--export", "a", "--rebuild"], 64),
            (["export", "none.jsonl", "--db", "none.sqlite"], 1), (["import", "none.jsonl", "--db", "none.sqlite"], 1),
            (["import", "none.jsonl", "--legacy", "--db", "none.sqlite"], 1),
            (["doctor", "--db", "none.sqlite", "--export", "none.jsonl"], 1),
        ] as [([String], Int32)]
    )
    func transferUsage(_ arguments: [String], _ status: Int32) async throws {
        let outcome = try await Tool.run(["beast"] + arguments)
        #expect(outcome.status == status)
        #expect(outcome.stdout == "")
        #expect(outcome.stderr != "")
        #expect(!FileManager.default.fileExists(atPath: "none.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: "none.jsonl"))
    }
}
