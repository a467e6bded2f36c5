import Foundation

/// A child that runs, and is killed when it is time.
struct ChildProcess {
    /// The output and exit status of a child.
    struct Life: Sendable {
        let lines: [JournalLine]
        /// The number of the signal that has ended it, or its status.
        let status: Int32
        let wasKilled: Bool
    }

    /// The moment of a kill.
    enum Plan: Sendable {
        case never
        /// This long after the first line.
        case after(Duration)
        /// At the moment when this returns `true`.
        case when(@Sendable () -> Bool)
    }

    /// The longest life of a child.
    private static let limit = Duration.seconds(120)

    /// Runs a child on a thread of its own, which may wait.
    static func run(_ arguments: [String], killed plan: Plan) async throws -> Life {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try live(arguments, plan) }) }
        }
    }

    private static func live(_ arguments: [String], _ plan: Plan) throws -> Life {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["child"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let end = ContinuousClock.now + limit
        var (output, death): (Data, ContinuousClock.Instant?) = (Data(), nil)
        var isKilled = false
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        while true {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&wait, 1, 1) > 0 {
                let bytes = pipe.fileHandleForReading.availableData
                if bytes.isEmpty { break }
                output += bytes
                if death == nil, case .after(let delay) = plan { death = .now + delay }
            }
            guard !isKilled else { continue }
            var isDue = death.map { ContinuousClock.now >= $0 } ?? false
            if case .when(let condition) = plan, condition() { isDue = true }
            if isDue || ContinuousClock.now >= end {
                isKilled = true
                kill(process.processIdentifier, SIGKILL)
            }
        }
        process.waitUntilExit()
        let complete = output.prefix((output.lastIndex(of: 10) ?? -1) + 1)
        let lines = String(decoding: complete, as: UTF8.self).split(separator: "\n").compactMap { JournalLine($0) }
        let isSignal = process.terminationReason == .uncaughtSignal
        return Life(
            lines: lines,
            status: process.terminationStatus,
            wasKilled: isSignal && process.terminationStatus == SIGKILL
        )
    }
}
