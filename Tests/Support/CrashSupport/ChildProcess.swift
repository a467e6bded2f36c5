import Foundation
import TestSupport

/// The program that is killed: this one, with other arguments.
struct ChildProgram {
    /// The arguments that make the program a child.
    let words: [String]

    func run(_ arguments: [String], killed moment: KilledProcess.Moment) async throws -> ChildProcess {
        let process = try await KilledProcess.run(
            Bundle.main.executableURL,
            words + arguments,
            killed: moment,
            limit: .seconds(120)
        )
        return ChildProcess(
            lines: process.lines.compactMap { JournalLine($0) },
            status: process.status,
            wasKilled: process.wasKilled
        )
    }
}

/// A child that has ended: by itself, or because it was killed when it was time.
struct ChildProcess {
    let lines: [JournalLine]
    /// The number of the signal that has ended it, or its status.
    let status: Int32
    let wasKilled: Bool
}
