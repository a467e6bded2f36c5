import Foundation
import HeliumTesting
import HeliumWebSocket
import Testing

@testable import Cosm

@Suite("Extreme values of the Cosm client's options", .timeLimit(.minutes(5)))
struct ExtremeOptionTests {
    private static let numbers = [Int.min, -1, 0, 1, .max]
    private static let stamps = [
        Timestamp(microseconds: .min), Timestamp(microseconds: 0), Timestamp(microseconds: .max),
    ]

    private func api() throws -> CosmClient {
        try makeAPI(MockTransport(cosm: { _ in .json(#"{"results":[]}"#) }))
    }

    @Test("a query of feeds takes any numbers, or refuses them before a request", arguments: numbers)
    func feeds(number: Int) async throws {
        let cosm = try api()
        for query in [FeedQuery(page: number), FeedQuery(perPage: number)] {
            do { for try await _ in cosm.allFeeds(query, maximumPages: number) {} } catch is CosmError {}
        }
        for degrees in [-Double.infinity, .nan, 1e308, .infinity] {
            let area = FeedQuery.Area(latitude: degrees, longitude: degrees, distance: degrees)
            #expect(throws: CosmError.self) { try FeedQuery(area: area).parameters() }
        }
    }

    @Test("a graph is requested with any numbers", arguments: numbers)
    func graphs(number: Int) async throws {
        let transport = MockTransport(cosm: { _ in .data(Data([0x89])) })
        var options = GraphOptions()
        (options.width, options.height, options.strokeWidth) = (number, number, number)
        let image = try await makeAPI(transport).graph(of: "t", in: 1, options: options)
        let target = try #require(transport.requests.first?.url.target)
        #expect(image == Data([0x89]))
        for name in ["w", "h", "s"] { #expect(target.contains("\(name)=\(number)"), "\(target)") }
    }

    @Test("a query of a history takes any numbers and times, or refuses them", arguments: numbers, stamps)
    func histories(number: Int, stamp: Timestamp) async throws {
        for unit in CosmDuration.Unit.allCases {
            let duration = CosmDuration(number, unit)
            for at in Self.stamps { _ = at.adding(duration) }
            for query in [
                HistoryQuery(start: stamp, duration: duration), HistoryQuery(end: stamp, duration: duration),
                HistoryQuery(duration: duration, limit: number, page: number), HistoryQuery(start: stamp, end: stamp),
            ] {
                _ = try? query.parameters(now: stamp)
                _ = try? query.window(now: stamp)
            }
            _ = try? DatapointRange(start: stamp, duration: duration).parameters()
        }
        let history = try api().history(
            of: "t",
            in: 1,
            from: stamp,
            to: Timestamp(microseconds: .max),
            pageLimit: number
        )
        var iterator = history.makeAsyncIterator()
        if stamp == Timestamp(microseconds: .max) { _ = try? await iterator.next() }
        for interval in HistoryInterval.all {
            var walk = HistoryWalk(from: stamp, to: Timestamp(microseconds: .max), interval: interval, limit: number)
            for _ in 0..<3 where walk.next() != nil {
                _ = try? walk.take([Datapoint(at: stamp), Datapoint(at: Timestamp(microseconds: .max))])
            }
        }
    }

    @Test("a timestamp moves by any duration, to the limit of the range at most", arguments: stamps)
    func moves(stamp: Timestamp) {
        let (least, most) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
        #expect(stamp.advanced(by: .seconds(Int64.max)) == most && stamp.advanced(by: .seconds(Int64.min)) == least)
        #expect(stamp.advanced(by: .zero - .seconds(Int64.min)) == most && stamp.advanced(by: .zero) == stamp)
        for seconds in [-Double.infinity, .nan, 1e308, .infinity] {
            _ = Timestamp(Date(timeIntervalSinceReferenceDate: seconds))
        }
        #expect(stamp.duration(to: stamp) == .zero)
    }

    @Test(
        "zones, rows and values take any number",
        arguments: [-Double.infinity, -1e308, -0.0, 99.5, 1e308, .infinity, .nan]
    )
    func values(number: Double) {
        _ = (CosmTimeZone.offset(hours: number).rawValue, DatapointValue(number).text)
        for length in Self.numbers {
            var rows = DatapointRows(maximumRowLength: length)
            _ = try? rows.append(Data("1".utf8))
            _ = try? rows.append(Data("2\n".utf8))
        }
    }

    @Test(
        "a live socket works with any durations in its options",
        arguments: [Duration.seconds(Int64.min), .seconds(-1), .zero, .seconds(Int64.max)]
    )
    func sockets(duration: Duration) async throws {
        var options = CosmSocketOptions.brisk(TestClock(skippingSleepsUpTo: .milliseconds(4)))
        (options.replyTimeout, options.subscribeTimeout, options.grace) = (duration, duration, duration)
        options.connection.timeouts.silence = duration
        try await TestStation.run(options: options) { station, socket async throws in
            var following = SubscriptionOptions()
            following.startsWithCurrentState = true
            following.fillsGapsFromHistory = true
            let subscription: LiveSubscription<Feed>? = try? await socket.follow(
                .feed(TestStation.feedID),
                reader: station,
                options: following
            )
            _ = try? await socket.request(.get, "/feeds/91")
            await subscription?.unsubscribe()
        }
    }
}
