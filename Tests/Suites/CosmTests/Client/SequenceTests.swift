import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumJSON
import HeliumKit
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import Cosm

@Suite("Lists and histories of many calls", .timeLimit(.minutes(5)))
struct SequenceTests {
    /// A server with so many feeds.
    private func feeds(_ count: Int, hasTotal: Bool = true) -> MockTransport {
        MockTransport { request throws(TransportFailure) in
            let query = Dictionary(request.queryItems.map { ($0.name, $0.value) }) { $1 }
            let page = query["page"].flatMap { Int($0) } ?? 1
            let size = query["per_page"].flatMap { Int($0) } ?? 50
            let ids = (1...max(1, count)).filter { $0 <= count }.dropFirst((page - 1) * size).prefix(size)
            let results = FeedPage(totalResults: hasTotal ? count : nil, results: ids.map { Feed(id: Feed.ID($0)) })
            return try .json(encoding: results)
        }
    }

    private func collect(_ feeds: some AsyncSequence<Feed, any Error>) async throws -> [Int] {
        var ids: [Int] = []
        for try await feed in feeds { ids.append(feed.id?.number ?? -1) }
        return ids
    }

    @Test(
        "all feeds of a list come once, and the number of requests is that of its pages",
        arguments: [(0, 1), (1, 1), (9, 1), (10, 1), (11, 2), (95, 10)]
    )
    func paging(count: Int, calls: Int) async throws {
        let transport = feeds(count)
        let cosm = try makeAPI(transport)
        #expect(try await collect(cosm.allFeeds(FeedQuery(perPage: 10))) == Array(1..<(count + 1)))
        #expect(transport.requests.count == calls)
        let silent = feeds(count, hasTotal: false)
        #expect(try await collect(makeAPI(silent).allFeeds(FeedQuery(perPage: 10))) == Array(1..<(count + 1)))
    }

