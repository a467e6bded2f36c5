import Foundation
import HeliumConcurrency
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import HeliumCLI

@Suite("Signals and --timeout end the tool", .timeLimit(.minutes(3)))
struct InterruptionTests {
    /// Runs the tool with an output that is never read, so that it blocks in a system call that no cancellation ends.
    ///
    /// - Returns: The outcome, and whether its output was blocked. If it does not end, it is killed, and the status is the
    ///   number of that signal.
    private static func blocked(
        _ more: [String] = [],
        _ act: (RunningTool) -> Void
    ) async throws -> (outcome: Tool.Outcome, wasFull: Bool) {
        try await FaultServer.run(faults: [.endlessBody]) { server in
            let pipe = Pipe()
            let process = Tool.process(["request", "get", server.url] + more)
            let tool = try RunningTool(starting: process, output: pipe.fileHandleForWriting)
            try await eventually { Self.isFull(pipe) || tool.hasEnded }
            let wasFull = Self.isFull(pipe)
            act(tool)
            return (try await tool.outcome(), wasFull)
        }
    }

    /// Whether the pipe takes nothing more.
    private static func isFull(_ pipe: Pipe) -> Bool {
        var request = pollfd(fd: pipe.fileHandleForWriting.fileDescriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 0
    }

    @Test("a command whose output blocks ends on a signal", arguments: [SIGHUP, SIGINT, SIGTERM])
    func signals(number: Int32) async throws {
        let (outcome, wasFull) = try await Self.blocked { $0.signal(number) }
        #expect(wasFull && outcome.status == number && outcome.stderr == "helium: interrupted\n", "\(outcome)")
    }

    @Test("a command whose output blocks ends on two signals")
    func twice() async throws {
        let (outcome, wasFull) = try await Self.blocked { tool in
            tool.signal(SIGINT)
            tool.signal(SIGTERM)
        }
        #expect(wasFull && [SIGINT, SIGTERM].contains(outcome.status), "\(outcome)")
    }

    @Test(
        "a shell sees 128 plus the number of the signal that interrupted a command",
        arguments: [SIGHUP, SIGINT, SIGTERM]
    )
    func shellStatus(number: Int32) async throws {
        try await FaultServer.run(faults: [.stallBeforeHeaders]) { server in
            // The inner shell becomes the tool. A shell that waits for a background process needs SIGCHLD, which the process
            // of the tests blocks for its children.
            let inner = #"echo $$; exec "$0" request get "$1""#
            let process = Tool.process(["-c", #"/bin/sh -c '\#(inner)' "$0" "$1"; exit $?"#])
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments? += [Tool.executable.path, server.url]
            let shell = try RunningTool(starting: process)
            let identifier = try #require(Int32(try await shell.line()))
            try #require(await server.wait { $0.requestCount == 1 })
            kill(identifier, number)
            #expect(try await shell.status() == 128 + number)
        }
    }

    @Test("a command that was started with SIGHUP ignored, as by nohup, goes on after that signal")
    func ignoredHangup() async throws {
        try await FaultServer.run(faults: [.stallBeforeHeaders]) { server in
            // The shell becomes the tool.
            let process = Tool.process([
                "-c", #"trap "" HUP; exec "$0" request get "$1""#, Tool.executable.path, server.url,
            ])
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let tool = try RunningTool(starting: process, errors: .temporary())
            try #require(await server.wait { $0.requestCount == 1 })
            tool.signal(SIGHUP)
            // The first signal that a command handles is the one that ends it.
            #expect(try await tool.end(SIGINT) == SIGINT)
        }
    }

    @Test(
        "a signal before the server's reply interrupts helium jetstream, except for watch",
        arguments: [("set", ["root", "name", "1"], SIGINT), ("edit", [], SIGTERM), ("watch", [], 0)]
            as [(String, [String], Int32)]
    )
    func jetstream(command: String, arguments: [String], status: Int32) async throws {
        try await FaultServer.run(faults: [.stallBeforeHeaders]) { server in
            let tool = RunningTool(["jetstream", command, server.url, "Board"] + arguments)
            try #require(await server.wait { $0.requestCount == 1 })
            tool.signal(status == 0 ? SIGINT : status)
            let outcome = try await tool.outcome()
            #expect(outcome.status == status, "\(outcome)")
            #expect(outcome.stderr.hasSuffix("helium: interrupted\n") == (status != 0), "\(outcome)")
        }
    }

    @Test("a command that has ended its work after a signal ends by the signal", arguments: [true, false])
    func endsAfterWork(isUsualEnd: Bool) async throws {
        let control = SignalledProcess()
        let context = CommandContext(process: control)
        try await CommandContext.$current.withValue(context) {
            try await TerminationSignals.cancelling(isUsualEnd: isUsualEnd) { control.signal(SIGTERM) }
        }
        context.endIfInterrupted()
        #expect(control.ending == (isUsualEnd ? nil : SIGTERM))
    }

    @Test("a command has five seconds to end after a signal that is its usual end, and none after the second")
    func graces() async throws {
        let control = SignalledProcess()
        try await CommandContext.$current.withValue(CommandContext(process: control)) {
            try await TerminationSignals.cancelling(isUsualEnd: true) {
                for _ in 0..<2 { control.signal(SIGINT) }
            }
        }
        #expect(control.graces == [.seconds(5), .zero])
    }

    @Test("a command whose output blocks ends at --timeout")
    func timeout() async throws {
        // On a slow machine the time may pass before the output is blocked: then there is more of it.
        for limit in ["500ms", "5s", "50s"] {
            let (outcome, wasFull) = try await Self.blocked(["--timeout", limit]) { _ in }
            #expect(outcome.status == 1 && outcome.stderr.contains("timedOut"), "\(outcome)")
            if wasFull { return }
        }
        Issue.record("the output was never blocked")
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

/// A process that a test sends signals to, and that remembers the signal that ended it.
private final class SignalledProcess: ProcessControl {
    private let handler = Guarded<(@Sendable (Int32) -> Void)?>(nil)
    private let lastSignal = Guarded<Int32?>(nil)
    private let delays = Guarded<[Duration]>([])

    /// The times after which the process was to be ended.
    var graces: [Duration] { delays.withLock { $0 } }

    var ending: Int32? { lastSignal.withLock { $0 } }

    func signal(_ number: Int32) { handler.withLock { $0 }?(number) }

    func handleSignals(_ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) -> () -> Void {
        self.handler.withLock { $0 = handler }
        return {}
    }

    func end(_ end: ProcessEnd, after delay: Duration, _ prepare: @escaping @Sendable () -> Void) {
        delays.withLock { $0.append(delay) }
    }

    func terminate(by number: Int32) { lastSignal.withLock { $0 = number } }

    func suspend() {}
}
