import ArgumentParser
import Cosm
import Foundation

/// `helium cosm push FEED DATASTREAM`.
struct CosmPushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Store datapoints that are read from stdin.",
        discussion: """
            Each line is a value, which is of the moment at which it is read, or a stamp and a value: \
            2013-02-01T09:00:00Z,20.5. A value with commas is quoted. Blank lines are passed over.

            Lines are stored in batches as they come, so that the command can be at the end of a pipe that never ends. \
            A line that is none ends it: what came before is stored, nothing after it is sent. SIGINT and SIGTERM end it \
            after storing what was read. A datastream that the feed does not have is created, which is told on stderr.
            """
    )

    @Argument(help: "The feed's id.")
    var feed: Feed.ID

    @Argument(help: "The datastream's id.")
    var datastream: String

    @OptionGroup var options: CosmOptions

    func run() async throws {
        let input = StandardInput()
        let signals = TerminationSignals { input.stop() }
        defer { signals.stop() }
        try await options.perform { api in
            var push = Push(api: api, feed: feed, datastream: datastream)
            try await push.run(input)
            try Console.print(push.summary)
        }
    }
}

/// A run of `helium cosm push`.
private struct Push {
    let api: CosmAPI
    let feed: Feed.ID
    let datastream: String
    private var lines = PushLines()
    private var stored = 0

    init(api: CosmAPI, feed: Feed.ID, datastream: String) {
        self.api = api
        self.feed = feed
        self.datastream = datastream
    }

    var summary: String { "\(Self.count(stored)) stored" }

    mutating func run(_ input: StandardInput) async throws {
        while let chunk = try await input.next() {
            try await store { lines, points throws(PushLines.BadLine) in
                try lines.take(chunk, at: .now, into: &points)
            }
        }
        try await store { lines, points throws(PushLines.BadLine) in try lines.end(at: .now, into: &points) }
    }

    /// Stores the points of some lines, also those before a bad one.
    private mutating func store(
        _ take: (inout PushLines, inout [Datapoint]) throws(PushLines.BadLine) -> Void
    ) async throws {
        var points: [Datapoint] = []
        var badLine: PushLines.BadLine?
        do throws(PushLines.BadLine) {
            try take(&lines, &points)
        } catch {
            badLine = error
        }
        try await send(points)
        guard let badLine else { return }
        Console.note("helium: \(TextTable.printable(badLine.description)); \(summary), nothing after it was sent")
        throw ExitCode(1)
    }

    private mutating func send(_ points: [Datapoint]) async throws {
        guard !points.isEmpty else { return }
        do {
            do {
                try await api.storeDatapoints(points, of: datastream, in: feed)
            } catch let error as CosmError where error.kind == .notFound && stored == 0 {
                try await create(or: error)
                try await api.storeDatapoints(points, of: datastream, in: feed)
            }
            stored += points.count
        } catch let error as CosmError {
            let sent = error.storedCount ?? 0
            stored += sent
            Console.note("helium: \(summary); the \(Self.count(points.count - sent)) read after them are not")
            throw error
        }
    }

    /// Creates the datastream; a feed that isn't there either is the error it was.
    private func create(or missing: CosmError) async throws {
        do {
            try await api.updateFeed(feed, Feed(datastreams: [Datastream(id: datastream)]))
        } catch let error as CosmError where error.kind == .notFound {
            throw missing
        }
        Console.note("helium: created the datastream \(TextTable.printable(datastream))")
    }

    private static func count(_ points: Int) -> String { points == 1 ? "1 point" : "\(points) points" }
}
