import ArgumentParser

/// The `helium jetstream` command: trees of objects that are synchronized over a WebSocket.
struct JetstreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jetstream",
        abstract: "Watch, change and host scopes of objects that sync live (Jetstream Sync protocol).",
        discussion: """
            A scope is a tree of objects, each with a class, a UUID and properties. watch, set and edit need to know no \
            classes. They restore the connection when it breaks, and resume the session; both is reported on stderr.
            """,
        subcommands: [
            JetstreamWatchCommand.self, JetstreamSetCommand.self, JetstreamEditCommand.self, ServeJetstreamCommand.self,
        ]
    )
}
