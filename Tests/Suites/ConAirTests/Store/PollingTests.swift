import HTTPTypes
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import ConAir

@Suite("Polling of a store", .timeLimit(.minutes(5)))
struct PollingTests {
    @Test(
        "a store collects at once, then every ten seconds with jitter",
        arguments: [(0.0, 9.0), (0.321, 9.7), (0.5, 10.0), (0.679, 10.3), (0.99999, 10.9)]
    )
    func period(random: Double, seconds: Double) async throws {
        let fixture = try StoreFixture(random: random)
        fixture.store.startPolling()
        for count in 1...4 {
            try await fixture.requests(count)
            try await fixture.pollingPause()
            fixture.clock.advanceToNextSleeper()
        }
        try await fixture.requests(5)
        for pause in fixture.clock.requestedSleeps { #expect(abs(pause / .seconds(1) - seconds) < 0.001) }
        fixture.store.stopPolling()
    }

    /// A response that requests a delay of ten minutes.
    private static var refusal: HeliumError {
        var refusal = HeliumError(
            .unacceptableStatus,
            request: RequestSummary(method: .get, url: "http://conair.test/data/"),
            delivery: .answered,
            message: "too many requests"
        )
        refusal[fact: \.head] = ResponseHead(status: 429, fields: [.retryAfter: "600"])
        return refusal
    }

    @Test("after a failure, a store waits for the delay that the service requests", arguments: [false, true])
    func requestedDelay(isPart: Bool) async throws {
        let refusal = Self.refusal
        let fixture = try StoreFixture()
        fixture.source.fail([isPart ? ConAirError(.incomplete, "a part failed", underlying: refusal) : refusal])
        fixture.store.startPolling()
        try await fixture.requests(1)
        try await fixture.pollingPause()
        let pause = try #require(fixture.clock.requestedSleeps.first)
        #expect((.seconds(600) ... .seconds(620)).contains(pause))
        #expect(fixture.store.state.nextAttempt == noon.advanced(by: pause))
        fixture.store.stopPolling()
    }

    @Test("a delay that the service requests in response to another caller is kept by polling")
    func requestedDelayOfCaller() async throws {
        let fixture = try StoreFixture()
        fixture.store.startPolling()
        try await fixture.requests(1)
        try await fixture.pollingPause()
        fixture.source.fail([Self.refusal])
        await #expect(throws: (any Error).self) { try await fixture.store.collect() }
        fixture.clock.advanceToNextSleeper()
        try await eventually { fixture.clock.nextWakeTime == .seconds(600) && fixture.clock.sleeperCount == 1 }
        #expect(fixture.source.requests.count == 2 && fixture.store.state.nextAttempt == noon + 600)
        fixture.clock.advanceToNextSleeper()
        try await fixture.requests(3)
        fixture.store.stopPolling()
    }

    @Test("a new period does not shorten the delay that the service requests")
    func requestedDelayAndPeriod() async throws {
        let fixture = try StoreFixture()
        fixture.source.fail([Self.refusal])
        fixture.store.startPolling()
        try await fixture.requests(1)
        try await fixture.pollingPause()
        fixture.clock.advance(by: .seconds(100))
        fixture.store.pollingPeriod = .seconds(10)
        try await eventually { fixture.clock.nextWakeTime == .seconds(600) && fixture.clock.sleeperCount == 1 }
        fixture.clock.advanceToNextSleeper()
        try await fixture.requests(2)
        try await fixture.pollingPause()
        // A success ends the request.
        fixture.store.pollingPeriod = .seconds(20)
        try await eventually { fixture.clock.nextWakeTime.map { $0 <= .seconds(622) } ?? false }
        fixture.store.stopPolling()
    }

    @Test("stores poll at hundredths of the period, within its jitter", arguments: [0.0, 0.4, 0.5, 0.9])
    func together(random: Double) async throws {
        let fixture = try StoreFixture(random: random)
        fixture.clock.advance(by: .microseconds(123_457))
        fixture.store.startPolling()
        try await fixture.requests(1)
        try await fixture.pollingPause()
        let wake = try #require(fixture.clock.nextWakeTime)
        #expect(wake / .milliseconds(100) == (wake / .milliseconds(100)).rounded())
        let pause = try #require(fixture.clock.requestedSleeps.first)
        #expect((.seconds(9) ... .seconds(11)).contains(pause))
        fixture.store.stopPolling()
    }

    @Test("a store has one timer, however often it is started, and none after a stop")
    func restart() async throws {
        let fixture = try StoreFixture()
        for count in 1...3 {
            fixture.store.startPolling()
            try await fixture.requests(count)
            try await fixture.pollingPause()
        }
        #expect(fixture.store.state.isPolling && fixture.store.state.nextAttempt == noon + 10)
        fixture.store.stopPolling()
        try await eventually { fixture.clock.sleeperCount == 0 && fixture.clock.deadlineCount == 0 }
        #expect(!fixture.store.state.isPolling && fixture.store.state.phase == .idle)
        #expect(fixture.store.state.nextAttempt == nil)
    }

    @Test("a store begins a new delay when the period changes")
    func newPeriod() async throws {
        let fixture = try StoreFixture()
        fixture.store.startPolling()
        try await fixture.requests(1)
        try await fixture.pollingPause()
        fixture.clock.advance(by: .seconds(4))
        fixture.store.pollingPeriod = .seconds(50)
        try await eventually { fixture.clock.nextWakeTime == .seconds(54) && fixture.clock.sleeperCount == 1 }
        #expect(fixture.store.state.nextAttempt == noon + 54)
        fixture.clock.advanceToNextSleeper()
        try await fixture.requests(2)
        #expect(fixture.source.requests.count == 2)
        fixture.store.stopPolling()
        fixture.store.pollingPeriod = .zero
        #expect(fixture.store.pollingPeriod == .milliseconds(100) && !fixture.store.state.isPolling)
    }

    @Test("a reply to a stopped run changes nothing")
    func stopped() async throws {
        let fixture = try StoreFixture()
        fixture.source.set(noon - 120, 1)
        let gate = fixture.source.hold()
        fixture.store.startPolling()
        try await fixture.requests(1)
        #expect(fixture.store.state.phase == .collecting)
        fixture.store.stopPolling()
        gate.settle()
        try await eventually { fixture.source.cancelledCount == 1 }
        #expect(fixture.store.points.isEmpty && fixture.store.snapshot.number == 0)
        #expect(fixture.store.state.lastSuccess == nil && fixture.store.state.phase == .idle)
    }

    @Test("a request in progress is repeated after a restart or a new period", arguments: [true, false])
    func restartDuringRequest(byPeriod: Bool) async throws {
        let fixture = try StoreFixture()
        fixture.source.set(noon - 120, 1)
        _ = fixture.source.hold()
        fixture.store.startPolling()
        try await fixture.requests(1)
        if byPeriod { fixture.store.pollingPeriod = .seconds(20) } else { fixture.store.startPolling() }
        try await fixture.requests(2)
        try await eventually { fixture.source.cancelledCount == 1 }
        fixture.source.release()
        try await fixture.pollingPause()
        #expect(fixture.source.requests.count == 2 && fixture.store.snapshot.number == 1)
        fixture.store.stopPolling()
    }

    @Test("a caller who joined a request gets its outcome although the run is stopped")
    func joinedCaller() async throws {
        let fixture = try StoreFixture()
        fixture.source.set(noon - 120, 1)
        let gate = fixture.source.hold()
        fixture.store.startPolling()
        try await fixture.requests(1)
        let caller = Task { try await fixture.store.collect() }
        try await fixture.waiters(2)
        fixture.store.stopPolling()
        gate.settle()
        #expect(try await caller.value.insertedCount == 1)
        #expect(fixture.source.requests.count == 1 && fixture.store.state.phase == .idle)
    }

    @Test("a store waits longer after each failure, up to five minutes")
    func backoff() async throws {
        let fixture = try StoreFixture(random: 0.9999)
        fixture.source.fail(Array(repeating: MemorySource.Failure(), count: 8))
        fixture.store.startPolling()
        for count in 1...9 {
            try await fixture.requests(count)
            try await fixture.pollingPause()
            if count < 9 { #expect(fixture.store.state.failureCount == count) }
            fixture.clock.advanceToNextSleeper()
        }
        let pauses = fixture.clock.requestedSleeps.prefix(9).map { ($0 / .seconds(1)).rounded() }
        #expect(pauses == [20, 40, 80, 160, 300, 300, 300, 300, 11])
        #expect(fixture.store.state.failureCount == 0)
        fixture.store.stopPolling()
    }

    @Test("a store never waits less after a failure than after a success")
    func shortBackoff() async throws {
        let fixture = try StoreFixture(random: 0)
        fixture.source.fail([MemorySource.Failure()])
        fixture.store.startPolling()
        try await fixture.requests(1)
        try await fixture.pollingPause()
        #expect(fixture.clock.requestedSleeps == [.seconds(9)])
        fixture.store.stopPolling()
    }

    @Test("a store is stale after three periods without a success, and fresh after the next one")
    func stale() async throws {
        let fixture = try StoreFixture()
        fixture.store.startPolling()
        try await fixture.requests(1)
        try await fixture.pollingPause()
        _ = fixture.source.hold()
        fixture.clock.advance(by: .seconds(10))
        try await fixture.requests(2)
        #expect(fixture.store.state.nextAttempt == nil)
        try await eventually { fixture.clock.deadlineCount == 1 }
        fixture.clock.advance(by: .seconds(19))
        #expect(!fixture.store.state.isStale)
        fixture.clock.advance(by: .seconds(1))
        try await eventually { fixture.store.state.isStale }
        #expect(fixture.store.state.phase == .collecting && fixture.store.state.nextAttempt == nil)
        fixture.source.release()
        try await fixture.pollingPause()
        #expect(!fixture.store.state.isStale && fixture.store.state.nextAttempt == noon + 40)
        fixture.store.stopPolling()
    }

    @Test("has a next attempt while a caller collects, and none while it waits for the caller's request")
    func joiningPoll() async throws {
        let fixture = try StoreFixture()
        fixture.store.startPolling()
        try await fixture.requests(1)
        try await fixture.pollingPause()
        _ = fixture.source.hold()
        let caller = Task { try await fixture.store.collect() }
        try await fixture.requests(2)
        #expect(fixture.store.state.phase == .collecting && fixture.store.state.nextAttempt == noon + 10)
        fixture.clock.advance(by: .seconds(10))
        try await fixture.waiters(2)
        #expect(fixture.store.state.phase == .collecting && fixture.store.state.nextAttempt == nil)
        fixture.source.release()
        _ = try await caller.value
        // The run of polling learns of the outcome at the same time as the caller.
        try await fixture.pollingPause()
        #expect(fixture.store.state.nextAttempt == noon + 20)
        #expect(fixture.source.requests.count == 2)
        fixture.store.stopPolling()
    }

    @Test("polling ends with the store")
    func release() async throws {
        let clock = makeClock()
        var store: TimeSeriesStore? = try StoreFixture(clock: clock).store
        var updates = try #require(store).updates.makeAsyncIterator()
        store?.startPolling()
        _ = await updates.next()
        try await eventually { clock.sleeperCount == 1 && clock.deadlineCount == 1 }
        store = nil
        try await eventually { clock.sleeperCount == 0 && clock.deadlineCount == 0 }
        #expect(await updates.next() == nil)
    }
}
