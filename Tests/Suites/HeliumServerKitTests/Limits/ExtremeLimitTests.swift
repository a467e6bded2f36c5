import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import HeliumServerKit

@Suite("Extreme values of the server's limits and faults", .timeLimit(.minutes(5)))
struct ExtremeLimitTests {
    private static let numbers: [any WritableKeyPath<ServerLimits, Int> & Sendable] = [
        \.connections, \.bodyBytes, \.collectedBytes, \.headerFieldBytes, \.headerBytes, \.headerFields,
        \.bodyBytesPerSecond, \.loggedRequests,
    ]
    private static let times: [any WritableKeyPath<ServerLimits, Duration> & Sendable] = [
        \.idle, \.firstRequest, \.body, \.shutdown,
    ]
    private static let durations: [Duration] = [
        Duration(attoseconds: .min), .seconds(Int64.min), .nanoseconds(-1), .zero, .seconds(86_401),
        .seconds(Int64.max), Duration(attoseconds: .max),
    ]

    @Test("a number that is not positive is refused", arguments: [Int.min, -1, 0])
    func refusedNumbers(number: Int) {
        for limit in Self.numbers {
            var limits = ServerLimits()
            limits[keyPath: limit] = number
            #expect(throws: EmbeddedServerError.self) { try limits.validate() }
        }
        var limits = ServerLimits()
        limits.connectionsPerAddress = number
        #expect(throws: EmbeddedServerError.self) { try limits.validate() }
    }

    @Test("a time that is not positive, or longer than a day, is refused", arguments: durations)
    func refusedTimes(time: Duration) {
        for limit in Self.times {
            var limits = ServerLimits()
            limits[keyPath: limit] = time
            #expect(throws: EmbeddedServerError.self) { try limits.validate() }
        }
    }

    @Test(
        "a share that is not more than 0 and at most 1 is refused",
        arguments: [-Double.infinity, -1, -0.0, 0, 1.0.nextUp, 1e300, .infinity, .nan]
    )
    func refusedShares(share: Double) {
        var limits = ServerLimits()
        limits.sharePerAddress = share
        #expect(throws: EmbeddedServerError.self) { try limits.validate() }
    }

    @Test("any share of any limit is between 1 and the limit", arguments: [1, 2, Int.max / 2, .max])
    func shares(limit: Int) {
        for part in [Double.leastNonzeroMagnitude, 1e-300, 0.5, 1.0.nextDown, 1] {
            #expect((1...limit).contains(AddressShare(of: limit, part: part).maximum))
        }
    }

    @Test("a server with the greatest limits serves requests")
    func greatest() async throws {
        var configuration = EmbeddedServerConfiguration()
        for limit in Self.numbers { configuration.limits[keyPath: limit] = .max }
        configuration.limits.bodyBytes = .max / 2
        configuration.limits.connectionsPerAddress = .max
        (configuration.limits.idle, configuration.limits.firstRequest) = (.seconds(86_400), .seconds(86_400))
        configuration.limits.body = .seconds(86_400)
        configuration.appNet.maxima.uploadBytes = .max
        configuration.cosm.maxima.answerBytes = .max
        configuration.conAir.maximumReadings = .max
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            let key = ("X-ApiKey", running.ready.cosm.key)
            let feed = Array(#"{"title":"Shed"}"#.utf8)
            #expect(try await peer.send("POST", "/v2/feeds", fields: [key], body: feed).status == 201)
            #expect(try await peer.send("GET", "/v2/feeds", fields: [key]).status == 200)
            let upload = [
                ("Authorization", "Bearer \(running.ready.appNet.users[0].token)"),
                ("Content-Type", "multipart/form-data; boundary=b"),
            ]
            let refused = try await peer.send("POST", "/stream/0/files", fields: upload, body: feed)
            #expect((400..<500).contains(refused.status))
            #expect(running.requests.count == 3 && running.requests.entries.count == 3)
        }
    }

    @Test("a log keeps the last requests, for any capacity", arguments: [1, 2, 3, Int.max / 2 + 1, .max])
    func log(capacity: Int) {
        let log = RequestLog(capacity: capacity)
        for number in 1...9 { log.append(LoggedRequest(method: "GET", path: "/\(number)", status: 200)) }
        #expect(log.count == 9 && log.entries.map(\.path) == (1...9).suffix(capacity).map { "/\($0)" })
    }

    @Test(
        "an injected delay is between none and 10 minutes, and a clock offset at most a century",
        arguments: durations
    )
    func faults(duration: Duration) throws {
        let delay = try #require(ActiveFaults(effects: [ServerFault.delay(duration).effect]).delay)
        #expect(delay == min(max(duration, .zero), .seconds(600)))
        let century = Int64(100 * 366 * 86_400 * 1000)
        let offset = ActiveFaults(effects: [ServerFault.clockOffset(duration).effect]).clockOffset
        #expect((-century...century).contains(offset) && (offset < 0) == (duration <= .milliseconds(-1)))
        let others = ActiveFaults(effects: Set(Self.durations.map { ServerFault.clockOffset($0).effect })).clockOffset
        #expect(abs(others) <= century * 7)
    }

    @Test("a fault applies to a number of requests, and to none for 0 or less", arguments: [Int.min, -1, 0, 1, .max])
    func requests(number: Int) {
        let control = FaultControl()
        control.inject(.busy, .next(number))
        #expect(control.take(method: "GET", path: "/").contains(.busy) == (number > 0))
        #expect(control.take(method: "GET", path: "/").contains(.busy) == (number > 1))
    }

    @Test("any status is forced, and one outside of 200 to 599 becomes 500", arguments: [Int.min, -1, 0, 600, .max])
    func statuses(code: Int) {
        #expect(ActiveFaults(effects: [ServerFault.status(code).effect]).status == 500)
    }
}
