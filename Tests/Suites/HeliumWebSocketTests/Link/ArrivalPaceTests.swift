import Testing

@testable import HeliumWebSocket

@Suite("Pace of a peer")
struct ArrivalPaceTests {
    private func pace(messages: Int? = nil, bytes: Int? = nil) throws -> ArrivalPace {
        var limits = WebSocketOptions.Limits()
        limits.messagesPerSecond = messages
        limits.bytesPerSecond = bytes
        return try #require(ArrivalPace(limits))
    }

    @Test("the pace of a peer is unlimited without limits")
    func unlimited() { #expect(ArrivalPace(WebSocketOptions.Limits()) == nil) }

    @Test("a peer may be a second ahead of its pace, and then reading pauses")
    func messages() throws {
        var pace = try pace(messages: 100)
        #expect(pace.pause(afterArrivals: 100, bytes: 1 << 30, now: .seconds(7)) == nil)
        #expect(pace.pause(afterArrivals: 50, bytes: 0, now: .seconds(7)) == .milliseconds(500))
        #expect(pace.pause(afterArrivals: 0, bytes: 0, now: .seconds(7.5)) == nil)
        #expect(pace.pause(afterArrivals: 1, bytes: 0, now: .seconds(7.5)) == .milliseconds(20))
        // Idle time is not saved up.
        #expect(pace.pause(afterArrivals: 100, bytes: 0, now: .seconds(100)) == nil)
        #expect(pace.pause(afterArrivals: 100, bytes: 0, now: .seconds(100)) == .seconds(1))
    }

    @Test(
        "a peer that sends much at once is paused for about a second at a time",
        arguments: [(nil, 256), (5000, 256), (256, 256), (4, 4), (1, 1), (0, 1), (-1, 1)] as [(Int?, Int)]
    )
    func interval(limit: Int?, interval: Int) throws {
        #expect(try pace(messages: limit, bytes: 1).interval == interval)
    }

    @Test("bytes of a peer count for its pace like messages")
    func bytes() throws {
        var pace = try pace(messages: 1000, bytes: 1000)
        #expect(pace.pause(afterArrivals: 500, bytes: 500, now: .zero) == nil)
        #expect(pace.pause(afterArrivals: 0, bytes: 250, now: .zero) == .milliseconds(250))
    }

    @Test("a pace of zero does not divide by zero", arguments: [0, -1])
    func senseless(limit: Int) throws {
        var pace = try pace(messages: limit, bytes: limit)
        #expect(pace.pause(afterArrivals: 3, bytes: 0, now: .zero) == .seconds(2))
    }
}
