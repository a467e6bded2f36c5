import Foundation

/// `JetstreamCrashClient` as a process that is killed.
struct ClientProcess {
    /// The moment of a kill.
    enum Moment: Sendable {
        case never
        /// This long after the process was started: it may be connecting, or settling what an earlier one had sent.
        case afterStart(Duration)
        /// This long after the first reply to a change set of its own.
        case afterReply(Duration)
    }

    /// The complete lines of its output.
    let lines: [Substring]
    let wasKilled: Bool

    /// The longest life of a process.
    private static let limit = Duration.seconds(60)

    /// Runs a process to its end, on a thread of its own, which may wait.
    static func run(_ arguments: [String], killed moment: Moment) async throws -> ClientProcess {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try live(arguments, moment) }) }
        }
    }

    private static func live(_ arguments: [String], _ moment: Moment) throws -> ClientProcess {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let end = ContinuousClock.now + limit
        var death = end
        if case .afterStart(let delay) = moment { death = ContinuousClock.now + delay }
        var (output, isKilled, hasReply) = (Data(), false, false)
        let handle = pipe.fileHandleForReading
        while true {
            var wait = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
            if poll(&wait, 1, 1) > 0 {
                let bytes = handle.availableData
                if bytes.isEmpty { break }
                output += bytes
                if case .afterReply(let delay) = moment, !hasReply, text(output).contains("accepted ") {
                    hasReply = true
                    death = min(ContinuousClock.now + delay, end)
                }
            }
            if !isKilled, ContinuousClock.now >= death {
                isKilled = true
                kill(process.processIdentifier, SIGKILL)
            }
        }
        process.waitUntilExit()
        let isSignal = process.terminationReason == .uncaughtSignal
        return ClientProcess(
            lines: text(output).split(separator: "\n"),
            wasKilled: isSignal && process.terminationStatus == SIGKILL
        )
    }

    /// Returns the complete lines of an output.
    private static func text(_ output: Data) -> String {
        String(decoding: output.prefix((output.lastIndex(of: 10) ?? -1) + 1), as: UTF8.self)
    }

    /// The program, which is built beside the tests.
    private static var executable: URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            folder = bundle.bundleURL.deletingLastPathComponent()
        }
        return folder.appendingPathComponent("JetstreamCrashClient")
    }
}
