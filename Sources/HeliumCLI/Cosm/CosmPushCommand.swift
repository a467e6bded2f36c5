import ArgumentParser
import Cosm
import Foundation
import HeliumConcurrency
import HeliumKit
import HeliumWebSocket
import Synchronization

/// The `helium cosm push FEED DATASTREAM` command.
struct CosmPushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Store datapoints from stdin.",
        discussion: """
            Each line is a value, which gets the time at which it is read, or a time and a value: \
            2013-02-01T09:00:00Z,20.5. A value with commas, or one that begins with a time, is quoted. Blank lines are \
            ignored.

            Lines are stored in batches as they arrive, so that the command can be at the end of a pipe that never \
            ends. An invalid line ends the command: the lines before it are stored, the lines after it are not sent. \
            SIGHUP, SIGINT and SIGTERM end the command after it has stored the complete lines that it has read, for which \
            the server has 5 seconds. A second signal ends it immediately. The exit code is 0 if all were stored. \
            Without a connection the command retries until --timeout. A datastream that the feed does not have is created and reported on stderr.
            """
    )

    @Argument(help: "The feed's id.")
    var feed: Feed.ID

    @Argument(help: "The datastream's id.")
    var datastream: String

    @OptionGroup var options: CosmOptions

    func validate() throws {
        try FilePath.checkOneInput(("the datapoints", true), ("--key-file", options.keyFile == "-"))
    }

    func run() async throws {
        let input = StandardInput()
        let (starts, start) = AsyncStream<Void>.makeStream()
        let work = Task {
            for await _ in starts {}
            try await options.perform { api in
                var push = Push(api: api, feed: feed, datastream: datastream, patience: options.callLimit)
                try await push.run(input)
                try Console.current.print(push.summary)
            }
        }
        // The first signal.
        let stopping = Guarded<Int32?>(nil)
        // The points that were read have 5 seconds to be stored.
        let signals = TerminationSignals(graces: [.milliseconds(5800), .milliseconds(800)]) { number in
            input.stop()
            let wasStopping = stopping.withLock { first in
                defer { first = first ?? number }
                return first != nil
            }
            if wasStopping { work.cancel() } else { Task { try await Self.end(work) } }
        }
        defer { signals.stop() }
        // Start only now, because a signal may arrive as soon as something is stored.
        start.finish()
        do {
            try await work.value
        } catch {
            // A signal is a usual end of the command only if all points that were read are stored.
            if let number = stopping.withLock({ $0 }) { CommandContext.current.interrupt(by: number) }
            throw error
        }
    }

    /// Gives the points that were read some time to be stored.
    private static func end(_ work: Task<Void, any Error>) async throws {
        let clock = CommandContext.current.clock
        try await clock.sleep(for: .milliseconds(500))
        Console.current.note("helium: waiting for the server; send a second signal to end immediately")
        try await clock.sleep(for: .milliseconds(4500))
        work.cancel()
    }
}

/// One run of `helium cosm push`.
private struct Push {
    let api: CosmClient
    let feed: Feed.ID
    let datastream: String
    /// The time during which attempts without a connection are repeated.
    let patience: Duration
    private let clock = CommandContext.current.clock
    private var lines = PushLines()
    private var stored = 0

    init(api: CosmClient, feed: Feed.ID, datastream: String, patience: Duration) {
        self.api = api
        self.feed = feed
        self.datastream = datastream
        self.patience = patience
    }

    var summary: OutputText { "\(Self.count(stored)) stored" }

    mutating func run(_ input: StandardInput) async throws {
        while true {
            let part: StandardInput.Part
            do {
                part = try await input.next()
            } catch {
                if stored > 0 { Console.current.note("helium: \(summary); the rest of the input can't be read") }
                throw error
            }
            let now = now
            switch part {
            case .bytes(let chunk):
                try await store { lines, points throws(PushLines.BadLine) in
                    try lines.take(chunk, at: now, into: &points)
                }
            case .end:
                if try await isInterrupted(input) { return dropUnfinishedLine() }
                return try await store { lines, points throws(PushLines.BadLine) in
                    try lines.end(at: now, into: &points)
                }
            case .stopped: return dropUnfinishedLine()
            }
        }
    }

