import ArgumentParser
import Foundation

/// The part of swift-argument-parser's description of a tool (`--experimental-dump-help`) that the manual page uses.
struct ToolDescription: Decodable {
    let command: Command

    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let shouldDisplay: Bool?
        let subcommands: [Command]?
        let arguments: [Argument]?
    }

    struct Argument: Decodable {
        enum Kind: String, Decodable { case positional, option, flag }

        struct Name: Decodable {
            enum Kind: String, Decodable { case long, short, longWithSingleDash }

            let kind: Kind
            let name: String
        }

        let kind: Kind
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let allValues: [String]?
        let abstract: String?
        let discussion: String?
    }
}

extension ToolDescription {
    /// Returns the description of this tool by the argument library, which its manual plugin uses too.
    static func current() throws -> Self {
        try JSONDecoder().decode(Self.self, from: Data(HeliumCommand._dumpHelp().utf8))
    }
}

extension ToolDescription.Command {
    /// The subcommands in the help text, except `help`.
    var shownSubcommands: [Self] {
        (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
    }

    /// The arguments in the help text, except `--help` and `--version`, which all commands have.
    var shownArguments: [ToolDescription.Argument] {
        (arguments ?? []).filter { argument in
            argument.shouldDisplay && !(argument.names ?? []).contains { ["help", "version"].contains($0.name) }
        }
    }
}

extension ToolDescription.Argument {
    /// All spellings, such as `-o`, `--output`; empty for a positional argument.
    var spellings: [String] {
        (names ?? []).map { ($0.kind == .long ? "--" : "-") + $0.name }.sorted { $0.count < $1.count }
    }
}
