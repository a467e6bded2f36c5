import ArgumentParser
import Foundation

// How the tool begins and ends, whatever the command.
extension HeliumCommand {
    static func main() async {
        StandardDescriptors.fill()
        // A reader that goes away is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        guard let arguments = Self.arguments() else { Foundation.exit(ExitCode.validationFailure.rawValue) }
        var command: any ParsableCommand
        let bulk = BulkOptions(arguments)
        do { command = try bulk.apply(to: parseAsRoot(bulk.rest)) } catch {
            end(with: error, of: self, secrets: CommandLineSecrets(arguments))
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error, of: type(of: command), secrets: CommandLineSecrets(arguments))
        }
    }

    /// What was given on the command line; `nil`, and said on stderr, where that is no text: read as text, it would be
    /// another than was given.
    private static func arguments() -> [String]? {
        var arguments: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[index] else { break }
            guard let text = String(validatingCString: bytes) else {
                Console.note("helium: argument \(index) is no valid UTF-8")
                return nil
            }
            arguments.append(text)
        }
        return arguments
    }

    /// Tells what a command ended with, if it hasn't, and ends the process with its exit code.
    private static func end(
        with error: any Error,
        of command: any ParsableCommand.Type,
        secrets: CommandLineSecrets
    ) -> Never {
        let code = exitCode(for: error)
        do {
            switch error {
            case let error as ValidationError where command != self:
                // The library knows the command's usage as long as it parses only.
                let usage = usageString(for: command).replacing("\n", with: "\n       ")
                Console.report("Error: \(PrintableText.line(error.message))\nUsage: \(usage)")
                if let names = names(of: command, below: self) {
                    Console.report("  See '\(names.joined(separator: " ")) --help' for more information.")
                }
            case is OutputFailure, is CommandFailure: Console.report("helium: \(error)")
            default:
                let text = fullMessage(for: error)
                if text.isEmpty { break }
                if code.isSuccess { try Console.print(text) } else { Console.report(secrets.masked(text)) }
            }
        } catch {
            Console.report("helium: \(error)")
            Foundation.exit(ExitCode.failure.rawValue)
        }
        Foundation.exit(code.rawValue)
    }

    /// The words that call a command, from the tool's name on.
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

/// The process's three standard descriptors.
private enum StandardDescriptors {
    /// Puts something that can be neither read nor written in the place of those that are closed: else the first file
    /// or connection to be opened would have the number, and get what is printed.
    static func fill() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest number that is free is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
