import ArgumentParser

/// The `helium jetstream` command: trees of objects that are synchronized over a WebSocket.
struct JetstreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jetstream",
        abstract: "Watch, change and host scopes of objects that sync live (Jetstream Sync protocol).",
        discussion: """
            A scope is a tree of objects, each with a class, a UUID and properties. watch, set and edit need no \
            classes. They restore a lost connection and resume the session. Both are reported on stderr.
            """,
        subcommands: [
            JetstreamWatchCommand.self, JetstreamSetCommand.self, JetstreamEditCommand.self, ServeJetstreamCommand.self,
        ]
    )
}
