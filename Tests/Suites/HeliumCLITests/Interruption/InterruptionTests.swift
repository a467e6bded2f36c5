import Foundation
import HeliumTesting
import TestSupport
import Testing

@Suite("Signals and --timeout end the tool", .timeLimit(.minutes(3)))
struct InterruptionTests {
    /// Runs the tool with an output that is never read, so that it blocks in a system call that no cancellation ends.
    ///
    /// - Returns: The outcome. If it does not end, `Tool.run` kills it, and the status is the number of that signal.
    private static func blocked(_ more: [String], _ act: (Process) -> Void) async throws -> Tool.Outcome {
        try await FaultServer.run(faults: [.endlessBody]) { server in
            let process = Tool.process(["request", "get", server.url] + more)
            let pipe = Pipe()
            async let ended = Tool.run(process, output: pipe.fileHandleForWriting)
            try #require(await server.wait { $0.requestCount == 1 })
            try await eventually { Self.isFull(pipe) || !process.isRunning }
            act(process)
            return try await ended
        }
    }

    /// Whether the pipe takes nothing more.
    private static func isFull(_ pipe: Pipe) -> Bool {
        var request = pollfd(fd: pipe.fileHandleForWriting.fileDescriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 0
    }

    @Test("a command whose output blocks ends on a signal", arguments: [SIGINT, SIGTERM])
    func signals(number: Int32) async throws {
        let outcome = try await Self.blocked([]) { kill($0.processIdentifier, number) }
        #expect(outcome.status == 1 && outcome.stderr == "helium: interrupted\n", "\(outcome)")
    }

    @Test("a command whose output blocks ends on two signals")
    func twice() async throws {
        let outcome = try await Self.blocked([]) { process in
            kill(process.processIdentifier, SIGINT)
            kill(process.processIdentifier, SIGTERM)
        }
        #expect(outcome.status == 1, "\(outcome)")
    }

    @Test("a command whose output blocks ends at --timeout")
    func timeout() async throws {
        let outcome = try await Self.blocked(["--timeout", "500ms"]) { _ in }
        #expect(outcome.status == 1 && outcome.stderr.contains("timedOut"), "\(outcome)")
    }

    @Test("a request whose body never ends stops at --timeout, and leaves no file", arguments: [true, false])
    func body(isEndless: Bool) async throws {
        try await withTemporaryFolder { folder in
            try await FaultServer.run(faults: [isEndless ? .endlessBody : .stallMidBody]) { server in
                let file = folder.appendingPathComponent("file").path
                let outcome = try await Tool.run(
                    ["request", "get", server.url, "--output", file, "--timeout", "500ms"]
                )
                #expect(outcome.status == 1 && outcome.stderr.contains("timedOut"), "\(outcome)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }
    }

    @Test("a sign-in by a browser ends at --timeout")
    func login() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await Tool.run(
                [
                    "appnet", "login", "--web", "--timeout", "300ms", "--client-id", "c", "--client-secret", "s",
                    "--base-url", "http://127.0.0.1:9/stream/0",
                ],
                environment: ["XDG_CONFIG_HOME": folder.path]
            )
            #expect(outcome.status == 1 && outcome.stderr.contains("timedOut"), "\(outcome)")
        }
    }
}
