import Foundation
import HeliumKit
import TestSupport

/// The `helium` tool. Its commands run in the process of the tests, without the start of an executable. Tests of
/// signals, pipes, terminals, kills and starts use a process (``process(_:environment:)``).
enum Tool {
    struct Outcome: Sendable, Equatable {
        let status: Int32
        let stdout: String
        let stderr: String
    }

    /// The time after which a command that does not end is killed.
    static let limit = Duration.seconds(60)

    /// Runs a command in this process to its end, or gives it up after ``limit``.
    ///
    /// - Parameters:
    ///   - environment: The variables in addition to ``inherited``.
    ///   - input: The text of standard input. Default: none.
    ///   - inputFile: The standard input in place of a text.
    ///   - folder: The current folder.
    ///   - clock: The clock. Default: the machine's.
    ///   - output: The standard output in place of a file.
    ///   - errors: The standard error in place of a file.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String? = nil,
        inputFile: FileHandle? = nil,
        folder: URL? = nil,
        clock: any HeliumClock = SystemClock(),
        output: FileHandle? = nil,
        errors: FileHandle? = nil
    ) async throws -> Outcome {
        let (printed, reported) = (try FileHandle.temporary(), try FileHandle.temporary())
        let run = CommandRun(
            arguments,
            input: try inputFile ?? input.map { try FileHandle.temporary(Data($0.utf8)) } ?? .noInput(),
            output: output ?? printed,
            errors: errors ?? reported,
            environment: environment,
            folder: folder,
            clock: clock
        )
        let status = try await run.status()
        return Outcome(status: status, stdout: try printed.contents(), stderr: try reported.contents())
    }

    /// The executable that was built beside the tests.
    static var executable: URL { BuiltProducts.executable("helium") }

    /// The variables of our environment that commands need.
    static var inherited: [String: String] {
        ProcessInfo.processInfo.environment.filter { ["PATH", "HOME", "LD_LIBRARY_PATH"].contains($0.key) }
    }

    /// Gives SIGHUP its default action in processes that this one starts, also if the tests run below `nohup`, which
    /// ignores it. A signal that is ignored stays so in a new process; one that is handled does not.
    private static let passesHangup: Void = {
        let former = signal(SIGHUP) { _ in }
        let isIgnored = unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        if !isIgnored { signal(SIGHUP, former) }
    }()

    /// A process that is not started yet, with nothing of our environment but what it needs.
    static func process(_ arguments: [String], environment: [String: String] = [:]) -> Process {
        passesHangup
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = inherited.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs a process to its end. A process that takes longer than ``limit`` is killed.
    ///
    /// - Parameters:
    ///   - errors: The standard error in place of a file.
    ///   - output: The standard output in place of a file.
    static func run(
        _ process: Process,
        errors: FileHandle? = nil,
        output: FileHandle? = nil
    ) async throws -> Outcome {
        // Files instead of pipes, because pipes would have to be read while the tool runs.
        let (printed, reported) = (try FileHandle.temporary(), try FileHandle.temporary())
        process.standardOutput = output ?? printed
        process.standardError = errors ?? reported
        try await finish(process)
        return Outcome(
            status: process.terminationStatus,
            stdout: try printed.contents(),
            stderr: try reported.contents()
        )
    }

    /// Runs a command by `sh` in `folder`.
    static func shell(_ command: String, in folder: URL) async throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin", "LC_ALL": "C"]
        process.standardInput = FileHandle.nullDevice
        return try await run(process)
    }

    /// Whether the curl tool is there.
    static let hasCurl = ["/usr/bin/curl", "/bin/curl", "/usr/local/bin/curl", "/opt/homebrew/bin/curl"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private static func finish(_ process: Process) async throws {
        let (ended, end) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        let identifier = process.processIdentifier
        let killer = Task {
            try await Task.sleep(for: limit)
            kill(identifier, SIGKILL)
        }
        for await _ in ended {}
        killer.cancel()
    }
}
