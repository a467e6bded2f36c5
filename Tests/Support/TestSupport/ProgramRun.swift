/// A process of `TestProcess` that has run to its end.
package struct ProgramRun: Sendable {
    package let status: Int32
    /// The complete lines of its output.
    package let output: String

    /// Runs the program. Kills it when it takes longer than `limit`, because no time limit of a test would end it.
    package init(_ arguments: [String], limit: Duration = .seconds(900)) async throws {
        let executable = BuiltProducts.executable("TestProcess")
        let process = try await KilledProcess.run(executable, arguments, killed: .never, limit: limit)
        status = process.status
        output =
            process.lines.joined(separator: "\n") + "\n"
            + (process.wasKilled ? "killed after \(limit)\n" : "")
    }
}
