import HeliumKit
import HeliumTesting
import Testing

@Suite("Clock correction", .timeLimit(.minutes(5)))
struct ClockCorrectionTests {
    private let clock = TestClock()

    @Test(
        "a clock that is 10 minutes off either way is corrected from the registration's reply",
        arguments: [600, -600]
    )
    func atRegistration(seconds: Int) async throws {
        let fake = FakeMiddleware(clock: clock)
        fake[\.clockOffset] = .seconds(seconds)
        let helium = try makeHelium(fake)
        #expect(try await helium.get("/a").response().attempts.count == 1)
        #expect(try await helium.device?.registration()?.clockOffset == .seconds(seconds))
    }

    @Test("a clock that is set later costs one attempt, once", arguments: [600, -600])
    func later(seconds: Int) async throws {
        let fake = FakeMiddleware(clock: clock)
        let helium = try makeHelium(fake)
        try await helium.get("/a").value()
        fake[\.clockOffset] = .seconds(seconds)
        #expect(try await helium.get("/a").response().attempts.map(\.retryReason) == [.clockCorrected, nil])
        // The offset is a difference: it holds as time goes by.
        clock.advance(by: .seconds(10_000))
        #expect(try await helium.get("/a").response().attempts.count == 1)
        #expect(fake[\.posts] == 1)
    }

    @Test("without a timestamp the refusal stands")
    func noTimestamp() async throws {
        let fake = FakeMiddleware(clock: clock)
        let helium = try makeHelium(fake)
        try await helium.get("/a").value()
        fake[\.clockOffset] = .seconds(600)
        fake[\.tellsTime] = false
        let error = try await failure(of: { try await helium.get("/a").value() })
        #expect(error.status == 401 && error.serverErrors.map(\.code) == ["KeyExpired"] && error.attempts.count == 1)
    }

    @Test("a difference of more than a day is refused, unless the bound is widened", arguments: [86_401, -86_401])
    func bound(seconds: Int) async throws {
        let fake = FakeMiddleware(clock: clock)
        let helium = try makeHelium(fake)
        try await helium.get("/a").value()
        fake[\.clockOffset] = .seconds(seconds)
        let error = try await failure(of: { try await helium.get("/a").value() })
        #expect(error.kind == .clockCorrectionRefused && error.status == 401 && error.delivery == .answered)
        let wide = try makeHelium(fake) { $0.device.clockCorrection.maximumOffset = .seconds(100_000) }
        #expect(try await wide.get("/a").response().attempts.count == 1)
    }

    @Test(
        "is taken only over TLS or from this machine, unless told otherwise",
        arguments: [
            ("http://api.example.com", false, false), ("http://api.example.com", true, true),
            ("https://api.example.com", false, true), ("http://127.0.0.1:8080", false, true),
            ("http://[::1]", false, true), ("http://localhost", false, true),
        ]
    )
    func trust(baseURL: String, acceptsInsecure: Bool, isTaken: Bool) async throws {
        let fake = FakeMiddleware(clock: clock)
        let helium = try makeHelium(fake, baseURL: baseURL) {
            $0.device.clockCorrection.acceptsInsecureServers = acceptsInsecure
        }
        try await helium.get("/a").value()
        fake[\.clockOffset] = .seconds(600)
        if isTaken {
            #expect(try await helium.get("/a").response().attempts.count == 2)
        } else {
            #expect(try await failure(of: { try await helium.get("/a").value() }).kind == .clockCorrectionRefused)
        }
    }
}
