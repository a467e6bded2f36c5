import Foundation
import GRDB
import TestSupport
import Testing

@Suite("helium beast: a disk that is full, a database that is locked", .timeLimit(.minutes(5)))
struct BeastGroundTests {
    private typealias World = BeastToolWorld

    private func staged(_ world: World) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: world.path("journal.sqlite-files"))) ?? []
    }

    private func outbox(_ world: World) async throws -> Int {
        try await World.list(world.offline("outbox", "--format", "json").stdout).count
    }

    @Test("a file that does not fit on the disk is refused, with its message, and can be attached later")
    func fileTooLarge() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            let file = world.path("large.bin")
            try Data(repeating: 7, count: 6 << 20).write(to: URL(fileURLWithPath: file))
            let arguments = ["attach", file, "--text", "Large", "--offline"]
            let process = Tool.process(["beast"] + arguments + ["--db", world.path("journal.sqlite")])
            // A limit of the system, in blocks of 512 or 1,024 bytes: the database stays below it. The call fails, and does
            // not end the process.
            let command = "trap '' XFSZ; ulimit -f 4096 && exec \"$0\" \"$@\""
            process.arguments = ["-c", command, Tool.executable.path] + (process.arguments ?? [])
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let refused = try await Tool.run(process)
            #expect(refused.status == 1 && refused.stderr.contains("diskFull"), "\(refused)")
            #expect(staged(world) == [])
            #expect(try await outbox(world) == 0)
            #expect(try await world.offline("attach", file, "--text", "Large", "--offline").status == 0)
            #expect(try await world.beast("outbox", "send").status == 0)
            #expect(try await world.texts(channel) == ["Large"])
            #expect(staged(world) == [])
        }
    }

    @Test("a database that another process holds locked is told of after five seconds, and nothing is half done")
    func locked() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            let file = world.path("map.txt")
            try Data("a map".utf8).write(to: URL(fileURLWithPath: file))
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: world.path("journal.sqlite"), configuration: configuration)
            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            let sent = try await world.offline("attach", file, "--text", "Home", "--offline")
            #expect(sent.status == 1 && sent.stderr.contains("locked"), "\(sent)")
            // Reading does not wait for anybody.
            #expect(staged(world) == [])
            try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try other.close()
            #expect(try await outbox(world) == 0)
            #expect(try await world.beast("attach", file, "--text", "Home").status == 0)
            #expect(try await world.texts(channel) == ["Home"])
        }
    }
}
