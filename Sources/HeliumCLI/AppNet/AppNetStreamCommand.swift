import AppNet
import ArgumentParser
import Foundation
import HeliumWebSocket

/// The `helium appnet stream [CHANNEL…]` command.
struct AppNetStreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream",
        abstract: "Print live updates until a signal arrives.",
        discussion: """
            With channels, prints their messages. Without, prints each subscribed channel when it changes. A lost \
            connection is restored, and missed updates are read; both are reported on stderr. SIGHUP, SIGINT and SIGTERM end \
            the command. --timeout limits connecting and subscribing, and nothing after that.
            """
    )

    @Argument(help: "The ids of channels.")
    var channels: [AppNetChannel.ID] = []

    @OptionGroup var options: AppNetOptions

    @Option(
        help: ArgumentHelp(
            "The URL of the user stream: ws, wss, http or https. Default: the variable APPNET_STREAM_URL, or the public service for pnut.",
            valueName: "url"
        )
    )
    var streamUrl: LiveURL?

    func run() async throws {
        let address = try resolvedAddress()
        try await options.perform(stream: address) { client in
            var streamOptions = UserStreamOptions()
            if let limit = options.connection.timeout { streamOptions.subscribeTimeout = limit.duration }
            let stream = client.userStream(streamOptions)
            let reporting = Task {
                for await state in stream.connectionStates { Self.report(state) }
            }
            let work = Task {
                try await TerminationSignals.following { try await print(stream) }
            }
            let result = await work.result
            reporting.cancel()
            await stream.close()
            try result.get()
        }
    }

    /// Prints the updates of all subscriptions.
    private func print(_ stream: UserStream) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if channels.isEmpty {
                let updates = try await stream.subscribe(to: .channels())
                group.addTask { try await print(updates) { Self.line($0) } }
            }
            for channel in channels {
                let updates = try await stream.subscribe(to: .messages(in: channel))
                group.addTask { try await print(updates) { Self.line($0) } }
            }
            Console.current.note("helium: subscribed")
            // The first subscription that fails ends the others; `waitForAll` would wait for them.
            for try await _ in group {}
        }
    }

    private func print<Value: StreamItem & Encodable>(
        _ updates: StreamSubscription<Value>,
        _ line: @Sendable (Value) -> [String?]
    ) async throws {
        for try await update in updates {
            switch update.change {
            case .added(let value): try show("added", value.streamID?.text, value, line(value))
            case .changed(let value): try show("changed", value.streamID?.text, value, line(value))
            case .deleted(let id, _): try show("deleted", id.text, Value?.none, [])
            case .caughtUp(let isResumed):
                Console.current.note("helium: reconnected\(isResumed ? "" : "; deletions may be missing")")
                update.unreadable.report()
            }
        }
    }

    private func show(_ change: String, _ id: String?, _ value: (some Encodable)?, _ cells: [String?]) throws {
        if options.isJSON {
            try Console.current.stream(AppNetTables.json(UpdateDocument(change: change, id: id, value: value)))
        } else {
            try Console.current.stream(TextTable.row([change, id] + cells))
        }
    }

    private static func line(_ message: Message) -> [String?] {
        [message.createdAt.map(AppNetTables.date), AppNetTables.name(message), AppNetTables.text(message)]
    }

    private static func line(_ channel: AppNetChannel) -> [String?] {
        [channel.type?.rawValue, channel.recentMessageID.map { "message \($0.text)" }]
    }

    private static func report(_ state: ConnectionState) {
        guard case .waiting(_, let reason) = state else { return }
        let text = reason.map { String(describing: $0) } ?? "the server closed the connection"
        Console.current.note("helium: no connection, retrying: \(text)")
    }

    private func resolvedAddress() throws -> ServiceAddresses.Address? {
        let variable = AppNetAddressVariable.stream
        if let streamUrl {
            let url = try streamUrl.url(for: "--stream-url", schemes: variable.schemes)
            return ServiceAddresses.Address(url: url, source: "--stream-url", isOption: true)
        }
        if let url = try variable.validURL() {
            return ServiceAddresses.Address(url: url, source: variable.name, isOption: false)
        }
        // The default URL of the stream is only valid for the dialect's own service.
        if try options.resolvedBaseURL() != options.dialect.baseURL {
            throw ValidationError("no URL of the user stream: set APPNET_STREAM_URL, or give --stream-url")
        }
        return nil
    }
}

/// An update in the JSON output.
private struct UpdateDocument<Value: Encodable>: Encodable {
    var change: String
    var id: String?
    var value: Value?
}
