import Foundation
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@Suite("helium beast: writing")
struct BeastWritingTests {
    private typealias World = BeastToolWorld

    private func state(_ text: String) throws -> (id: String, state: String) {
        let row = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let message = try #require(row["message"] as? [String: Any])
        return (try #require(message["id"] as? String), try #require(row["state"] as? String))
    }

    @Test("messages that helium beast wrote offline are sent once, in order, by the next sync")
    func offline() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            var first: String?
            for text in ["One", "Two", "Three"] {
                let outcome = try await world.offline("send", text, "--offline", "--format", "json")
                let sent = try state(outcome.stdout)
                #expect(sent.state == "unsent")
                #expect(outcome.stderr == "helium: the message is stored, and was not sent yet\n")
                first = first ?? sent.id
            }
            let id = try #require(first)
            #expect(try await world.offline("outbox").stdout.contains("queued"))
            #expect(try await World.list(world.offline("outbox", "--format", "json").stdout).count == 3)
            #expect(try await world.offline("outbox", "edit", id, "Once", "--offline").status == 0)
            #expect(try await world.texts(channel) == [])
            #expect(try await world.beast("sync").status == 0)
            #expect(try await world.beast("sync").status == 0)
            #expect(try await world.texts(channel) == ["Once", "Two", "Three"])
            #expect(try await World.list(world.offline("outbox", "--format", "json").stdout).isEmpty)
            #expect(try await state(world.offline("show", id, "--format", "json").stdout).state == "sent")
        }
    }

    @Test("a message that helium beast cannot send is kept, and a reply to it waits")
    func unreachable() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            let sent = try await Tool.run(
                ["beast", "send", "Question", "--db", world.path("journal.sqlite"), "--format", "json"],
                environment: ["APPNET_BASE_URL": "http://127.0.0.1:9", "APPNET_TOKEN": "some-token"]
            )
            #expect(sent.status == 0)
            let question = try state(sent.stdout)
            #expect(question.state == "unsent")
            let reply = try await world.beast("send", "Answer", "--reply-to", question.id, "--format", "json")
            #expect(try state(reply.stdout).state == "sent")
            #expect(try await world.texts(channel) == ["Question", "Answer"])
        }
    }

    @Test(
        "helium beast stores a message and sends nothing while the account of the token is unknown",
        arguments: [429, 500, 503]
    )
    func accountUnknown(status: Int) async throws {
        try await World.run { world in
            _ = try await world.journal()
            // The service would accept the message, in the name of whichever account has the token.
            let script: FaultServer.Script = { request in
                request.target.contains("users/me") ? [.answer(status, fields: ["Retry-After: 600"])] : [.answer(500)]
            }
            try await FaultServer.run(script) { server in
                let sent = try await Tool.run(
                    ["beast", "send", "Tea", "--db", world.path("journal.sqlite"), "--timeout", "500ms"],
                    environment: ["APPNET_BASE_URL": server.url + "/stream/0", "APPNET_TOKEN": "some-token"]
                )
                #expect(sent.status == 0 && sent.stdout.contains("Tea"), "\(sent)")
                #expect(sent.stderr.contains("the account of the token is unknown"), "\(sent)")
                #expect(server.requests.allSatisfy { $0.method == "GET" }, "\(server.requests.map(\.target))")
            }
            #expect(try await World.list(world.offline("outbox", "--format", "json").stdout).count == 1)
        }
    }

    @Test("helium beast stores a message before it asks for the account of the token")
    func interrupted() async throws {
        try await World.run { world in
            _ = try await world.journal()
            try await FaultServer.run(faults: [.stallBeforeHeaders]) { server in
                let sending = try RunningTool(
                    starting: Tool.process(
                        ["beast", "send", "Tea", "--db", world.path("journal.sqlite")],
                        environment: ["APPNET_BASE_URL": server.url + "/stream/0", "APPNET_TOKEN": "some-token"]
                    )
                )
                #expect(await server.wait { $0.requestCount > 0 })
                _ = try await sending.end(SIGINT)
            }
            #expect(try await World.list(world.offline("outbox", "--format", "json").stdout).count == 1)
        }
    }

    @Test("helium beast sends nothing with the token of another account, and keeps what it was given")
    func otherAccount() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            var environment = world.environment
            environment["APPNET_TOKEN"] = world.otherToken
            for arguments in [["send", "Tea"], ["sync"], ["outbox", "send"]] {
                let outcome = try await Tool.run(
                    ["beast"] + arguments + ["--db", world.path("journal.sqlite")],
                    environment: environment
                )
                #expect(outcome.status == 1 && outcome.stderr.contains("otherAccount"), "\(arguments): \(outcome)")
            }
            #expect(try await World.list(world.offline("outbox", "--format", "json").stdout).count == 1)
            #expect(try await world.texts(channel) == [])
            #expect(try await world.beast("outbox", "send").status == 0)
            #expect(try await world.texts(channel) == ["Tea"])
        }
    }

    @Test(
        "helium beast sends nothing to another service that has an account with the same id, and keeps what it was given"
    )
    func otherService() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            try await World.run { other in
                for arguments in [["send", "Tea"], ["sync"], ["outbox", "send"]] {
                    let outcome = try await Tool.run(
                        ["beast"] + arguments + ["--db", world.path("journal.sqlite")],
                        environment: other.environment
                    )
                    #expect(
                        outcome.status == 1 && outcome.stderr.contains("another service"),
                        "\(arguments): \(outcome)"
                    )
                }
            }
            #expect(try await World.list(world.offline("outbox", "--format", "json").stdout).count == 1)
            #expect(try await world.beast("outbox", "send").status == 0)
            #expect(try await world.texts(channel) == ["Tea"])
        }
    }

    @Test("a deletion by helium beast is recorded offline, can be undone, and reaches the service")
    func deleted() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            let sent = try state(try await world.beast("send", "Tea", "--format", "json").stdout)
            #expect(try await world.offline("delete", sent.id, "--offline").status == 0)
            #expect(try await world.offline("show", sent.id).status == 1)
            let undone = try await world.offline("delete", sent.id, "--undo", "--format", "json")
            #expect(try state(undone.stdout).state == "sent")
            #expect(try await world.offline("delete", sent.id, "--undo").status == 1)
            #expect(try await world.beast("delete", sent.id).status == 0)
            #expect(try await world.texts(channel) == [])
        }
    }

    @Test("files that helium beast attached may be deleted before they are sent")
    func attached() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            let file = world.path("map.txt")
            try Data("a map".utf8).write(to: URL(fileURLWithPath: file))
            let outcome = try await world.offline("attach", file, "--text", "Home", "--offline", "--format", "json")
            let stored = try state(outcome.stdout)
            #expect(stored.state == "unsent")
            try FileManager.default.removeItem(atPath: file)
            #expect(try await world.beast("outbox", "send").status == 0)
            #expect(try await world.texts(channel) == ["Home"])
            let sent = try await world.offline("show", stored.id, "--format", "json")
            #expect(try state(sent.stdout).state == "sent")
            #expect(sent.stdout.contains("net.app.core.file_list") && sent.stdout.contains("map.txt"))
            #expect(try await world.offline("attach", file, "--text", "Home", "--offline").status == 1)
            #expect(try await World.list(world.offline("outbox", "--format", "json").stdout).isEmpty)
        }
    }

    @Test("an action by helium beast on one device shows on another, and is removed there")
    func actions() async throws {
        try await World.run { world in
            for db in ["one.sqlite", "two.sqlite"] {
                #expect(try await world.beast("init", "--action", "com.example.favorite", db: db).status == 0)
            }
            let sent = try state(try await world.beast("send", "Tea", "--format", "json", db: "one.sqlite").stdout)
            #expect(try await world.offline("actions", "add", sent.id, "--offline", db: "one.sqlite").status == 0)
            #expect(try await world.beast("outbox", "send", db: "one.sqlite").status == 0)
            #expect(try await world.beast("sync", db: "two.sqlite").status == 0)
            let listed = try await world.offline("actions", "--format", "json", db: "two.sqlite")
            #expect(try World.list(listed.stdout).count == 1)
            let temporary = try World.list(listed.stdout).first?["message"] as? [String: Any]
            let id = try #require(temporary?["id"] as? String)
            #expect(try await world.beast("actions", "remove", id, db: "two.sqlite").status == 0)
            #expect(try await world.beast("sync", "--reconcile", db: "one.sqlite").status == 0)
            #expect(try await World.list(world.offline("actions", "--format", "json", db: "one.sqlite").stdout).isEmpty)
            let none = try await world.offline("actions", "--type", "com.example.other", db: "one.sqlite")
            #expect(none.status == 1 && none.stderr.contains("init --action"))
        }
    }

    @Test("helium beast watch prints the writes of another process, and ends with a signal")
    func watched() async throws {
        try await World.run { world in
            _ = try await world.journal()
            let watch = try RunningTool(starting: world.process("watch", db: "journal.sqlite"))
            let line = Mutex<String?>(nil)
            let reading = Task {
                let text = try await watch.line()
                line.withLock { $0 = text }
            }
            var count = 0
            try await eventually {
                count += 1
                // It tells of what is written after it has begun to look.
                let text = "Tea \(count)\nremoved 9 2001-01-01T00:00:00Z forged"
                let sent = try await world.offline("send", text, "--offline")
                #expect(sent.status == 0)
                return line.withLock { $0 != nil }
            }
            try await reading.value
            let text = try #require(line.withLock { $0 })
            #expect(text.hasPrefix("added ") && text.contains("Tea"), "\(text)")
            #expect(text.hasSuffix("\\nremoved 9 2001-01-01T00:00:00Z forged"), "a message is one line: \(text)")
            #expect(try await watch.end(SIGINT) == 0)
        }
    }

    @Test("helium beast writes, changes and sends drafts")
    func drafts() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            let draft = try state(try await world.offline("drafts", "create", "Te", "--format", "json").stdout)
            #expect(draft.state == "draft")
            #expect(try await world.offline("drafts", "edit", draft.id, "Tea").status == 0)
            #expect(try await World.list(world.offline("drafts", "--format", "json").stdout).count == 1)
            let sent = try await world.beast("drafts", "send", draft.id, "--format", "json")
            #expect(try state(sent.stdout).state == "sent")
            #expect(try await world.texts(channel) == ["Tea"])
            let other = try state(try await world.offline("drafts", "create", "x", "--format", "json").stdout)
            #expect(try await world.offline("drafts", "delete", other.id).status == 0)
            #expect(try await world.offline("drafts", "delete", other.id).status == 1)
        }
    }

    @Test(
        "writing commands of helium beast exit with 64 for usage errors, and with 1 for others",
        arguments: [
            (["send", ""], 64), (["send"], 64), (["delete"], 64), (["delete", "1", "--undo", "--offline"], 64),
            (["outbox", "edit", "1"], 64), (["outbox", "nothing"], 64), (["drafts", "send"], 64),
            (["send", "a", "--offline"], 1), (["outbox", "retry", "1", "--offline"], 1), (["drafts"], 1),
        ] as [([String], Int32)]
    )
    func usage(_ arguments: [String], _ status: Int32) async throws {
        let outcome = try await Tool.run(["beast"] + arguments + ["--db", "none.sqlite"])
        #expect(outcome.status == status)
        #expect(outcome.stdout == "")
        #expect(outcome.stderr != "")
        #expect(!FileManager.default.fileExists(atPath: "none.sqlite"))
    }

    @Test("helium beast reports unknown messages")
    func unknown() async throws {
        try await World.run { world in
            _ = try await world.journal()
            let commands = [
                ["outbox", "retry", "9", "--offline"], ["outbox", "discard", "9"], ["delete", "9", "--offline"],
            ]
            for arguments in commands {
                let outcome = try await Tool.run(["beast"] + arguments + ["--db", world.path("journal.sqlite")])
                #expect(outcome.status == 1)
                #expect(outcome.stderr.contains("notFound"))
            }
        }
    }
}
