import ArgumentParser
import Cosm
import HeliumKit

/// The `helium cosm triggers` command.
struct CosmTriggersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "triggers", abstract: "List the account's triggers.")

    @Option(help: ArgumentHelp("Only triggers on this feed.", valueName: "id"))
    var feed: Feed.ID?

    @OptionGroup var options: CosmOptions
    @OptionGroup var output: CosmOutputOptions

    func validate() throws { try output.refuseCSV() }

    func run() async throws {
        try await options.perform { api in
            let triggers = try await api.triggers(on: feed)
            try output.format.show(triggers.elements) { CosmTables.triggers(triggers.elements) }
            triggers.unreadable.report()
        }
    }
}

/// The `helium cosm keys` command.
struct CosmKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List the account's keys and their permissions. Needs a master key.",
        discussion: "The keys themselves are masked without --show-keys."
    )

    @Option(help: ArgumentHelp("Only keys for this feed.", valueName: "id"))
    var feed: Feed.ID?

    @Flag(help: "Print the keys unmasked.")
    var showKeys = false

    @OptionGroup var options: CosmOptions
    @OptionGroup var output: CosmOutputOptions

    func validate() throws { try output.refuseCSV() }

    func run() async throws {
        try await options.perform { api in
            var keys = try await api.keys(for: feed)
            if !showKeys {
                for index in keys.indices where keys[index].key != nil { keys[index].key = Secret(Redactor.mask) }
            }
            try output.format.show(keys.elements) { CosmTables.keys(keys.elements) }
            keys.unreadable.report()
        }
    }
}
