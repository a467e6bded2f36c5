import Foundation
import GRDB
import TestSupport
import Testing

@Suite("helium beast: a full disk, a locked database", .timeLimit(.minutes(5)))
struct BeastGroundTests {
    private typealias World = BeastToolWorld

    private func staged(_ world: World) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: world.path("journal.sqlite-files"))) ?? []
    }

    private func outbox(_ world: World) async throws -> Int {
        try await World.list(world.offline("outbox", "--format", "json").stdout).count
    }

    @Test("helium beast refuses a file that does not fit on the disk, and attaches it later")
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

    /// Whether this process may mount file systems that other processes do not see.
    private static let mayMount: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["-m", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(
        "helium beast refuses writes on a full disk, and works again when there is room",
        .enabled(if: mayMount, "this user may not mount a small disk")
    )
    func fullDisk() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            try Data(repeating: 7, count: 2 << 20).write(to: URL(fileURLWithPath: world.path("large.bin")))
            try Data("small".utf8).write(to: URL(fileURLWithPath: world.path("small.txt")))
            // A reader has no room for the index of the log either.
            let script = """
                exec 2>&1
                mkdir disk && mount -t tmpfs -o size=8m none disk && cp -r journal.sqlite* disk/ || exit 9
                beast() { "$TOOL" beast "$@" --db disk/journal.sqlite; echo "status $?"; }
                beast send Before --offline
                cat /dev/zero > disk/filler
                beast attach small.txt --text Small --offline
                beast send During --offline
                beast list
                rm disk/filler
                dd if=/dev/zero of=disk/filler bs=1024 count=7000
                beast attach large.bin --text Large --offline
                ls disk/journal.sqlite-files
                rm disk/filler
                beast send After --offline
                beast outbox send
                beast doctor
                """
            let process = Tool.process([], environment: world.environment)
            process.environment?["TOOL"] = Tool.executable.path
            process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
            process.arguments = ["-m", "sh", "-c", script]
            process.currentDirectoryURL = world.folder
            let output = try await Tool.run(process).stdout
            let count = { (text: String) in output.components(separatedBy: text).count - 1 }
            #expect(count("diskFull") == 4 && count("status 1") == 4 && count("status 0") == 4, "\(output)")
            #expect(output.contains("no problems"), "\(output)")
            #expect(try await world.texts(channel) == ["Before", "After"])
        }
    }

    @Test("helium beast reports a locked database after five seconds, and changes nothing")
    func locked() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            let file = world.path("map.txt")
            try Data("a map".utf8).write(to: URL(fileURLWithPath: file))
            let other = try openDatabase(world.path("journal.sqlite"), allowsUnsafeTransactions: true)
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
