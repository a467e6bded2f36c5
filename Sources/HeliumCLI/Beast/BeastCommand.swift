import ArgumentParser

/// The `helium beast` command: an offline copy of the user's channels.
struct BeastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beast",
        abstract: "Keep channels of App.net or pnut.io in a database: read, search, write offline, synchronize.",
        discussion: """
            The database is given by --db, or by --account, which keeps it in the user's folder for state. The server \
            and the token are given by --base-url and --token, by the variables APPNET_BASE_URL and APPNET_TOKEN, or \
            by the last login of helium appnet. Commands that only read the database need neither.
            """,
        subcommands: [
            BeastInitCommand.self, BeastSyncCommand.self, BeastListCommand.self, BeastShowCommand.self,
            BeastSearchCommand.self, BeastLookupCommand.self, BeastSendCommand.self, BeastAttachCommand.self,
            BeastDeleteCommand.self, BeastActionsCommand.self, BeastOutboxCommand.self, BeastDraftsCommand.self,
            BeastWatchCommand.self, BeastExportCommand.self, BeastImportCommand.self, BeastWipeCommand.self,
            BeastDoctorCommand.self,
        ]
    )
}
