import Foundation
import Synchronization

/// A program that is fed bytes and read from until it has said enough, ended after 90 seconds at the latest.
package struct Tool: Sendable {
    package struct TimedOut: Error {
        package let output: [UInt8]
    }

    private let path: String
    private let arguments: [String]

    package init(_ path: String, _ arguments: [String]) {
        self.path = path
        self.arguments = arguments
    }

    /// Writes `input`, collects what the program prints until it ends or `isEnough` holds, ends it, and gives the
    /// output.
    package func exchange(
        _ input: [UInt8],
        endsInput: Bool,
        until isEnough: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws -> [UInt8] {
        let (path, arguments) = (path, arguments)
        return try await withCheckedThrowingContinuation { continuation in
            // On a thread of its own, like all blocking work of these tests.
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try Self.run(path, arguments, input, endsInput: endsInput, until: isEnough) }
                )
            }
        }
    }

    private static func run(
        _ path: String,
        _ arguments: [String],
        _ input: [UInt8],
        endsInput: Bool,
        until isEnough: ([UInt8]) -> Bool
    ) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let stdin = Pipe()
        let stdout = Pipe()
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = FileHandle.nullDevice
        try process.run()
        let hasEnded = Mutex(false)
        let watchdog = DispatchSource.makeTimerSource()
        watchdog.schedule(deadline: .now() + 90)
        watchdog.setEventHandler {
            hasEnded.withLock { $0 = true }
            kill(process.processIdentifier, SIGKILL)
        }
        watchdog.resume()
        defer { watchdog.cancel() }
        let writer = stdin.fileHandleForWriting
        Thread.detachNewThread {
            try? writer.write(contentsOf: Data(input))
            if endsInput { try? writer.close() }
        }
        var output: [UInt8] = []
        while !isEnough(output) {
            let chunk = stdout.fileHandleForReading.availableData
            if chunk.isEmpty { break }
            output += chunk
        }
        if hasEnded.withLock({ $0 }) { throw TimedOut(output: output) }
        // Not `terminate`: a child inherits the blocked signals of Foundation's threads, SIGTERM among them.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return output
    }
}
