import ArgumentParser

/// `helium jetstream`: trees of objects that are kept in step over a WebSocket.
struct JetstreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jetstream",
        abstract: "Watch and change the scopes of a Jetstream server.",
        discussion: """
            A scope is a tree of objects, each with a class, a UUID and properties. No classes need to be known here. \
            The connection is restored when it breaks, and the session resumed: that is told on stderr.
            """,
        subcommands: [JetstreamWatchCommand.self, JetstreamSetCommand.self, JetstreamEditCommand.self]
    )
}
