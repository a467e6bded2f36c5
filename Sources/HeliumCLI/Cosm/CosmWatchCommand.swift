import ArgumentParser
import Cosm
import Foundation
import HeliumConcurrency
import HeliumKit
import HeliumWebSocket
import Synchronization

/// The `helium cosm watch FEED [DATASTREAM]` command.
struct CosmWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print live updates of a feed or a datastream until a signal arrives.",
        discussion: """
            A table has a line for each changed datastream, json a document for each update with its origin, csv rows, \
            xml documents. The service sends complete feeds: the first update has all datastreams, unless --current \
            has printed them before. A lost connection is restored, and then the current state is read. Both are \
            reported on stderr, also when updates may be missing. SIGHUP, SIGINT and SIGTERM end the command. --timeout limits \
            the first connection and subscription, and each read of the state. Later connections are retried without a \
            limit.
            """
    )

    @Argument(help: "The feed's id.")
    var feed: Feed.ID

    @Argument(help: "The datastream's id. Default: all datastreams of the feed.")
    var datastream: String?

    @OptionGroup var options: CosmOptions
    @OptionGroup var output: CosmOutputOptions

    @Option(
        help: ArgumentHelp(
            "The URL of the live socket: ws, wss, or tcp. Default: the variable COSM_SOCKET_URL.",
            valueName: "url"
        )
    )
    var socketUrl: LiveURL?

    @Flag(help: "Print the current state first.")
    var current = false

    @Flag(help: "After an interruption, print the missed datapoints from the history.")
    var fillGaps = false

    func run() async throws {
        let socket = try resolvedSocket()
        try await options.perform(socket: socket) { api in
            let wanted = subscriptionOptions
            if let datastream {
                try await watch(api, CosmUpdates.datastream(output.format)) {
                    try await api.subscribe(to: datastream, in: feed, options: wanted)
                }
            } else {
                try await watch(api, CosmUpdates.feed(output.format)) {
                    try await api.subscribe(to: feed, options: wanted)
                }
            }
        }
    }

    private var subscriptionOptions: SubscriptionOptions {
        var options = SubscriptionOptions()
        options.startsWithCurrentState = current
        options.fillsGapsFromHistory = fillGaps
        return options
    }

    /// Prints the updates until a signal arrives, or the reader of the output exits.
    private func watch<Value>(
        _ api: CosmClient,
        _ text: @escaping @Sendable (LiveUpdate<Value>) throws -> String,
        _ subscribe: @escaping @Sendable () async throws -> LiveSubscription<Value>
    ) async throws {
        // The reference keeps the API's own socket open.
        let socket = try api.socket
        let reporter = ConnectionReporter()
        let (states, confirmations) = (socket.connectionStates, socket.confirmations)
        let reporting = [
            Task { for await state in states { reporter.report(state) } },
            Task { for await _ in confirmations { reporter.established() } },
        ]
        let work = Task {
            try await TerminationSignals.following {
                let updates = try await subscribed(subscribe, reporter)
                Console.current.note("helium: subscribed to \(updates.resource)")
                for try await update in updates {
                    if update.followsGap { Console.current.note("helium: updates before this one may be missing") }
                    let text = try text(update)
                    if !text.isEmpty { try Console.current.stream(document: text) }
                }
            }
        }
        let result = await work.result
        for task in reporting { task.cancel() }
        await socket.close()
        try result.get()
    }

    /// Subscribes to the resource. Throws if that takes longer than `--timeout`.
    private func subscribed<Value>(
        _ subscribe: @escaping @Sendable () async throws -> LiveSubscription<Value>,
        _ reporter: ConnectionReporter
    ) async throws -> LiveSubscription<Value> {
        let limit = options.callLimit
        do {
            return try await Deadline(after: limit, clock: CommandContext.current.clock).race {
                while true {
                    do {
                        return try await subscribe()
                    } catch let error as CosmError where error.underlying?.kind == .timedOut {
                        // The socket's own timeout, not that of the command. The socket keeps connecting and reports
                        // the reason.
                    }
                }
            }
        } catch is DeadlineExceeded {
            throw NotSubscribed(limit: limit, reason: reporter.reason)
        }
    }

    private func resolvedSocket() throws -> ServiceAddresses.Address {
        let (variable, schemes) = (CosmOptions.socketVariable, CosmOptions.socketSchemes)
        if let socketUrl {
            let url = try socketUrl.url(for: "--socket-url", schemes: schemes)
            return ServiceAddresses.Address(url: url, source: "--socket-url", isOption: true)
        }
        if let text = CommandContext.current.variable(variable) {
            let url = try LiveURL(text).url(for: variable, schemes: schemes)
            return ServiceAddresses.Address(url: url, source: variable, isOption: false)
        }
        throw ValidationError(
            "no URL of the live socket: set COSM_SOCKET_URL, or give --socket-url, for example ws://127.0.0.1:8081/"
        )
    }
}

/// The error thrown when a subscription does not succeed in time.
private struct NotSubscribed: Error, CustomStringConvertible {
    let limit: Duration
    let reason: String?

    var description: String { "no subscription within \(limit): \(reason ?? "the server does not respond")" }
}
