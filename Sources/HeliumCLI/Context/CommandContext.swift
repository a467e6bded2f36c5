import Foundation
import HeliumConcurrency
import HeliumKit
import Logging
import Synchronization

/// The surroundings of a command: its streams, variables, folder, clock and process. The tool uses those of its
/// process. Tests give others, and run the command in their own process.
///
/// The argument parser creates the commands, and calls `validate()` and `run()` without parameters. A task-local value
/// reaches them without a global variable. Tasks that a command creates inherit it, unless they are detached. Closures
/// that run on a dispatch queue, or in the tasks of a client or server, do not have it. They capture the context, or a
/// part of it, when the command creates them.
final class CommandContext: Sendable {
    /// The context of the current command.
    @TaskLocal static var current = CommandContext()

    /// Standard input.
    let input: FileHandle

    /// Standard output and standard error.
    let console: Console

    /// The environment variables.
    let environment: [String: String]

    /// The clock.
    let clock: any HeliumClock

    /// The signals and the end of the process.
    let process: any ProcessControl

    /// Returns the handler of a server's log, by its label.
    let makeLogHandler: @Sendable (String) -> any LogHandler

    /// The files to delete before the command ends.
    let temporaryFiles = TemporaryFiles()

    /// The terminal of standard output as a screen.
    let screen: TerminalScreen

    /// The signal that interrupted the command; `nil` if there was none.
    private let interruption = Guarded<Int32?>(nil)

    /// The folder that relative paths start from; `nil` for the current folder of the process.
    private let folder: String?

    /// Creates a context. Omitted arguments have the values of the process.
    init(
        input: FileHandle = .standardInput,
        output: FileHandle = .standardOutput,
        error: FileHandle = .standardError,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        folder: String? = nil,
        clock: any HeliumClock = SystemClock(),
        process: any ProcessControl = SystemProcess()
    ) {
        self.input = input
        self.environment = environment
        self.folder = folder
        self.clock = clock
        self.process = process
        let console = Console(output: output, error: error)
        self.console = console
        makeLogHandler = { StreamLogHandler(label: $0, stream: ConsoleLog(console: console)) }
        screen = TerminalScreen(console: console, process: process)
    }

    /// Returns the value of an environment variable; `nil` if it is not set or empty.
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the path of a file that the command line names.
    func path(_ path: String) -> String {
        guard let folder, !path.isEmpty, !path.hasPrefix("/") else { return path }
        return "\(folder)/\(path)"
    }

    /// The folder for temporary files: `TMPDIR`, or that of the system.
    var temporaryFolder: URL {
        variable("TMPDIR").map { URL(fileURLWithPath: path($0), isDirectory: true) }
            ?? FileManager.default.temporaryDirectory
    }

    /// The present time, for time stamps.
    var now: Date { Date(timeIntervalSince1970: clock.wallTime / .seconds(1)) }

    /// The environment of a client that uses the clock of the command.
    var client: ClientEnvironment { ClientEnvironment(clock: clock) }

    /// Records that a signal interrupts the command. When the command has cleaned up, the process ends by the signal
    /// instead of its exit code. A shell then knows that it was interrupted, and ends a loop around it.
    func interrupt(by number: Int32) { interruption.withLock { $0 = $0 ?? number } }

    /// Ends the process if a signal has interrupted the command. Called when the command has ended.
    func endIfInterrupted() {
        if let number = interruption.withLock({ $0 }) { process.terminate(by: number) }
    }

    /// Ends the process after a delay, unless it has ended before. Deletes the temporary files, leaves the screen, and
    /// prints the reason.
    func forceEnd(_ end: ProcessEnd, after delay: Duration, reason: String) {
        process.end(end, after: delay) { [self] in
            temporaryFiles.removeAll()
            screen.leave()
            console.note("helium: \(reason)")
        }
    }
}

/// The log of a server on standard error, with the same escapes and masks as the tool's own messages.
private struct ConsoleLog: TextOutputStream, Sendable {
    let console: Console

    func write(_ text: String) {
        let line = text.utf8.last == UInt8(ascii: "\n") ? String(text.unicodeScalars.dropLast()) : text
        console.report(OutputText(line: line))
    }
}

/// Exit codes of the tool.
enum ExitStatus {
    static let failure: Int32 = 1
}
