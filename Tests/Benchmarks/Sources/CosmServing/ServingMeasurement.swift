import BenchmarkHarness
import Cosm
import Foundation
import HeliumServer

/// Measures the wall-clock time of the server's Cosm through real sockets. Its store is a file, and client and server
/// are in one process.
struct ServingMeasurement {
    private let cosm: CosmClient
    private let concurrency = 16
    private let stream = "temperature"

    init(_ ready: ReadyInformation.Cosm) throws {
        cosm = try CosmClient(apiKey: Secret(ready.key), baseURL: ready.base)
    }

    /// Writes and reads, each value nanoseconds for one point or one query.
    func run(rounds: Int) async throws -> [OperationResult] {
        var feeds: [Feed.ID] = []
        for number in 0..<concurrency {
            feeds.append(
                try await cosm.createFeed(Feed(title: "Station \(number)", datastreams: [Datastream(id: stream)]))
            )
        }
        var batches: [Double] = []
        var singles: [Double] = []
        var queries: [Double] = []
        for round in 0..<rounds {
            batches.append(
                try await each(of: feeds, operations: 20 * 500) { try await store(20 * 500, at: round, in: $0) }
            )
            singles.append(
                try await each(of: feeds, operations: 100) { feed in
                    for second in 0..<100 {
                        try await cosm.storeDatapoint(point(round, 20 * 500 + second), of: stream, in: feed)
                    }
                }
            )
            queries.append(try await each(of: feeds, operations: 50) { try await read(50, at: round, in: $0) })
        }
        await cosm.close()
        return [
            OperationResult(
                group: "cosm-server",
                operation: "storing a point, 500 a request",
                bytes: 0,
                rounds: batches
            ),
            OperationResult(group: "cosm-server", operation: "storing a point, 1 a request", bytes: 0, rounds: singles),
            OperationResult(group: "cosm-server", operation: "reading a week by the hour", bytes: 0, rounds: queries),
        ]
    }

    /// Runs `body` for all feeds at once.
    ///
    /// - Returns: Wall-clock nanoseconds for each of the operations.
    private func each(
        of feeds: [Feed.ID],
        operations: Int,
        _ body: @escaping @Sendable (Feed.ID) async throws -> Void
    ) async throws -> Double {
        let time = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for feed in feeds { group.addTask { try await body(feed) } }
                try await group.waitForAll()
            }
        }
        return time / .nanoseconds(1) / Double(operations * feeds.count)
    }

    /// Points a minute apart; each round's follow the last one's.
    private func point(_ round: Int, _ index: Int) -> Datapoint {
        let minute = Int64(round * 20_000 + index)
        return Datapoint(
            at: Timestamp(microseconds: 1_356_998_400_000_000 + minute * 60_000_000),
            value: DatapointValue("\(15 + index % 10).\(index % 7)")
        )
    }

    private func store(_ count: Int, at round: Int, in feed: Feed.ID) async throws {
        try await cosm.storeDatapoints((0..<count).map { point(round, $0) }, of: stream, in: feed)
    }

    private func read(_ count: Int, at round: Int, in feed: Feed.ID) async throws {
        let query = HistoryQuery(
            start: point(round, 0).at,
            end: point(round, 7 * 24 * 60).at,
            interval: .hour,
            limit: 1_000
        )
        for _ in 0..<count {
            let found = try await cosm.datastream(stream, in: feed, options: ReadOptions(history: query))
            // Ten thousand minutes are 166 hours.
            guard found.datapoints?.count ?? 0 >= 160 else { throw WrongAnswer(points: found.datapoints?.count) }
        }
    }
}

/// The server gave too few points.
struct WrongAnswer: Error {
    var points: Int?
}
