import Foundation
import HeliumKit
import HeliumTesting
import Synchronization
import Testing

@Suite("Registration under concurrency", .timeLimit(.minutes(5)))
struct RegistrationConcurrencyTests {
    private let clock = TestClock()

    @Test("1,000 concurrent first requests make one registration")
    func singleFlight() async throws {
        let fake = FakeMiddleware(clock: clock)
        let helium = try makeHelium(fake)
        try await withThrowingTaskGroup { group in
            for _ in 0..<1000 { group.addTask { try await helium.get("/a").value() } }
            try await group.waitForAll()
        }
        #expect(fake[\.posts] == 1)
        #expect(Set(fake[\.seenTokens]).count == 1)
    }

    @Test("1,000 concurrent refusals of one token make one new registration")
    func storm() async throws {
        let fake = FakeMiddleware(clock: clock)
        let helium = try makeHelium(fake)
        try await helium.get("/a").value()
        fake[\.devices] = []
        try await withThrowingTaskGroup { group in
            for _ in 0..<1000 { group.addTask { try await helium.get("/a").value() } }
            try await group.waitForAll()
        }
        #expect(fake[\.posts] == 2)
    }

    @Test("cancelling one call that waits for a registration does not cancel it for the others")
    func independentWaiters() async throws {
        let (arrived, arrive) = AsyncStream<Void>.makeStream()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let fake = FakeMiddleware(clock: clock) {
            arrive.yield()
            for await _ in gate { break }
        }
        let helium = try makeHelium(fake)
        let patient = Task { try await helium.get("/a").value() }
        for await _ in arrived { break }
        let cancelled = Task { try await helium.get("/a").value() }
        let hasty = Task { try await failure(of: { try await helium.get("/a").timeout(.seconds(1)).value() }) }
        await clock.waitForDeadlines(4)  // of three calls and the registration
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        clock.advance(by: .seconds(1))
        let timeout = try await hasty.value
        #expect(timeout.kind == .timedOut && timeout.phase == .total && timeout.delivery == .notSent)
        open.yield()
        try await patient.value
        #expect(fake[\.posts] == 1)
    }

    @Test("while a registration waits for its next try, calls without time for that fail at once with the cause")
    func pausing() async throws {
        let fake = FakeMiddleware(clock: clock)
        fake[\.registrationFaults] = [FakeMiddleware.failure(503, "Busy")]
        let helium = try makeHelium(fake)
        let device = try #require(helium.device)
        _ = try await failure(of: { try await helium.get("/a").value() })
        let patient = Task { try await helium.get("/a").value() }
        await clock.waitForSleepers()
        let limit = Duration.milliseconds(100)
        for hasty in [
            try await failure(of: { try await helium.get("/a").timeout(limit).value() }),
            try await failure(of: { try await device.register(within: limit) }),
            try await failure(of: { try await device.update(within: limit) }),
        ] {
            let cause = hasty.underlying as? HeliumError ?? hasty
            #expect(hasty.kind == .registrationFailed && cause.status == 503)
        }
        #expect(clock.uptime == .zero)
        clock.advance(by: .milliseconds(500))
        try await patient.value
        #expect(fake[\.posts] == 2)
    }

    @Test("a delay that the server requests before the next registration is kept")
    func requestedDelay() async throws {
        let fake = FakeMiddleware(clock: clock)
        fake[\.registrationFaults] = [FakeMiddleware.failure(503, "Busy", [.retryAfter: "600"])]
        let helium = try makeHelium(fake)
        for _ in 0..<2 {
            let error = try await failure(of: { try await helium.get("/a").value() })
            #expect(error.kind == .registrationFailed && (error.underlying as? HeliumError)?.status == 503)
        }
        #expect(fake[\.posts] == 1 && clock.uptime == .zero)
        let patient = Task { try await helium.get("/a").timeout(nil).value() }
        await clock.waitForSleepers()
        #expect(clock.nextWakeTime == .seconds(600))
        clock.advance(by: .seconds(600))
        try await patient.value
        #expect(fake[\.posts] == 2)
    }

    @Test("a delay that the server requests before the next update is kept, also by explicit updates")
    func requestedUpdateDelay() async throws {
        let fake = FakeMiddleware(clock: clock)
        let helium = try makeHelium(fake)
        let device = try #require(helium.device)
        try await device.register()
        fake[\.updateFaults] = [FakeMiddleware.failure(503, "Busy", [.retryAfter: "600"])]
        for _ in 0..<2 {
            let error = try await failure(of: { try await device.update() })
            #expect(error.kind == .registrationFailed && error.status == 503)
        }
        // Requests go on with the token, and the update follows after the delay.
        clock.advance(by: .seconds(599))
        try await helium.get("/a").value()
        #expect(fake[\.puts] == 1)
        clock.advance(by: .seconds(1))
        try await device.update()
        #expect(fake[\.puts] == 2)
    }

    @Test("a request whose body is read for its signature does not wait for the delay before an update")
    func bodyDuringDelay() async throws {
        let fake = FakeMiddleware(clock: clock)
        let helium = try makeHelium(fake)
        let device = try #require(helium.device)
        try await device.register()
        fake[\.updateFaults] = [FakeMiddleware.failure(503, "Busy", [.retryAfter: "600"])]
        _ = try await failure(of: { try await device.update() })
        let body = RequestContent.upload(UploadBody(Data("{}".utf8)), contentType: "application/json")
        try await helium.post("/a", body: body).timeout(.seconds(60)).value()
        // An explicit update waits for the end of the delay.
        let patient = Task { try await device.update(within: .seconds(700)) }
        await clock.waitForSleepers()
        try await helium.post("/a", body: body).timeout(.seconds(60)).value()
        #expect(fake[\.puts] == 1 && clock.uptime == .zero)
        clock.advance(by: .seconds(600))
        _ = try await patient.value
        #expect(fake[\.puts] == 2)
    }

    @Test("a failed registration fails all calls that wait for it")
    func sharedFailure() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let fake = FakeMiddleware(clock: clock) { for await _ in gate { break } }
        fake[\.registrationFaults] = [FakeMiddleware.failure(503, "Busy")]
        let helium = try makeHelium(fake)
        // A call whose time runs may not have asked for the token yet. Their time is shorter than the pause after a
        // failure (0.5 s here), so that one that asks too late is told the failure, rather than waits for the clock.
        let calls = (0..<50).map { _ in
            Task { try await failure(of: { try await helium.get("/a").timeout(.milliseconds(200)).value() }) }
        }
        await clock.waitForDeadlines(51)
        open.yield()
        for call in calls {
            let error = try await call.value
            #expect(error.kind == .registrationFailed && (error.underlying as? HeliumError)?.status == 503)
        }
        #expect(fake[\.posts] == 1)
    }
}
