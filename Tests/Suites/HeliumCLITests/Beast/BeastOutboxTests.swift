import Foundation
import GRDB
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import TestSupport
import Testing

@Suite("helium beast: the outbox", .timeLimit(.minutes(5)))
struct BeastOutboxTests {
    private typealias World = BeastToolWorld

    private struct Row {
        let id: String
        let text: String
        let state: String
        let reason: String
    }

    private func outbox(_ world: World) async throws -> [Row] {
        try await World.list(world.offline("outbox", "--format", "json").stdout).map { row in
            let outer = try #require(row["message"] as? [String: Any])
            let message = try #require(outer["message"] as? [String: Any])
            return Row(
                id: try #require(message["id"] as? String),
                text: try #require(message["text"] as? String),
                state: try #require(row["state"] as? String),
                reason: row["reason"] as? String ?? ""
            )
        }
    }

    private func state(_ outcome: Tool.Outcome) throws -> String? {
        let row = try JSONSerialization.jsonObject(with: Data(outcome.stdout.utf8)) as? [String: Any]
        return row?["state"] as? String
    }

    /// Creates a journal, and sends three messages that the service refuses. It refuses all others, too.
    private func park(_ world: World) async throws -> (channel: String, rows: [Row]) {
        let channel = try await world.journal()
        let path = "/stream/0/channels/\(channel)/messages"
        world.running.faults.inject(.status(400), .path(path, method: "POST"))
        for text in ["One", "Two", "Three"] { #expect(try await world.beast("send", text).status == 0) }
        let rows = try await outbox(world)
        try #require(rows.count == 3)
        return (channel, rows)
    }

    @Test("helium beast outbox lists messages that the service refused with the reason, and queues one for another try")
    func parked() async throws {
        try await World.run { world in
            let rows = try await park(world).rows
            #expect(rows.map(\.text) == ["One", "Two", "Three"])
            #expect(rows.allSatisfy { $0.state == "parked" && $0.reason.contains("400") }, "\(rows)")
            #expect(try await world.offline("outbox").stdout.contains("parked"))
            // A message that waits for a decision is not an error of the command.
            #expect(try await world.beast("outbox", "send").status == 0)
            #expect(try await world.offline("outbox", "retry", rows[0].id, "--offline").status == 0)
            #expect(try await outbox(world).map(\.state) == ["queued", "parked", "parked"])
            #expect(try await world.beast("outbox", "send").status == 0)
            #expect(try await outbox(world).map(\.state) == ["parked", "parked", "parked"])
        }
    }

    @Test("helium beast outbox retries, edits and discards messages that the service refused")
    func decisions() async throws {
        try await World.run { world in
            let (channel, rows) = try await park(world)
            world.running.faults.removeAll()
            let retried = try await world.beast("outbox", "retry", rows[0].id, "--format", "json")
            #expect(try state(retried) == "sent")
            let edited = try await world.beast("outbox", "edit", rows[1].id, "Second", "--format", "json")
            #expect(try state(edited) == "sent")
            #expect(try await world.offline("outbox", "discard", rows[2].id).status == 0)
            #expect(try await outbox(world).isEmpty)
            #expect(try await world.offline("show", rows[2].id).status == 1)
            #expect(try await world.texts(channel) == ["One", "Second"])
            for command in ["retry", "discard"] {
                let again = try await world.beast("outbox", command, rows[0].id)
                #expect(again.status == 1 && again.stderr.contains("notFound"), "\(again)")
            }
            let late = try await world.beast("outbox", "edit", rows[0].id, "Late")
            #expect(late.status == 1 && late.stderr.contains("notEditable"), "\(late)")
        }
    }

    @Test("helium beast outbox shows a deletion that the service refused, which can be retried, undone and given up")
    func deletions() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            let sent = try await world.beast("send", "One", "--format", "json").stdout
            let row = try #require(try JSONSerialization.jsonObject(with: Data(sent.utf8)) as? [String: Any])
            let id = try #require((row["message"] as? [String: Any])?["id"] as? String)
            func parked() async throws -> [[String: Any]] {
                try await World.list(world.offline("outbox", "deletions", "--format", "json").stdout)
            }
            let path = "/stream/0/channels/\(channel)/messages/\(id)"
            world.running.faults.inject(.status(403), .path(path, method: "DELETE"))
            let refused = try await world.beast("delete", id)
            #expect(refused.status == 0 && refused.stderr.contains("helium beast outbox deletions"), "\(refused)")
            let deletion = try #require(try await parked().first)
            #expect(deletion["id"] as? String == id && deletion["kind"] as? String == "message")
            #expect(deletion["can_be_undone"] as? Bool == true && deletion["channel_id"] as? String == channel)
            #expect(try await world.offline("outbox", "deletions").stdout.contains("403"))
            let refusal = "1 deletions of messages, 0 of files, 1 of them refused"
            #expect(try await world.offline("outbox").stderr.contains("\(refusal): see helium beast outbox deletions"))
            let wipe = try await world.offline("wipe", "--yes")
            #expect(wipe.status == 1 && wipe.stderr.contains(refusal), "\(wipe)")
            #expect(try await world.offline("delete", id, "--undo").status == 0)
            #expect(try await parked().isEmpty)
            #expect(try await world.offline("outbox").stderr == "")
            #expect(try await world.offline("show", id).status == 0)
            #expect(try await world.beast("delete", id).status == 0)
            #expect(try await world.beast("outbox", "retry", id).status == 0)
            #expect(try await parked().count == 1)
            #expect(try await world.offline("outbox", "discard", id).status == 0)
            #expect(try await parked().isEmpty)
            for command in [["retry", id, "--offline"], ["discard", id]] {
                for arguments in [command, command + ["--file"]] {
                    let again = try await Tool.run(
                        ["beast", "outbox"] + arguments + ["--db", world.path("journal.sqlite")]
                    )
                    #expect(again.status == 1 && again.stderr.contains("notFound"), "\(again)")
                }
            }
        }
    }

    @Test("helium beast send refuses a text that is too long, and stores nothing")
    func longText() async throws {
        try await World.run { world in
            _ = try await world.journal()
            let long = try await world.offline("send", String(repeating: "a", count: 2049), "--offline")
            #expect(long.status == 64, "\(long)")
            #expect(try await outbox(world).isEmpty)
        }
    }

    @Test("a message that was rejected is shown to need an edit, is not retried, and is sent when it is edited")
    func rejected() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            let path = "/stream/0/channels/\(channel)/messages"
            let fault = world.running.faults.inject(.status(400), .path(path, method: "POST"))
            let refused = try await world.beast("send", "One")
            #expect(refused.status == 0 && refused.stderr.contains("needs a decision: see helium beast outbox"))
            world.running.faults.remove(fault)
            #expect(try await !world.offline("outbox", "--format", "json").stdout.contains("needs_edit"))
            // No command makes a request that the client itself rejects.
            let queue = try openDatabase(world.path("journal.sqlite"))
            try await queue.write { database in
                try database.execute(sql: "UPDATE outbox SET last_error_code = 'reject:' || last_error_code")
            }
            try queue.close()
            let row = try #require(try await outbox(world).first)
            #expect(row.state == "parked" && row.reason.hasPrefix("badRequest: "))
            let listed = try World.list(try await world.offline("outbox", "--format", "json").stdout)
            #expect(listed.first?["needs_edit"] as? Bool == true)
            #expect(try await world.offline("outbox").stdout.contains("; edit it to send it"))
            let retried = try await world.offline("outbox", "retry", row.id, "--offline")
            #expect(retried.status == 1 && retried.stderr.contains("edit it before you retry it"), "\(retried)")
            let edited = try await world.beast("outbox", "edit", row.id, "First", "--format", "json")
            #expect(try state(edited) == "sent")
            #expect(try await world.texts(channel) == ["First"])
        }
    }

    @Test("messages and a file of a killed helium beast are sent once, in order")
    func killed() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            let file = world.path("map.txt")
            try Data("a map".utf8).write(to: URL(fileURLWithPath: file))
            #expect(try await world.offline("send", "One", "--offline").status == 0)
            #expect(try await world.offline("attach", file, "--text", "Two", "--offline").status == 0)
            #expect(try await world.offline("send", "Three", "--offline").status == 0)
            try FileManager.default.removeItem(atPath: file)
            let ids = try await outbox(world).map(\.id)
            let alice = try await world.appNet("user", "me", "--format", "json").stdout
            // A server that knows the account, takes a message and never responds.
            let script: FaultServer.Script = { request in
                guard request.target.contains("users/me") else { return [.wait(.seconds(600))] }
                let body = #"{"meta":{"code":200},"data":\#(alice)}"#
                return [.answer(fields: ["Content-Type: application/json"], body: body)]
            }
            // It has another port than the server of the database.
            try await world.forgetService()
            try await FaultServer.run(script) { silent in
                let sending = Tool.process(
                    ["beast", "outbox", "send", "--db", world.path("journal.sqlite")],
                    environment: ["APPNET_BASE_URL": silent.url + "/stream/0", "APPNET_TOKEN": "token-of-alice"]
                )
                (sending.standardOutput, sending.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
                try sending.run()
                try await eventually { try await outbox(world).first?.state == "sending" }
                try await world.forgetService()
                // The claim of a living process is left alone.
                #expect(try await world.beast("outbox", "send").status == 1)
                #expect(try await world.texts(channel) == [])
                kill(sending.processIdentifier, SIGKILL)
                sending.waitUntilExit()
            }
            #expect(try await outbox(world).map(\.text) == ["One", "Two", "Three"])
            for _ in 0..<2 { #expect(try await world.beast("outbox", "send").status == 0) }
            #expect(try await world.beast("sync").status == 0)
            #expect(try await world.texts(channel) == ["One", "Two", "Three"])
            #expect(try await outbox(world).isEmpty)
            let two = try await world.offline("show", ids[1], "--format", "json")
            #expect(two.stdout.components(separatedBy: "\"map.txt\"").count == 2, "\(two.stdout)")
        }
    }

    @Test("helium beast attach --embed embeds a file with the given media type")
    func embedded() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            let file = world.path("dot")
            try Data("GIF89a".utf8 + [1, 0, 1, 0, 0, 0, 0]).write(to: URL(fileURLWithPath: file))
            let options = ["--text", "Dot", "--embed", "--media-type", "image/gif", "--format", "json"]
            let outcome = try await Tool.run(
                ["beast", "attach", file] + options + ["--db", world.path("journal.sqlite")],
                environment: world.environment
            )
            #expect(try state(outcome) == "sent")
            #expect(outcome.stdout.contains("net.app.core.oembed"), "\(outcome)")
            #expect(!outcome.stdout.contains("net.app.core.file_list"))
            #expect(try await world.texts(channel) == ["Dot"])
            let found = try await world.offline("lookup", "--annotation", "net.app.core.oembed", "--format", "json")
            #expect(try World.list(found.stdout).count == 1)
        }
    }
}
