import Foundation

/// The manual page of the tool, in the man macros of roff.
struct ManualPage {
    private(set) var text = ""

    /// Creates the manual page.
    ///
    /// - Parameters:
    ///   - tool: The root command.
    ///   - version: The version, for the footer of the page.
    init(_ tool: ToolDescription.Command, version: String) {
        let name = tool.commandName
        // No date, so that the same sources produce the same page.
        text = ".TH \(name.uppercased()) 1 \"\" \"\(name) \(version)\" \"User Commands\"\n"
        section("NAME")
        text += Self.escaped("\(name) - \(tool.abstract ?? "")") + "\n"
        section("SYNOPSIS")
        text += ".B \(name)\n.I command\n.RI [ options ]\n"
        section("DESCRIPTION")
        paragraph(tool.discussion)
        paragraph("\(name) help command and \(name) command --help print the part of this page for one command.")
        section("COMMANDS")
        for command in tool.shownSubcommands { describe(command, below: name) }
        section("EXIT STATUS")
        let statuses = [
            ("0", "Success. Also the end of a command that runs until a signal arrives."), ("1", "Failure."),
            ("64", "The command line is invalid."),
            ("128+n", "Signal n interrupted the command: 129 after SIGHUP, 130 after Ctrl-C, 143 after SIGTERM."),
        ]
        for (status, meaning) in statuses { term("\\fB\(status)\\fR", meaning) }
    }

    private mutating func describe(_ command: ToolDescription.Command, below parents: String) {
        let name = "\(parents) \(command.commandName)"
        let subcommands = command.shownSubcommands
        guard subcommands.isEmpty else {
            for subcommand in subcommands { describe(subcommand, below: name) }
            return
        }
        let positions = command.shownArguments.filter { $0.kind == .positional }
        let words = positions.map { argument in
            let word = "<\(argument.valueName ?? "value")>" + (argument.isRepeating ? "..." : "")
            return argument.isOptional ? "[\(word)]" : word
        }
        text += ".SS \"\(Self.escaped(([name] + words).joined(separator: " ")))\"\n"
        paragraph(command.abstract)
        paragraph(command.discussion)
        for argument in command.shownArguments { describe(argument) }
    }

    private mutating func describe(_ argument: ToolDescription.Argument) {
        let value = argument.valueName.map { "\\fI\(Self.escaped($0))\\fR" } ?? ""
        let spellings = argument.spellings.map { "\\fB\(Self.escaped($0))\\fR" }.joined(separator: ", ")
        let title =
            switch argument.kind {
            case .positional: value
            case .option: "\(spellings) \(value)"
            case .flag: spellings
            }
        var sentences = [argument.abstract, argument.discussion].compactMap(\.self)
        if let values = argument.allValues, !values.isEmpty {
            sentences.append("Values: \(values.joined(separator: ", ")).")
        }
        if let value = argument.defaultValue, !value.isEmpty { sentences.append("Default: \(value).") }
        term(title, sentences.joined(separator: " "))
    }

    private mutating func section(_ title: String) { text += ".SH \(title)\n" }

    private mutating func paragraph(_ content: String?) {
        guard let content, !content.isEmpty else { return }
        text += ".PP\n\(Self.escaped(content))\n"
    }

    /// - Parameter title: The title as roff, which is not escaped.
    private mutating func term(_ title: String, _ meaning: String) {
        text += ".TP\n\(title)\n\(Self.escaped(meaning.isEmpty ? "(no description)" : meaning))\n"
    }

    /// Escapes text for roff. A line that begins with a dot or an apostrophe would be a request, and characters outside
    /// of ASCII would be read byte by byte.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        var isLineStart = true
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "\"": escaped += "\\(dq"
            case ".", "'": escaped += (isLineStart ? "\\&" : "") + String(scalar)
            case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
            default: escaped += "\\[u" + String(format: "%04X", scalar.value) + "]"
            }
            isLineStart = scalar == "\n"
        }
        return escaped
    }
}