    /// Returns whether a signal has ended the input within a line. Ctrl-C also ends the command that writes the input,
    /// possibly within a line, and the end of the input may arrive before the signal.
    private func isInterrupted(_ input: StandardInput) async throws -> Bool {
        guard lines.hasUnfinishedLine else { return false }
        if !input.isStopped { try await clock.sleep(for: .milliseconds(200)) }
        return input.isStopped
    }

    /// Reports an unfinished line. The beginning of a line may be a valid value, and not the one that was meant.
    private func dropUnfinishedLine() {
        if lines.hasUnfinishedLine {
            Console.current.note("helium: the last line was incomplete and is not stored")
        }
    }

    private var now: Timestamp { Timestamp(CommandContext.current.now) }

    /// Stores the points of some lines, including those before an invalid line.
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
        Console.current.note(
            "helium: \(badLine); \(summary), nothing after it was sent"
        )
        throw ExitCode(1)
    }

    private mutating func send(_ points: [Datapoint]) async throws {
        guard !points.isEmpty else { return }
        var rest = points[...]
        do {
            try await send(&rest)
        } catch {
            let (be, were) = rest.count == 1 ? ("is", "was") : ("are", "were")
            // It is unknown whether the server carried out an interrupted request.
            let fate: String = Self.isRefused(error) ? "\(be) not" : "\(were) not confirmed"
            Console.current.note("helium: \(summary); the \(Self.count(rest.count)) read after them \(fate)")
            throw error
        }
    }

    /// Returns whether the server did not store the points: it rejected the request or did not receive it.
    private static func isRefused(_ error: any Error) -> Bool {
        guard let error = error as? CosmError else { return false }
        return error.underlying?.delivery != .maybeSent
    }

    /// Stores the points and removes them from `rest`.
    private mutating func send(_ rest: inout ArraySlice<Datapoint>) async throws {
        var outage: (start: Duration, backoff: Backoff)?
        var isCreated = stored > 0
        while !rest.isEmpty {
            let progress = Guarded(0)
            var failure: (any Error)?
            do {
                try await api.storeDatapoints(Array(rest), of: datastream, in: feed) { batch in
                    progress.withLock { $0 = batch.stored }
                }
            } catch {
                failure = error
            }
            let count = progress.withLock { $0 }
            rest = rest.dropFirst(count)
            stored += count
            let hasAnswer = count > 0 || (failure as? CosmError)?.status != nil
            if outage != nil, hasAnswer {
                outage = nil
                Console.current.note("helium: reconnected")
            }
            guard let failure else { continue }
            if let error = failure as? CosmError, error.kind == .notFound, !isCreated, count == 0 {
                isCreated = true
                try await create(or: error)
            } else {
                try await wait(failure, &outage)
            }
        }
    }

    /// Waits before the next attempt. Throws if the request may have been sent, or after the time limit.
    private func wait(_ failure: any Error, _ outage: inout (start: Duration, backoff: Backoff)?) async throws {
        guard let error = failure as? CosmError, let cause = error.underlying, cause.delivery == .notSent,
            cause.isTransient
        else { throw failure }
        if outage == nil {
            outage = (clock.uptime, Backoff(BackoffPolicy()))
            Console.current.note("helium: no connection, retrying: \(error.description)")
        }
        guard let start = outage?.start, let pause = outage?.backoff.failed(random: RandomSource.system.unit()),
            clock.uptime + pause - start < patience
        else { throw failure }
        // A signal ends the wait. The original failure still states that nothing was sent.
        do { try await clock.sleep(for: pause) } catch { throw failure }
    }

    /// Creates the datastream. If the feed does not exist either, throws the original error.
    private func create(or missing: CosmError) async throws {
        do {
            try await api.updateFeed(feed, Feed(datastreams: [Datastream(id: datastream)]))
        } catch let error as CosmError where error.kind == .notFound {
            throw missing
        }
        Console.current.note("helium: created the datastream \(datastream)")
    }

    private static func count(_ points: Int) -> OutputText { points == 1 ? "1 point" : "\(points) points" }
}
