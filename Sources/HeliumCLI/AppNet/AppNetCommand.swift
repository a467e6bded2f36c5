import ArgumentParser

/// The `helium appnet` command: channels, messages, files and users.
struct AppNetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "appnet",
        abstract: "Use App.net or pnut.io: channels, messages, files, users, live updates.",
        discussion: """
            The server and the token are given by --base-url and --token, by the variables APPNET_BASE_URL and \
            APPNET_TOKEN, or by the last login. The token is never printed.
            """,
        subcommands: [
            AppNetLoginCommand.self, AppNetChannelsCommand.self, AppNetChannelCommand.self,
            AppNetMessagesCommand.self, AppNetSendCommand.self, AppNetReadCommand.self, AppNetDeleteCommand.self,
            AppNetFilesCommand.self, AppNetSearchCommand.self, AppNetStreamCommand.self, AppNetUserCommand.self,
        ]
    )
}
