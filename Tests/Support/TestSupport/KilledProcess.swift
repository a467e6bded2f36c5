package import Foundation

/// A process that has ended: by itself, or because it was killed when it was time.
package struct KilledProcess: Sendable {
    /// The moment of a kill.
    package enum Moment: Sendable {
        case never
        /// This long after the start.
        case afterStart(Duration)
        /// This long after a line of the output contained a text.
        case after(Duration, text: String)
        /// At the moment when this returns `true`.
        case when(@Sendable () -> Bool)
    }

    /// The complete lines of its output.
    package let lines: [Substring]
    /// The number of the signal that has ended it, or its status.
    package let status: Int32
    package let wasKilled: Bool

    /// Runs a program to its end, on a thread of its own, which may wait.
    ///
    /// - Parameter limit: The longest life of the process, which is killed then.
    package static func run(
        _ executable: URL?,
        _ arguments: [String],
        killed moment: Moment,
        limit: Duration
    ) async throws -> Self {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try live(executable, arguments, moment, limit) })
            }
        }
    }

    private static func live(
        _ executable: URL?,
        _ arguments: [String],
        _ moment: Moment,
        _ limit: Duration
    ) throws -> Self {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let end = ContinuousClock.now + limit
        var (output, death, isKilled) = (Data(), end, false)
        if case .afterStart(let delay) = moment { death = .now + delay }
        let handle = pipe.fileHandleForReading
        while true {
            var wait = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
            if poll(&wait, 1, 1) > 0 {
                let bytes = handle.availableData
                if bytes.isEmpty { break }
                output += bytes
                if case .after(let delay, let awaited) = moment, death == end, text(output).contains(awaited) {
                    death = min(.now + delay, end)
                }
            }
            guard !isKilled else { continue }
            var isDue = ContinuousClock.now >= death
            if case .when(let condition) = moment, condition() { isDue = true }
            if isDue {
                isKilled = true
                kill(process.processIdentifier, SIGKILL)
            }
        }
        process.waitUntilExit()
        let isSignal = process.terminationReason == .uncaughtSignal
        return Self(
            lines: text(output).split(separator: "\n"),
            status: process.terminationStatus,
            wasKilled: isSignal && process.terminationStatus == SIGKILL
        )
    }

    /// Returns the complete lines of an output.
    private static func text(_ output: Data) -> String {
        String(decoding: output.prefix((output.lastIndex(of: 10) ?? -1) + 1), as: UTF8.self)
    }
}
