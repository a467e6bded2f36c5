import Foundation
import TestSupport
import Testing

@Suite("Texts of messages from standard input", .timeLimit(.minutes(5)))
struct MessageTextTests {
    private typealias World = BeastToolWorld

    /// The command lines that write a message with a text from standard input, of both systems.
    private static func commands(_ world: World, _ channel: String) -> [[String]] {
        let file = ["--db", world.path("journal.sqlite")]
        return [["appnet", "send", channel, "-"], ["beast", "send", "-"] + file]
    }

    @Test("a text on standard input loses one line end, LF or CR LF, and nothing else")
    func lineEnds() async throws {
        let texts = [
            ("Rain\n", "Rain"), ("Rain\r\n", "Rain"), ("Rain", "Rain"), ("Rain\n\n", "Rain\n"),
            ("a\r\nb\r\n", "a\r\nb"),
            ("Rain\r", "Rain\r"), ("-", "-"), ("e\u{301}\n", "e\u{301}"),
        ]
        try await World.run { world in
            let channel = try await world.journal()
            for command in Self.commands(world, channel) {
                for (input, _) in texts {
                    let outcome = try await world.tool(command, input: Data(input.utf8))
                    #expect(outcome.status == 0, "\(command) \(input.debugDescription): \(outcome)")
                }
            }
            let expected = (texts + texts).map { Array($0.1.utf8) }
            let sent = try await world.texts(channel)
            #expect(sent.map { Array($0.utf8) } == expected)
        }
    }

    @Test(
        "an empty standard input, or one that is not UTF-8, sends nothing",
        arguments: [
            ([], "standard input is empty"), ([0x0A], "standard input is empty"),
            ([0x0D, 0x0A], "standard input is empty"),
            ([0x63, 0xE9, 0x0A], "standard input is not valid UTF-8"),
            ([0x61, 0xF0, 0x9F, 0x98], "standard input is not valid UTF-8"),
        ] as [([UInt8], String)]
    )
    func refusals(_ input: [UInt8], _ reason: String) async throws {
        try await World.run { world in
            let channel = try await world.journal()
            for command in Self.commands(world, channel) {
                let outcome = try await world.tool(command, input: Data(input))
                #expect(outcome.status == 1 && outcome.stdout.isEmpty, "\(command): \(outcome)")
                #expect(outcome.stderr.contains(reason), "\(command): \(outcome)")
            }
            #expect(try await world.texts(channel) == [])
            #expect(try await World.list(world.offline("outbox", "--format", "json").stdout).isEmpty)
        }
    }

    @Test("a standard input that cannot be read sends nothing, not the part that was read")
    func unreadable() async throws {
        try await World.run { world in
            let channel = try await world.journal()
            for command in Self.commands(world, channel) {
                let folder = try FileHandle(forReadingFrom: world.folder)
                let outcome = try await Tool.run(command, environment: world.environment, inputFile: folder)
                #expect(outcome.status == 1 && outcome.stderr.contains("can't be read"), "\(command): \(outcome)")
            }
        }
    }
}
