import HeliumJSON
import HeliumServer
import Testing

@testable import ConAirServer
@testable import HeliumServerKit

@Suite("Buckets of ConAir's time series")
struct BucketTests {
    private static let now = ServerInstant("2012-12-11T20:30:30Z") ?? .earliest

    private func window(_ start: String, _ stop: String, _ step: String) throws(BucketWindow.Refusal) -> BucketWindow {
        try BucketWindow(query: ["start": .string(start), "stop": .string(stop), "step": .string(step)], now: Self.now)
    }

    @Test(
        "the buckets of a window are those that start in it, on a grid from the epoch",
        arguments: [
            ("2012-12-11T20:00:00Z", "2012-12-11T20:10:00Z", "120000", "20:00:00", 5),
            ("2012-12-11T20:00:01Z", "2012-12-11T20:10:00Z", "120000", "20:02:00", 4),
            ("2012-12-11T20:00:00Z", "2012-12-11T20:10:00.5Z", "120000", "20:00:00", 6),
            ("2012-12-11T22:00:00+02:00", "2012-12-11T22:10:00+02:00", "120000", "20:00:00", 5),
            ("2012-12-11T00:00:00Z", "2012-12-12T00:00:00Z", "86400000", "00:00:00", 1),
            ("2012-12-11T20:00:00Z", "2012-12-11T20:00:03Z", "1000", "20:00:00", 3),
        ]
    )
    func grid(_ start: String, _ stop: String, _ step: String, _ first: String, _ count: Int) throws {
        let window = try window(start, stop, step)
        #expect(window.start(of: 0).readingTime == "2012-12-11 \(first) +0000")
        #expect(window.count == count)
    }

    @Test("no bucket starts after the server's time, and the newest may be incomplete")
    func present() throws {
        let window = try window("2012-12-11T20:00:00Z", "2013-01-01T00:00:00Z", "300000")
        #expect(window.start(of: window.count - 1).readingTime == "2012-12-11 20:30:00 +0000")
    }

    @Test(
        "a missing, invalid or empty window has no buckets",
        arguments: [
            ("2012-12-11T20:00:00Z", "2012-12-11T20:00:00Z", "120000"),
            ("2012-12-11T20:10:00Z", "2012-12-11T20:00:00Z", "120000"),
            ("2012-12-11T20:00:01Z", "2012-12-11T20:01:00Z", "120000"),
            ("2012-12-11T20:00:00Z", "2012-12-11T20:10:00Z", "0"),
            ("2012-12-11T20:00:00Z", "2012-12-11T20:10:00Z", "-1000"),
            ("2012-12-11T20:00:00Z", "2012-12-11T20:10:00Z", "1500"),
            ("2012-12-11T20:00:00Z", "2012-12-11T20:10:00Z", ""),
            ("2012-12-11T20:00:00Z", "2012-12-11T20:10:00Z", "+120000"),
            ("2012-12-11T20:00:00Z", "2012-12-11T20:10:00Z", "99999999999999999999"),
            ("2012-12-11T20:00:00Z", "2012-12-11T20:10:00Z", "9223372036854775000"),
            ("2012-12-11T20:00:00 00:00", "2012-12-11T20:10:00Z", "120000"),
            ("2012-12-11T20:00:00", "2012-12-11T20:10:00Z", "120000"),
            ("2012-12-11", "2012-12-12", "120000"),
            ("yesterday", "now", "120000"),
            ("2012-12-11T21:00:00Z", "2012-12-11T22:00:00Z", "120000"),
        ]
    )
    func empty(_ start: String, _ stop: String, _ step: String) {
        #expect(throws: BucketWindow.Refusal.empty) { try window(start, stop, step) }
    }

    @Test("a window of all of time has buckets without overflow", arguments: ["1000", "31622400000000"])
    func allOfTime(_ step: String) {
        let window = try? window("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", step)
        #expect(step == "1000" ? window == nil : window?.count == 2)
    }

    @Test("ten thousand buckets are returned, and one more is refused")
    func ceiling() throws {
        #expect(try window("2012-12-11T00:00:00Z", "2012-12-11T02:46:40Z", "1000").count == 10_000)
        #expect(throws: BucketWindow.Refusal.tooLong(10_001)) {
            try window("2012-12-11T00:00:00Z", "2012-12-11T02:46:41Z", "1000")
        }
    }

    @Test("the mean of the largest numbers is finite")
    func largestNumbers() throws {
        var means = BucketMeans(try window("2012-12-11T20:00:00Z", "2012-12-11T20:10:00Z", "600000"))
        let instant = ServerInstant("2012-12-11T20:00:00Z") ?? .earliest
        for _ in 0..<3 { means.add(Reading(instant: instant, value: .greatestFiniteMagnitude)) }
        #expect(means.buckets.map(\.mean) == [.greatestFiniteMagnitude])
    }

    @Test("the reading of a sensor depends on seed and minute only")
    func sensor() {
        let range =
            (ServerInstant("2012-12-11T20:00:30Z") ?? .earliest)..<(ServerInstant("2012-12-11T20:03:00Z") ?? .latest)
        let readings = Array(ConAirSensor(seed: 7).readings(in: range, now: Self.now))
        #expect(readings == Array(ConAirSensor(seed: 7).readings(in: range, now: Self.now)))
        #expect(readings != Array(ConAirSensor(seed: 8).readings(in: range, now: Self.now)))
        #expect(readings.map(\.instant.readingTime) == ["2012-12-11 20:01:00 +0000", "2012-12-11 20:02:00 +0000"])
        #expect(readings.allSatisfy { 18...24 ~= $0.value })
    }

    @Test("a sensor has readings of the last 30 days, and none of the future")
    func sensorMemory() {
        let all = Array(ConAirSensor().readings(in: .earliest..<(.latest), now: Self.now))
        #expect(all.count == 30 * 1440)
        #expect(all.first?.instant.readingTime == "2012-11-11 20:31:00 +0000")
        #expect(all.last?.instant.readingTime == "2012-12-11 20:30:00 +0000")
    }
}
