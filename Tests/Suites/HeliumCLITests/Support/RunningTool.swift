import Foundation
import HeliumConcurrency
import HeliumKit

/// A command that runs beside the test, with pipes as its streams: as a task of this process, or as a process.
final class RunningTool: Sendable {
    private enum Body: Sendable {
        case task(CommandRun)
        case process(Process, ended: Signal<Void>)
    }

    private let body: Body
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()
    /// The file in place of ``errors``.
    private let errorFile: FileHandle?

    /// Starts a command as a task.
    ///
    /// - Parameters:
    ///   - output: The standard output in place of a pipe, which has to be read.
    ///   - errors: The standard error in place of a pipe, which has to be read.
    init(
        _ arguments: [String],
        environment: [String: String] = [:],
        clock: any HeliumClock = SystemClock(),
        output: FileHandle? = nil,
        errors: FileHandle? = nil
    ) {
        errorFile = errors
        body = .task(
            CommandRun(
                arguments,
                input: input.fileHandleForReading,
                output: output ?? self.output.fileHandleForWriting,
                errors: errors ?? self.errors.fileHandleForWriting,
                environment: environment,
                clock: clock
            )
        )
    }

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - output: The standard output in place of a pipe, which has to be read.
    ///   - errors: The standard error in place of a pipe, which has to be read.
    init(starting process: Process, output: FileHandle? = nil, errors: FileHandle? = nil) throws {
        errorFile = errors
        let ended = Signal<Void>()
        process.standardInput = input
        process.standardOutput = output ?? self.output
        process.standardError = errors ?? self.errors
        process.terminationHandler = { _ in ended.settle() }
        try process.run()
        body = .process(process, ended: ended)
    }

    /// Kills a command that a failed test has left, so that it does not disturb others.
    deinit {
        if !hasEnded { signal(SIGKILL) }
    }

    // MARK: Streams

    /// Writes a text to the standard input.
    func say(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Ends the standard input.
    func closeInput() throws { try input.fileHandleForWriting.close() }

    /// Returns the next line of the standard output. Waits for it.
    ///
    /// - Throws: ``EndOfOutput`` if there is none, with the text on the standard error.
    func line() async throws -> String {
        do {
            return try await text(of: output, isLine: true)
        } catch is EndOfOutput {
            if let errorFile { throw EndOfOutput(errors: errorFile.currentContents()) }
            throw EndOfOutput(errors: try await errors.fileHandleForReading.text(isLine: false) { true })
        }
    }

    /// Returns the next line of the standard error. Waits for it.
    ///
    /// - Throws: ``EndOfOutput`` if there is none.
    func errorLine() async throws -> String { try await text(of: errors, isLine: true) }

    /// Returns the rest of the standard output. Waits for the end of the command.
    func rest() async throws -> String { try await text(of: output, isLine: false) }

    private func text(of pipe: Pipe, isLine: Bool) async throws -> String {
        try await pipe.fileHandleForReading.text(isLine: isLine) { [self] in hasEnded }
    }

    /// Closes the reading end of the standard output.
    func stopReading() throws { try output.fileHandleForReading.close() }

    // MARK: The end

    /// Whether the command has ended.
    var hasEnded: Bool {
        switch body {
        case .task(let run): run.hasEnded
        case .process(_, let ended): ended.isSettled
        }
    }

    /// The number of the process; `nil` for a task.
    var processIdentifier: Int32? {
        guard case .process(let process, _) = body else { return nil }
        return process.processIdentifier
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        switch body {
        case .task(let run): run.signal(number)
        case .process(let process, _): kill(process.processIdentifier, number)
        }
    }

    /// Waits for the end. A command that takes longer than ``Tool/limit`` is killed.
    ///
    /// - Returns: The exit code, or the number of the signal that has ended it.
    func status() async throws -> Int32 {
        switch body {
        case .task(let run): return try await run.status()
        case .process(let process, let ended):
            let killer = Task {
                try await Task.sleep(for: Tool.limit)
                signal(SIGKILL)
            }
            defer { killer.cancel() }
            try await ended.value()
            return process.terminationStatus
        }
    }

    /// Sends a signal and waits for the end.
    func end(_ number: Int32) async throws -> Int32 {
        signal(number)
        return try await status()
    }

    /// Waits for the end, and returns the status and the text that was printed and not read yet.
    func outcome() async throws -> Tool.Outcome {
        let status = try await status()
        let (stdout, stderr) = try await (text(of: output, isLine: false), text(of: errors, isLine: false))
        return Tool.Outcome(status: status, stdout: stdout, stderr: stderr)
    }
}