    @Test("a feed that moves to a later page comes once, and a list without pages or beyond the limit ends")
    func oddPages() async throws {
        var walk = FeedWalk(query: FeedQuery(), maximumPages: 3)
        #expect(try walk.next()?.page == 1)
        #expect(walk.take(FeedPage(results: [Feed(id: 1), Feed(id: 2)])).count == 2)
        #expect(try walk.next()?.page == 2)
        #expect(walk.take(FeedPage(results: [Feed(id: 2), Feed(id: 3)])).map(\.id) == [3])
        #expect(try walk.next()?.page == 3)
        #expect(walk.take(FeedPage(results: [Feed(id: 4)])).count == 1)
        #expect(throws: CosmError.self) { _ = try walk.next() }

        let same = try makeAPI(MockTransport(answers: [.json(#"{"totalResults":99,"results":[{"id":1}]}"#)]))
        #expect(try await collect(same.allFeeds()) == [1])

        var later = FeedWalk(query: FeedQuery(page: 3), maximumPages: 9)
        #expect(try later.next()?.page == 3)
        #expect(later.take(FeedPage(totalResults: 1, results: [Feed(id: 1)])).count == 1)
        #expect(try later.next()?.page == 4, "how many came before page 3 is not known")
    }

    @Test("a page of known feeds does not end a list whose feeds move, but the same page again does")
    func movedPages() throws {
        /// - Returns: The ids that each page has beyond the ones before it, until the walk ends.
        func news(_ pages: [(start: Int?, ids: [Int])]) throws -> [[Int]] {
            var walk = FeedWalk(query: FeedQuery(), maximumPages: 9)
            var news: [[Int]] = []
            for page in pages where try walk.next() != nil {
                let result = FeedPage(startIndex: page.start, results: page.ids.map { Feed(id: Feed.ID($0)) })
                news.append(walk.take(result).compactMap(\.id?.number))
            }
            return news
        }
        // Two feeds were written after the first page was read.
        #expect(try news([(nil, [1, 2, 3]), (nil, [2, 3, 1]), (nil, [4])]) == [[1, 2, 3], []])
        #expect(try news([(nil, [1, 2, 3]), (nil, [2, 3]), (nil, [4]), (nil, [])]) == [[1, 2, 3], [], [4], []])
        // The server states that it is another page.
        #expect(try news([(0, [1, 2]), (2, [1, 2]), (4, [3]), (4, [3])]) == [[1, 2], [], [3], []])
        #expect(try news([(0, [1, 2]), (0, [1, 2]), (0, [3])]) == [[1, 2], []])
    }

    @Test(
        "the largest numbers of pages and positions end a list",
        arguments: [(Int?.none, Int?.some(.max)), (.some(.max), nil), (.some(.max), .some(.max)), (nil, .some(.min))]
    )
    func extremePages(page: Int?, start: Int?) throws {
        var walk = FeedWalk(query: FeedQuery(page: page), maximumPages: 9)
        var count = 0
        while try walk.next() != nil {
            count += 1
            let found = walk.take(
                FeedPage(totalResults: .max, startIndex: start, results: [Feed(id: Feed.ID(count / 2))])
            )
            #expect(found.count <= 1)
            if count == 5 { break }
        }
        #expect(count <= 5)
    }

    @Test("leaving the loop over a list sends no further request")
    func lazy() async throws {
        let transport = feeds(100)
        for try await feed in try makeAPI(transport).allFeeds(FeedQuery(perPage: 10)) where feed.id == 5 { break }
        #expect(transport.requests.count == 1)
    }

    @Test("an error of a list comes once, after the feeds before it")
    func failing() async throws {
        let transport = MockTransport(answers: [
            .json(#"{"totalResults":9,"results":[{"id":1}]}"#), .empty(status: 500),
        ])
        var iterator = try makeAPI(transport).allFeeds().makeAsyncIterator()
        #expect(try await iterator.next()?.id == 1)
        await #expect(throws: CosmError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("a page lacks the feeds of the pages before it; the elements of all pages are the feeds")
    func pages() async throws {
        func list() throws -> FeedPages {
            try makeAPI(
                MockTransport(answers: [
                    .json(#"{"results":[{"id":1,"title":"a"},{"id":2,"title":"b"}]}"#),
                    .json(#"{"results":[{"id":2,"title":"b"},{"id":3,"title":"c"}]}"#), .json(#"{"results":[]}"#),
                ])
            )
            .allFeeds().pages
        }
        var ids: [[Int]] = []
        for try await page in try list() { ids.append(page.results.compactMap { $0.id?.number }) }
        #expect(ids == [[1, 2], [3], []])
        #expect(try await collect(list().elements) == [1, 2, 3])
        var titles: [String] = []
        for try await title in try list().elements(of: { $0.results.compactMap(\.title) }) { titles.append(title) }
        #expect(titles == ["a", "b", "c"])
    }

    @Test("a cancelled task gets no further feed, and CancellationError once, on the last page too")
    func cancelled() async throws {
        let all = try makeAPI(feeds(2)).allFeeds()
        let task = Task {
            var iterator = all.makeAsyncIterator()
            let first = try await iterator.next()
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { _ = try await iterator.next() }
            return (first?.id, try await iterator.next()?.id)
        }
        let (first, last) = try await task.value
        #expect(first == 1 && last == nil)
    }

    // MARK: Histories

    @Test("a long history is read completely by several requests")
    func history() async throws {
        var random = SeededRandom(seed: 701)
        let start = try #require(Timestamp("2013-01-01T00:00:00Z"))
        let history = SimulatedHistory(&random, from: start, spacing: 40, count: 3000)
        let end = start.adding(.days(3))
        let transport = MockTransport { request throws(TransportFailure) in
            let items = Dictionary(request.queryItems.map { ($0.name, $0.value) }) { $1 }
            let query = HistoryQuery(
                start: items["start"].flatMap { Timestamp($0) },
                end: items["end"].flatMap { Timestamp($0) },
                interval: items["interval"].flatMap { Int($0) }.map { HistoryInterval(roundingUp: $0) },
                limit: items["limit"].flatMap { Int($0) }
            )
            guard let points = try? history.answer(query) else { return .empty(status: 400) }
            // A stream without points has no such member.
            return try .json(encoding: Datastream(id: "t", datapoints: points.isEmpty ? nil : points))
        }
        let cosm = try makeAPI(transport)
        for interval in [HistoryInterval.everyPoint, .quarterHour] {
            var points: [Datapoint] = []
            for try await point in cosm.history(of: "t", in: 1, from: start, to: end, every: interval, pageLimit: 100) {
                points.append(point)
            }
            let whole = HistoryQuery(start: start, end: end, interval: interval)
            #expect(try points == history.answer(whole, isLimited: false))
        }
    }

    @Test("an invalid history query is an error at the first point")
    func refused() async throws {
        let cosm = try makeAPI(MockTransport())
        let start = Timestamp.now
        for history in [
            cosm.history(of: "t", in: 1, from: start, pageLimit: 1),
            cosm.history(of: "t", in: 1, from: start, pageLimit: 1001),
            cosm.history(of: "t", in: 1, from: start, to: Timestamp(microseconds: 0)),
        ] {
            var iterator = history.makeAsyncIterator()
            await #expect(throws: CosmError.self) { _ = try await iterator.next() }
            #expect(try await iterator.next() == nil)
        }
    }

    // MARK: Batches

    private func points(_ count: Int) -> [Datapoint] {
        (0..<count).map { Datapoint(at: Timestamp(microseconds: Int64($0)), value: DatapointValue($0)) }
    }

    @Test(
        "points are sent in order in batches of 500, and each batch is reported",
        arguments: [0, 1, 499, 500, 501, 1750]
    )
    func batches(count: Int) async throws {
        let transport = MockTransport(answers: [.empty(status: 200)])
        let told = Guarded<[BatchProgress]>([])
        try await makeAPI(transport).storeDatapoints(points(count), of: "t", in: 1) { progress in
            told.withLock { $0.append(progress) }
        }
        let sent = try transport.requests.map { try CosmFormat.json.decode([Datapoint].self, from: $0.body ?? Data()) }
        #expect(sent.flatMap(\.self) == points(count) && sent.allSatisfy { $0.count <= 500 })
        #expect(sent.count == (count + 499) / 500)
        #expect(told.withLock { $0.last?.stored } == (count == 0 ? nil : count))
        #expect(told.withLock { $0.allSatisfy { $0.total == count } && $0.count == sent.count })
    }

    @Test("the error of a failed batch has the number of stored points, and no further batch is sent")
    func brokenBatch() async throws {
        let transport = MockTransport(answers: [.empty(status: 200), .empty(status: 200), .empty(status: 422)])
        let error = await CosmError.thrown {
            try await makeAPI(transport).storeDatapoints(points(2000), of: "t", in: 1)
        }
        #expect(error?.storedCount == 1000 && error?.kind == .invalid && transport.requests.count == 3)
    }

    @Test("a point without a timestamp gets the present time, and is returned with it")
    func now() async throws {
        let clock = TestClock()
        let transport = MockTransport(answers: [.empty(status: 200)])
        let stored = try await makeAPI(transport, clock: clock).storeDatapoint(Datapoint(value: "1"), of: "t", in: 1)
        #expect(stored.at == Timestamp(microseconds: 0).advanced(by: clock.wallTime))
        #expect(transport.requests.first?.bodyText.contains(stored.at?.description ?? "-") == true)
    }
}

@Suite("Changes of decoded objects")
struct ChangesTests {
    @Test("a changed object sends only what differs, and clears what was removed")
    func changes() throws {
        let stream = Datastream(id: "a", currentValue: "1", at: Timestamp(microseconds: 1), tags: ["x"])
        let old = Feed(
            id: 1,
            title: "t",
            description: "d",
            tags: ["a"],
            status: .live,
            location: Location(name: "n"),
            datastreams: [stream, Datastream(id: "b")],
            extra: ["kept": 1]
        )
        #expect(old.changes(since: old) == Feed())
        var new = old
        new.title = "u"
        new.description = nil
        new.tags = nil
        new.status = .frozen
        new.extra["new"] = 2
        new.datastreams?[0].currentValue = "2"
        new.datastreams?[0].tags = nil
        new.datastreams?.append(Datastream(id: "c", currentValue: "3", version: "1.0.0"))
        #expect(
            new.changes(since: old)
                == Feed(
                    title: "u",
                    description: "",
                    tags: [],
                    datastreams: [
                        Datastream(id: "a", currentValue: "2", tags: []), Datastream(id: "c", currentValue: "3"),
                    ],
                    extra: ["new": 2]
                )
        )
        var stamped = stream
        stamped.at = Timestamp(microseconds: 2)
        #expect(
            stamped.changes(since: stream) == Datastream(id: "a", currentValue: "1", at: Timestamp(microseconds: 2))
        )
    }

    @Test("parts of a location or a unit that were removed are cleared, in JSON")
    func removedParts() throws {
        let old = Feed(
            location: Location(name: "n", domain: .physical, latitude: 51.2, elevation: "80", extra: ["mine": 1]),
            datastreams: [Datastream(id: "a", unit: Datastream.Unit(label: "Celsius", symbol: "C"))]
        )
        var new = old
        new.location?.name = nil
        new.location?.latitude = nil
        new.location?.extra = [:]
        new.datastreams?[0].unit?.symbol = nil
        let text = try HeliumJSONEncoder().encodeToString(new.changes(since: old))
        let sent = try #require(JSONValue(parsing: Data(text.utf8)).objectValue)
        #expect(
            sent["location"] == ["name": "", "domain": "physical", "lat": "", "ele": "80", "mine": ""]
        )
        #expect(sent["datastreams"] == [["id": "a", "unit": ["label": "Celsius", "symbol": ""]]])

        new.location = nil
        let cleared = try HeliumJSONEncoder().encodeToString(new.changes(since: old))
        let all = try #require(JSONValue(parsing: Data(cleared.utf8)).objectValue?["location"])
        #expect(all == ["name": "", "domain": "", "lat": "", "ele": "", "mine": ""])
        #expect(old.changes(since: old) == Feed())
    }
}
