import ArgumentParser
import JetstreamCore

/// The `helium jetstream watch URL SCOPE` command.
struct JetstreamWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print a scope's state and its changes until a signal arrives.",
        discussion: """
            json has a document on each line: {"event":"state",…} with all objects, the root first, and again after \
            each new session; {"event":"sync",…} with fragments as they are on the wire. SIGHUP, SIGINT and SIGTERM end the \
            command. --timeout limits the time until the first state. Later connections are retried without a limit.
            """
    )

    @OptionGroup var options: JetstreamOptions

    func run() async throws {
        let (options, format) = (options, options.format)
        try await JetstreamRun.perform(options, isUsualEnd: true) { scope in
            var event = try await JetstreamRun.first(scope, options)
            while let next = event {
                if let text = JetstreamLines.text(next, format) { try Console.current.stream(text) }
                event = try await scope.next()
            }
        }
    }
}
