import Foundation
import TestSupport
import Testing

@Suite("helium beast: a disk that is full", .timeLimit(.minutes(5)))
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
            let list = try await world.appNet("messages", channel, "--format", "json")
            #expect(try World.list(list.stdout).compactMap { $0["text"] as? String } == ["Large"])
            #expect(staged(world) == [])
        }
    }
}
