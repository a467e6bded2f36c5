import ConAir
import Foundation
import HeliumJSON
import HeliumServerKit
import HeliumTesting
import TestSupport
import Testing

@testable import ConAirPage

@Suite("ConAirPage feed", .timeLimit(.minutes(5)))
struct ConAirPageFeedTests {
    private let source = PageSource()
    private let store: TimeSeriesStore
    private let feed: PageFeed

    init() throws {
        let clock = TestClock(wallTime: .seconds(1_355_227_200))
        source.set(noon - 120, 1)
        store = try TimeSeriesStore(source: source, step: .seconds(120), clock: clock)
        let texts = PageTexts(title: "", unit: "", zone: .gmt)
        feed = PageFeed(store, texts: texts, maximumViewers: 4, clock: clock, name: "a")
    }

    /// The state in words that a viewer shows after all events so far.
    private func shownWords(_ stream: ReplyStream) async throws -> String? {
        let bytes = try #require(await stream.next())
        var words: String?
        for event in String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n\n") {
            let lines = event.split(separator: "\n")
            guard let data = lines.first(where: { $0.hasPrefix("data: ") })?.dropFirst("data: ".count) else { continue }
            let document = JSONValue.parse(String(data))
            if lines.contains("event: snapshot") { words = document?["status"]?["words"]?.stringValue }
            if lines.contains("event: state") { words = document?["words"]?.stringValue }
        }
        return words
    }

    @Test("one client has a share of the viewers, and gets it back")
    func share() async throws {
        let streams = try (0..<3).map { _ in try #require(feed.connect(.day, after: nil, of: "10.0.0.1")) }
        #expect(feed.connect(.day, after: nil, of: "10.0.0.1") == nil)
        #expect(feed.viewerCount == 3)
        streams[0].finish()
        try await eventually { feed.viewerCount == 2 }
        let others = try ["10.0.0.1", "10.0.0.2"].map { try #require(feed.connect(.day, after: nil, of: $0)) }
        #expect(feed.connect(.day, after: nil, of: "10.0.0.3") == nil, "all viewers are taken")
        #expect(feed.viewerCount == streams.count - 1 + others.count)
    }

    @Test("behind a reverse proxy, one address can have all viewers")
    func proxy() async throws {
        let texts = PageTexts(title: "", unit: "", zone: .gmt)
        let feed = PageFeed(
            store,
            texts: texts,
            maximumViewers: 4,
            sharePerAddress: 1,
            clock: TestClock(),
            name: "a"
        )
        let streams = try (0..<4).map { _ in try #require(feed.connect(.day, after: nil, of: "10.0.0.1")) }
        #expect(feed.connect(.day, after: nil, of: "10.0.0.1") == nil)
        #expect(feed.viewerCount == streams.count)
    }

    @Test("ends with the present state where it has changed between a snapshot and its sending")
    func oldSnapshot() async throws {
        let stream = try #require(feed.connect(.day, after: nil))
        let snapshots = feed.snapshots()
        try await store.collect()
        feed.sendStatus()
        feed.send(snapshots)
        #expect(try await shownWords(stream) == feed.status.words)
    }

    @Test("ends with the present state where it has changed and changed back while a viewer connected")
    func changedBack() async throws {
        try await store.collect()
        feed.sendStatus()
        source.fail("no route")
        _ = try? await store.collect()
        let stream = try #require(feed.connect(.day, after: nil))
        source.fail(nil)
        try await store.collect()
        feed.sendStatus()
        #expect(try await shownWords(stream) == feed.status.words)
    }
}
