import Foundation
import HeliumKit
import HeliumTesting
import TestSupport
import Testing

@testable import HeliumCLI

@Suite("The surroundings of a command", .timeLimit(.minutes(5)))
struct CommandContextTests {
    /// At least one command line for each command, with the same outcome at any time on any machine.
    private static let commandLines = [
        ["--version"], ["--help"], ["nonsense"], ["request", "--help"],
        ["request", "GET", "http://h/x", "--param", "a=b c", "--curl"], ["device", "register"],
        [
            "sign", "--device-id", "d", "--secret", "s", "--secret-id", "i", "--url", "http://h", "--timestamp",
            "1455264007",
        ],
        ["decode", "json", "/nonexistent"], ["cosm", "feeds"], ["appnet", "channels"],
        ["beast", "list", "--db", "/nonexistent/db"], ["conair", "fetch", "--source", "nowhere"],
        ["jetstream", "set", "ws://127.0.0.1:1", "Board", "root", "name", "nope"], ["serve", "--port", "99999"],
        ["demo", "--nonsense"], ["manual", "--help"],
    ]

    @Test("a command has the same outcome in a process as in the process of the tests", arguments: commandLines)
    func sameOutcome(arguments: [String]) async throws {
        // A login of the user of this machine would be a token.
        let environment = ["XDG_CONFIG_HOME": "/nonexistent"]
        let inProcess = try await Tool.run(Tool.process(arguments, environment: environment))
        let inTask = try await Tool.run(arguments, environment: environment)
        #expect(inProcess == inTask)
        #expect([0, 1, 64].contains(inTask.status) && !(inTask.stdout + inTask.stderr).isEmpty)
    }

    @Test("a command uses the time of its clock")
    func clock() async throws {
        let sign = ["sign", "--device-id", "d", "--secret", "s", "--secret-id", "i", "--url", "http://h"]
        let outcome = try await Tool.run(sign, clock: TestClock(wallTime: .seconds(1_455_264_007)))
        #expect(try await outcome == Tool.run(sign + ["--timestamp", "1455264007"]))
    }

    @Test("relative paths start from the folder of the command")
    func folder() async throws {
        try await withTemporaryFolder { folder in
            try Data("[1]".utf8).write(to: folder.appendingPathComponent("a.json"))
            let outcome = try await Tool.run(["decode", "json", "a.json"], folder: folder)
            #expect(outcome == Tool.Outcome(status: 0, stdout: "[1]\n", stderr: ""))
        }
        let context = CommandContext(folder: "/a")
        #expect(context.path("b") == "/a/b" && context.path("/b") == "/b" && context.path("") == "")
        #expect(CommandContext().path("b") == "b")
    }

    @Test("help texts have the width of the variable COLUMNS, or of the terminal")
    func width() async throws {
        func longestLine(_ text: String) -> Int { text.split(whereSeparator: \.isNewline).map(\.count).max() ?? 0 }
        let help = try await Tool.run(["request", "--help"], environment: ["COLUMNS": "60"])
        #expect(longestLine(help.stdout) <= 60)
        let terminal = try #require(PseudoTerminal(columns: 120, rows: 24))
        _ = try await Tool.run(["--help"], output: terminal.process)
        #expect(81...120 ~= longestLine(terminal.shown()))
    }

    @Test("variables and the folder for temporary files are those of the command")
    func variables() {
        let context = CommandContext(environment: ["A": "a", "B": "", "TMPDIR": "/t"])
        #expect(context.variable("A") == "a" && context.variable("B") == nil && context.variable("PATH") == nil)
        #expect(context.temporaryFolder.path == "/t")
        #expect(CommandContext(environment: [:]).temporaryFolder == FileManager.default.temporaryDirectory)
    }

    @Test("--quiet drops the messages of one command only")
    func quiet() async throws {
        let request = ["request", "GET", "http://127.0.0.1:1/"]
        #expect(try await Tool.run(request + ["--quiet"]).stderr == "")
        #expect(try await Tool.run(request).stderr != "")
    }

    @Test(
        "--quiet also drops the failure of a command that does not get as far as a connection",
        arguments: [
            ["appnet", "files", "upload", "/nonexistent/file"], ["cosm", "create", "--file", "/nonexistent/file.json"],
            ["beast", "send", "-", "--db", "/nonexistent/db"],
            ["beast", "list", "--db", "/nonexistent/db"],
        ]
    )
    func quietBeforeConnection(arguments: [String]) async throws {
        for option in ["-s", "--quiet"] {
            let outcome = try await Tool.run(arguments + [option], input: "")
            #expect(outcome.status == 1 && outcome.stderr.isEmpty, "\(outcome)")
        }
        #expect(try await Tool.run(arguments, input: "").stderr.hasPrefix("helium: "))
    }
}
