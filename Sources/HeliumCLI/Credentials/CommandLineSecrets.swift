import ArgumentParser

/// The words of the command line that may be secret. Errors of the argument parser quote words, and must not quote these.
///
/// Every word may be secret that is not known to be harmless: a new option, a misspelled one, and a value that became a word
/// of its own because quotation marks are missing, all of them are masked without an entry here.
struct CommandLineSecrets {
    /// The options whose values are harmless, so that an error may quote them.
    static let publicOptions: Set<String> = [
        "--compat", "--conair-sensor", "--cosm-tcp-port", "--count", "--datastream", "--dialect",
        "--disposition", "--distance", "--domain", "--duration", "--ele", "--end", "--exposure", "--feed", "--format",
        "--in", "--interval", "--lat", "--limit", "--lon", "--max-depth", "--max-filesize", "--order", "--page",
        "--per-page", "--period", "--port", "--retry", "--start", "--status", "--step", "--stop", "--timeout",
        "--timestamp", "--wait", "--width", "--zone",
    ]

    private static let mask = "[redacted]"

    private let values: Set<String>

    /// Collects the words that may be secret: all that are neither the name of a command, nor that of an option, nor the
    /// value of an option with harmless values.
    init(_ arguments: [String]) {
        var values: Set<String> = []
        // The names of commands come first, and the first other word may be a misspelled one.
        let commands = arguments.prefix { !$0.hasPrefix("-") }.count
        let known = CommandNames.count(in: arguments.prefix(commands))
        var isPublicValue = false
        for (index, argument) in arguments.enumerated() {
            defer { isPublicValue = Self.publicOptions.contains(argument) }
            if index < known || isPublicValue || Self.isName(argument) { continue }
            guard let sign = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                values.insert(argument)
                continue
            }
            // The parser quotes the parts of `--option=value`.
            let name = String(decoding: argument.utf8[..<sign], as: UTF8.self)
            if Self.publicOptions.contains(name) { continue }
            values.insert(argument)
            values.insert(String(decoding: argument.utf8[sign...].dropFirst(), as: UTF8.self))
            if !Self.isName(name) { values.insert(name) }
        }
        self.values = values.subtracting([""])
    }

    /// Returns whether a word has the form of an option's name: `-v`, or `--` with a letter, letters and hyphens.
    private static func isName(_ word: String) -> Bool {
        let bytes = word.utf8
        if bytes.count == 2 { return bytes.first == UInt8(ascii: "-") }
        return bytes.starts(with: "--".utf8) && bytes.count <= 24 && bytes.dropFirst(2).first != UInt8(ascii: "-")
            && bytes.dropFirst(2).allSatisfy { 97...122 ~= $0 || $0 == UInt8(ascii: "-") || 48...57 ~= $0 }
    }

    /// The beginning of the only message of the parser that has a word without quotation marks. The word begins with three
    /// hyphens, as a PEM file does.
    private static let unquoted = "Invalid option: "

    /// Returns a message in which the words of the command line that may be secret are masked.
    func masked(_ message: String) -> String {
        var message = message
        if message.contains(Self.unquoted) {
            for value in values.sorted(by: { $0.utf8.count > $1.utf8.count }) where value.hasPrefix("---") {
                message = message.replacing(Self.unquoted + value, with: Self.unquoted + Self.mask)
            }
        }
        return maskingQuoted(message)
    }

    private func maskingQuoted(_ message: String) -> String {
        let quote: Character = "'"
        // Words that contain the quotation mark cannot be found between two of them.
        let message = values.filter { $0.contains(quote) }.reduce(message) { $0.replacing("'\($1)'", with: Self.mask) }
        // One pass, because a command line may have many thousand words.
        let parts = message.split(separator: quote, omittingEmptySubsequences: false).map(String.init)
        var (masked, index) = (parts[0], 1)
        while index < parts.count {
            if index < parts.count - 1, values.contains(parts[index]) {
                masked += Self.mask + parts[index + 1]
                index += 2
            } else {
                masked += "'" + parts[index]
                index += 1
            }
        }
        return masked
    }
}

/// The names of the tool's commands.
enum CommandNames {
    /// Counts the words at the beginning that name a command. The first word that should name one and does not counts
    /// too: it is a misspelled name, which an error may quote.
    static func count(in words: ArraySlice<String>) -> Int {
        var command: any ParsableCommand.Type = HeliumCommand.self
        var count = 0
        for word in words {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty else { return count }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                return command.configuration.defaultSubcommand == nil ? count + 1 : count
            }
            command = next
            count += 1
        }
        return count
    }
}
