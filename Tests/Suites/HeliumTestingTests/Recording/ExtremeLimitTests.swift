import HTTPTypes
import HeliumCore
import HeliumTesting
import Testing

@Suite("Extreme limits of a recording", .timeLimit(.minutes(5)))
struct ExtremeLimitTests {
    private static let integers = [Int.min, -1, 0, 1, .max]

    private func recording(_ limits: RecordingTransport.Limits, at time: Duration = .zero) -> RecordingTransport {
        RecordingTransport(
            wrapping: MockTransport { _ in .json("[1,2]") },
            limits: limits,
            clock: TestClock(wallTime: time)
        )
    }

    @Test("a body is kept up to any limit, and none of it for 0 or less", arguments: integers)
    func bodies(number: Int) async throws {
        var limits = RecordingTransport.Limits()
        limits.bodyBytes = number
        let recording = recording(limits)
        _ = try await recording.execute(TransportRequest(.post, to: "https://api.example.com/a", body: "[3]"))
        let entry = try #require(recording.har.entries.first)
        #expect(entry.request.bodySize == 3 && entry.response.content.size == 5)
        #expect((entry.response.content.isTruncated == true) == (number < 5))
        #expect((entry.response.content.text == "[1,2]") == (number >= 5))
    }

    @Test("exchanges are kept up to any limit, and none for 0 or less", arguments: integers)
    func entries(number: Int) async throws {
        var limits = RecordingTransport.Limits()
        limits.entries = number
        let recording = recording(limits)
        for _ in 0..<2 { _ = try await recording.execute(TransportRequest(to: "https://api.example.com/a")) }
        let kept = min(max(number, 0), 2)
        #expect(recording.har.entries.count == kept && recording.droppedEntryCount == 2 - kept)
    }

    @Test(
        "an exchange at any time has a date in the years 1 to 9999",
        arguments: [Duration(attoseconds: .min), .seconds(Int64.min), .seconds(Int64.max), Duration(attoseconds: .max)]
    )
    func dates(time: Duration) async throws {
        let recording = recording(RecordingTransport.Limits(), at: time)
        _ = try await recording.execute(TransportRequest(to: "https://api.example.com/a"))
        let date = try #require(recording.har.entries.first?.startedDateTime)
        #expect(date.utf8.count == 24 && date.hasPrefix(time < .zero ? "000" : "9999"))
    }
}
