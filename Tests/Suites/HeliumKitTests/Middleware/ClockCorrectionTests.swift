import HeliumKit
import HeliumTesting
import TestSupport
import Testing

@Suite("Clock correction of the middleware", .timeLimit(.minutes(5)))
struct ClockCorrectionTests {
    private let clock = TestClock()

    @Test(
        "a clock that is wrong by 10 minutes is corrected from the response to the registration",
        arguments: [600, -600]
    )
    func atRegistration(seconds: Int) async throws {
        let fake = FakeMiddleware(clock: clock)
        fake[\.clockOffset] = .seconds(seconds)
        let helium = try makeHelium(fake)
        #expect(try await helium.get("/a").response().attempts.count == 1)
        #expect(try await helium.device?.registration()?.clockOffset == .seconds(seconds))
    }

    @Test("a clock that becomes wrong later costs one attempt", arguments: [600, -600])
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

    @Test("an expired key without a server time is an error")
    func noTimestamp() async throws {
        let fake = FakeMiddleware(clock: clock)
        let helium = try makeHelium(fake)
        try await helium.get("/a").value()
        fake[\.clockOffset] = .seconds(600)
        fake[\.tellsTime] = false
        let error = try await failure(of: { try await helium.get("/a").value() })
        #expect(error.status == 401 && error.serverErrors.map(\.code) == ["KeyExpired"] && error.attempts.count == 1)
    }

    @Test(
        "a clock that is wrong by more than a day is not corrected, unless the limit is higher",
        arguments: [86_401, -86_401]
    )
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
        "a server's time is used over TLS or from this machine only, by default",
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

    @Test("calls that are refused together are corrected by one write")
    func together() async throws {
        let fake = FakeMiddleware(clock: clock)
        let store = SlowStore()
        let helium = try makeHelium(fake, store: store)
        try await helium.get("/a").value()
        let before = await store.saves
        fake[\.clockOffset] = .seconds(600)
        await store.block()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { try await helium.get("/a").response().attempts.count }
            }
            for try await count in group { #expect(count <= 2) }
        }
        await store.unblock()
        try await eventually { await store.offset == .seconds(600) }
        #expect(await store.saves - before <= 2)
        #expect(fake[\.posts] == 1)
    }
}

/// A store whose writes can be held up.
private actor SlowStore: TokenStore {
    private(set) var saves = 0
    private(set) var offset: Duration?
    private var isBlocked = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func block() { isBlocked = true }

    func unblock() {
        isBlocked = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func load(_ key: TokenStoreKey) async throws -> DeviceRegistration? { nil }

    func save(_ registration: DeviceRegistration, for key: TokenStoreKey) async throws {
        saves += 1
        if isBlocked { await withCheckedContinuation { waiting.append($0) } }
        offset = registration.clockOffset
    }

    func clear(token: String, for key: TokenStoreKey) async throws -> Bool { false }

    func remove(_ key: TokenStoreKey) async throws {}
}
