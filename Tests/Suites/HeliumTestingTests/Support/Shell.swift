import Foundation
import Synchronization

/// Runs shell commands on a thread of their own, ended after 90 seconds at the latest.
enum Shell {
    struct Failed: Error {
        let status: Int32
        let errors: String
    }

    /// Whether the `curl` tool is there.
    static let hasCurl = ["/usr/bin/curl", "/bin/curl", "/usr/local/bin/curl", "/opt/homebrew/bin/curl"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Runs `command` by `/bin/sh -c`, a very long one from a file, `input` on its standard input, in an empty environment, and gives what it prints.
    @discardableResult
    static func run(_ command: String, input: Data = Data()) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try runBlocking(command, input) }) }
        }
    }

    private static func runBlocking(_ command: String, _ input: Data) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let script = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString).sh")
        defer { try? FileManager.default.removeItem(at: script) }
        if command.utf8.count < 100_000 {
            process.arguments = ["-c", command]
        } else {
            // Longer than an argument may be.
            try Data(command.utf8).write(to: script)
            process.arguments = [script.path]
        }
        process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin", "LC_ALL": "C"]
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        try process.run()
        let watchdog = DispatchSource.makeTimerSource()
        watchdog.schedule(deadline: .now() + 90)
        watchdog.setEventHandler { kill(process.processIdentifier, SIGKILL) }
        watchdog.resume()
        defer { watchdog.cancel() }
        let writer = stdin.fileHandleForWriting
        Thread.detachNewThread {
            try? writer.write(contentsOf: input)
            try? writer.close()
        }
        // What it says on the other pipe fits into that.
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        let errors = try stderr.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(status: process.terminationStatus, errors: String(decoding: errors, as: UTF8.self))
        }
        return output
    }
}
