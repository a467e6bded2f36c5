import Foundation
import TestSupport

/// A child that runs, and is killed when it is time.
struct ChildProcess {
    let lines: [JournalLine]
    /// The number of the signal that has ended it, or its status.
    let status: Int32
    let wasKilled: Bool

    static func run(_ arguments: [String], killed moment: KilledProcess.Moment) async throws -> Self {
        let process = try await KilledProcess.run(
            Bundle.main.executableURL,
            ["child"] + arguments,
            killed: moment,
            limit: .seconds(120)
        )
        return Self(
            lines: process.lines.compactMap { JournalLine($0) },
            status: process.status,
            wasKilled: process.wasKilled
        )
    }
}
