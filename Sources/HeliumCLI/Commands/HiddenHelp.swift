import ArgumentParser

/// A word such as `-hello` that the argument parser treats as a request for help, because it reads it as the flags
/// `-h`, `-e`, `-l` and so on. A script that sends a text would end with the help and status 0, and lose the text.
///
/// Help is only requested by `-h` and `--help` as words of their own, and by `helium help`.
struct HiddenHelp {
    /// The position of the word. The word itself may be a secret.
    private let position: Int

    /// The usage error.
    var message: String {
        "argument \(position) is not an option: write a text that begins with - after --, "
            + "or a value as --option=-value; use --help for the help"
    }

    /// Finds the word because of which the parser returned the command that prints the help.
    ///
    /// - Returns: `nil` if it returned another command, or if help was requested by a word of its own.
    init?(_ command: any ParsableCommand, _ arguments: [String]) {
        let options = arguments.prefix { $0 != "--" }
        guard type(of: command).configuration.commandName == "help", !options.contains("-h"),
            !options.contains("--help"),
            let index = options.firstIndex(where: Self.isCluster)
        else { return nil }
        position = index + 1
    }

    /// Returns whether a word is a group of flags of one letter with `-h` among them.
    private static func isCluster(_ word: String) -> Bool {
        word.hasPrefix("-") && !word.hasPrefix("--") && word.utf8.count > 2 && word.contains("h")
    }
}
