import ArgumentParser
import Foundation

// The start and end of the tool, for all commands.
extension HeliumCommand {
    static func main() async {
        StandardDescriptors.fill()
        // If the reader of a pipe exits, the write fails instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        guard let arguments = Self.arguments() else { Foundation.exit(ExitCode.validationFailure.rawValue) }
        Foundation.exit(await execute(arguments, in: .current))
    }

    /// Runs the tool with these arguments. If a signal has interrupted the command, ends the process by that signal.
    ///
    /// - Returns: The exit code.
    static func execute(_ arguments: [String], in context: CommandContext) async -> Int32 {
        let status = await run(arguments, in: context)
        context.endIfInterrupted()
        return status
    }

    private static func run(_ arguments: [String], in context: CommandContext) async -> Int32 {
        await CommandContext.$current.withValue(context) {
            let arguments = JoinedHeaders.separated(arguments)
            let bulk = BulkOptions(arguments)
            var command: any ParsableCommand
            do {
                command = try bulk.apply(to: parseAsRoot(bulk.rest))
                if let help = HiddenHelp(command, arguments) { throw ValidationError(help.message) }
            } catch {
                return report(error, of: self, secrets: CommandLineSecrets(arguments))
            }
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
                return ExitCode.success.rawValue
            } catch {
                return report(error, of: type(of: command), secrets: CommandLineSecrets(arguments))
            }
        }
    }

    /// Returns the arguments; `nil` after an error message if an argument is not valid UTF-8. Decoding such an argument
    /// with replacement characters would change its value.
    private static func arguments() -> [String]? {
        var arguments: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[index] else { break }
            guard let text = String(validatingCString: bytes) else {
                Console.current.note("helium: argument \(index) is not valid UTF-8")
                return nil
            }
            arguments.append(text)
        }
        return arguments
    }

    /// Reports the error of a command, unless the command has reported it. The help and the version are also thrown as
    /// errors.
    ///
    /// - Returns: The exit code.
    private static func report(
        _ error: any Error,
        of command: any ParsableCommand.Type,
        secrets: CommandLineSecrets
    ) -> Int32 {
        let console = Console.current
        do {
            // The library makes a help text for each question about an error, so it is asked only about its own errors.
            switch error {
            case let code as ExitCode: return code.rawValue
            case let error as ValidationError where command != self:
                // The library knows the command's usage only while it parses.
                let usage = OutputText(lines: usageString(for: command).replacing("\n", with: "\n       "))
                console.report("Error: \(error.message)\nUsage: \(usage)")
                if let names = names(of: command, below: self) {
                    console.report("  See '\(names.joined(separator: " ")) --help' for more information.")
                }
                return ExitCode.validationFailure.rawValue
            case is OutputFailure, is CommandFailure:
                console.note("helium: \(error)")
                return ExitCode.failure.rawValue
            default:
                let (code, text) = (exitCode(for: error), fullMessage(for: error, columns: columns))
                if code.isSuccess {
                    try console.print(document: text)
                } else if !text.isEmpty {
                    console.report(OutputText(lines: secrets.masked(text)))
                }
                return code.rawValue
            }
        } catch {
            console.report("helium: \(error)")
            return ExitCode.failure.rawValue
        }
    }

    /// The width of help texts: the variable `COLUMNS`, or the width of the terminal of standard output.
    private static var columns: Int {
        CommandContext.current.variable("COLUMNS").flatMap { Int($0) }
            ?? Terminal.size(of: Console.current.output).columns
    }

    /// Returns the words that call a command, beginning with the name of the tool.
    private static func names(
        of command: any ParsableCommand.Type,
        below parent: any ParsableCommand.Type
    ) -> [String]? {
        if command == parent { return [parent._commandName] }
        for child in parent.configuration.subcommands {
            if let names = names(of: command, below: child) { return [parent._commandName] + names }
        }
        return nil
    }
}

/// The three standard descriptors of the process.
private enum StandardDescriptors {
    /// Opens `/dev/null` for closed standard descriptors. Otherwise the first file or connection to be opened would get
    /// the number of a standard descriptor, and receive printed output.
    static func fill() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // `open` returns the lowest free number, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
