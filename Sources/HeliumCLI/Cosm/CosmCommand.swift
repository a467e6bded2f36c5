import ArgumentParser

/// The `helium cosm` command: feeds, their values and histories.
struct CosmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cosm",
        abstract: "Read and write feeds of a Cosm server, version 2 (Pachube, Cosm, Xively).",
        discussion: """
            The server and the key are given by --base-url and --key, or by the variables COSM_BASE_URL and \
            COSM_API_KEY. The key is never printed.
            """,
        subcommands: [
            CosmFeedsCommand.self, CosmFeedCommand.self, CosmCreateCommand.self, CosmUpdateCommand.self,
            CosmDeleteCommand.self, CosmPushCommand.self, CosmHistoryCommand.self,
            CosmPlotCommand.self, CosmWatchCommand.self, CosmTriggersCommand.self, CosmKeysCommand.self,
        ]
    )
}
