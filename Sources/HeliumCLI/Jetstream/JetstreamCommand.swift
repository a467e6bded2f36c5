import ArgumentParser

/// `helium jetstream`: model trees that sync live.
struct JetstreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jetstream",
        abstract: "Host scopes of model objects that sync live between clients (Jetstream Sync protocol).",
        subcommands: [ServeJetstreamCommand.self]
    )
}
