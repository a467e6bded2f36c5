import Foundation
import Testing

@Suite(
    "Output that can't be written",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    .timeLimit(.minutes(3))
)
struct OutputFailureTests {
    private static func helium(_ rest: String, environment: [String: String] = [:]) async throws -> Tool.Outcome {
        let variables = environment.map { "\($0.key)='\($0.value)' " }.joined()
        return try await Tool.shell("\(variables)'\(Tool.executable.path)' \(rest)", in: URL(fileURLWithPath: "/tmp"))
    }

    private static let sinks = [
        ("/dev/full", "helium: the output can't be written: No space left on device\n"),
        ("&-", "helium: the output can't be written: Bad file descriptor\n"),
    ]

    @Test(
        "the tool exits with 1 and the reason if standard output cannot be written",
        arguments: [
            "decode json /dev/stdin", "decode appnet.user -", "--version", "--help", "appnet --help",
            "sign --device-id d --secret s --secret-id i --url http://h",
        ],
        sinks
    )
    func told(command: String, sink: (target: String, text: String)) async throws {
        let outcome = try await Tool.shell(
            "echo '{}' | '\(Tool.executable.path)' \(command) >\(sink.target)",
            in: URL(fileURLWithPath: "/tmp")
        )
        #expect(outcome.status == 1 && outcome.stderr == sink.text, "\(outcome)")
    }

    @Test("the tool exits with 1 if standard output cannot be written after a network call", arguments: sinks)
    func afterCalls(sink: (target: String, text: String)) async throws {
        try await ServeProcess.with { server in
            let commands = [
                ("appnet user me", server.appNetEnvironment()),
                ("appnet user me --format json", server.appNetEnvironment()),
                ("cosm feeds --format csv", server.cosmEnvironment),
                ("cosm create --title a", server.cosmEnvironment),
                ("request GET /config --base-url \(server.ready.appnet.root)", [:]),
            ]
            for (command, environment) in commands {
                let outcome = try await Self.helium("\(command) >\(sink.target)", environment: environment)
                #expect(outcome.status == 1 && outcome.stderr.contains(sink.text), "\(command): \(outcome)")
            }
        }
    }

    @Test("the tool ends silently when the reader of its output goes away")
    func reader() async throws {
        let outcome = try await Self.helium("--help | true")
        #expect(outcome.status == 0 && outcome.stderr.isEmpty, "\(outcome)")
    }
}
