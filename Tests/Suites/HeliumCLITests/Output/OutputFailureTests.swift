import Foundation
import Testing

@Suite(
    "Output that can't be written",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    .timeLimit(.minutes(3))
)
struct OutputFailureTests {
    /// An output that cannot be written: a full device, or a closed descriptor.
    struct Sink: Sendable {
        /// The redirection in a shell.
        let target: String
        let text: String

        /// The output of a command that runs in this process. In a process, a closed descriptor becomes a descriptor
        /// that is only for reading.
        func open() throws -> FileHandle {
            guard target == "&-" else { return try FileHandle(forWritingTo: URL(fileURLWithPath: target)) }
            return try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/null"))
        }
    }

    private static let sinks = [
        Sink(target: "/dev/full", text: "helium: the output can't be written: No space left on device\n"),
        Sink(target: "&-", text: "helium: the output can't be written: Bad file descriptor\n"),
    ]

    @Test(
        "the tool exits with 1 and the reason if standard output cannot be written",
        arguments: [
            ["decode", "json", "-"], ["decode", "appnet.user", "-"], ["--version"], ["--help"], ["appnet", "--help"],
            ["sign", "--device-id", "d", "--secret", "s", "--secret-id", "i", "--url", "http://h"],
        ],
        sinks
    )
    func told(command: [String], sink: Sink) async throws {
        let outcome = try await Tool.run(command, input: "{}\n", output: sink.open())
        #expect(outcome.status == 1 && outcome.stderr == sink.text, "\(outcome)")
    }

    @Test(
        "a process of the tool exits with 1 and the reason if its standard output cannot be written",
        arguments: sinks
    )
    func toldByProcess(sink: Sink) async throws {
        let outcome = try await Tool.shell(
            "echo '{}' | '\(Tool.executable.path)' decode json /dev/stdin >\(sink.target)",
            in: URL(fileURLWithPath: "/tmp")
        )
        #expect(outcome.status == 1 && outcome.stderr == sink.text, "\(outcome)")
    }

    @Test("the tool exits with 1 if standard output cannot be written after a network call", arguments: sinks)
    func afterCalls(sink: Sink) async throws {
        try await RunningServe.with { server in
            let commands = [
                (["appnet", "user", "me"], server.appNetEnvironment()),
                (["appnet", "user", "me", "--format", "json"], server.appNetEnvironment()),
                (["cosm", "feeds", "--format", "csv"], server.cosmEnvironment),
                (["cosm", "create", "--title", "a"], server.cosmEnvironment),
                (["request", "GET", "/config", "--base-url", server.ready.appnet.root], [:]),
            ]
            for (command, environment) in commands {
                let outcome = try await Tool.run(command, environment: environment, output: sink.open())
                #expect(outcome.status == 1 && outcome.stderr.contains(sink.text), "\(command): \(outcome)")
            }
        }
    }

    @Test("the tool ends silently when the reader of its output goes away")
    func reader() async throws {
        let outcome = try await Tool.shell("'\(Tool.executable.path)' --help | true", in: URL(fileURLWithPath: "/tmp"))
        #expect(outcome.status == 0 && outcome.stderr.isEmpty, "\(outcome)")
    }
}
