import ArgumentParser
import Foundation
import HeliumConcurrency
import HeliumKit
import HeliumWebSocket
import JetstreamCore
import Synchronization

/// A connected client and its scope for the duration of a command.
enum JetstreamRun {
    /// Fetches the scope and runs `work` with it until `work` ends, a signal arrives, or the reader of the output has
    /// exited. An error is reported on standard error, and the command ends with its exit code.
    ///
    /// - Parameters:
    ///   - isUsualEnd: Whether a signal is the usual end of the command. Default: it interrupts the command.
    ///   - stop: Called when a signal arrives.
    static func perform(
        _ options: JetstreamOptions,
        isUsualEnd: Bool = false,
        stopping stop: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable (MirroredScope) async throws -> Void
    ) async throws {
        let client = try options.makeClient()
        let reporter = ConnectionReporter()
        let (statuses, events) = (client.statuses, client.sessionEvents)
        let reporting = [
            Task { for await status in statuses { reporter.report(status) } },
            Task { for await event in events { report(event, to: reporter) } },
        ]
        let scope = client.mirror(options.scope, parameters: JSONParameter.object(options.fetchParam))
        client.connect()
        let task = Task {
            try await TerminationSignals.cancelling(isUsualEnd: isUsualEnd, stopping: stop) { try await work(scope) }
        }
        let result = await task.result
        for task in reporting { task.cancel() }
        await client.close()
        switch result {
        case .success, .failure(is Console.BrokenPipe): break
        case .failure(is CancellationError):
            if !isUsualEnd { throw fail("interrupted") }
        case .failure(is DeadlineExceeded):
            throw fail("no response within \(options.limit): \(reporter.reason ?? "the server does not respond")")
        case .failure(let error): throw report(error)
        }
    }

    private static func report(_ event: SessionEvent, to reporter: ConnectionReporter) {
        switch event {
        case .established, .resumed: reporter.established()
        case .lost(let error): Console.current.note("helium: the session was lost, starting a new one: \(text(error))")
        case .waitingReplies, .recovered: break
        }
    }

    /// Returns the first event, which is the state. Throws if it does not arrive within `--timeout`.
    static func first(_ scope: MirroredScope, _ options: JetstreamOptions) async throws -> MirrorEvent? {
        try await Deadline(after: options.limit, clock: CommandContext.current.clock).race { try await scope.next() }
    }

    /// Reports an error that is not a usage error.
    static func fail(_ reason: String) -> ExitCode {
        Console.current.note("helium: \(reason)")
        return ExitCode(1)
    }

    /// Reports an error on standard error, with the server's message if there is one.
    static func report(_ error: any Error) -> any Error {
        if error is ExitCode || error is ValidationError { return error }
        return fail(text(error))
    }

    /// Returns the text of an error.
    static func text(_ error: any Error) -> String {
        guard let error = error as? JetstreamError else { return String(describing: error) }
        if let server = error.server {
            return "\(error.message): \(server.message)\(server.type.map { " (\($0))" } ?? "")"
        }
        if let cause = error.underlying { return "\(error.message): \(cause)" }
        return error.message
    }
}

/// Events as text.
enum JetstreamLines {
    static func text(_ event: MirrorEvent, _ format: JetstreamOutputFormat) -> OutputText? {
        if format == .json { return event.json.map { OutputText(json: $0.text()) } }
        switch event {
        case .state(_, let objects):
            return objects.map { line("is", $0.uuid, $0.className, $0.properties) }.joinedLines()
        case .sync(let fragments):
            return fragments.map { line($0.kind.rawValue, $0.uuid, $0.className, $0.properties) }.joinedLines()
        case .settled: return nil
        }
    }

    /// Returns the outcome of a line's change set as text.
    static func text(
        _ result: Result<[FragmentReply], JetstreamError>,
        line: Int,
        _ format: JetstreamOutputFormat
    ) -> OutputText {
        switch (result, format) {
        case (.success(let replies), .json):
            let reply: JSONValue = [
                "event": "reply", "line": .number(JSONNumber(line)), "fragmentReplies": FragmentReply.json(replies),
            ]
            return OutputText(json: reply.text())
        case (.failure(let error), .json):
            let reply: JSONValue = [
                "event": "reply", "line": .number(JSONNumber(line)),
                "failure": [
                    "kind": .string(error.kind.rawValue), "message": .string(error.message),
                    "delivery": .string(error.delivery.rawValue),
                ],
            ]
            return OutputText(json: reply.text())
        case (.success(let replies), .text):
            guard let refusal = replies.lazy.compactMap(\.error).first else { return "line \(line): accepted" }
            let count = replies.count { !$0.isAccepted }
            return "line \(line): \(count) of \(replies.count) rejected: \(refusal.message)"
        case (.failure(let error), .text):
            return "line \(line): \(JetstreamRun.text(error)) (\(error.delivery.rawValue))"
        }
    }

    /// Returns a line such as `change 3f6a…  Shape  {"x":1}`.
    private static func line(_ verb: String, _ uuid: UUID, _ className: String, _ properties: JSONObject) -> OutputText
    {
        "\(verb) \(TextTable.row([uuid.uuidString.lowercased(), className, JSONValue.object(properties).text()]))"
    }
}
