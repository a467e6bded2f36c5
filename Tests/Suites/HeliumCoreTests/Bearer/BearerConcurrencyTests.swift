import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Synchronization
import Testing

@Suite("Bearer refresh under concurrency", .timeLimit(.minutes(5)))
struct BearerConcurrencyTests {
    private let service = TokenService()

    @Test("1,000 concurrent 401s make one token refresh")
    func singleFlight() async throws {
        let count = 1000
        let authorizer = try service.authorizer()
        // No 401 goes out before all requests with the old token are in.
        let allIn = Rendezvous(count)
        let transport = MockTransport { [service] request in
            let answer = service.answer(request)
            if answer.head.status == 401 { await allIn.meet() }
            return answer
        }
        let pipeline = try makePipeline(transport, authorizer: authorizer, clock: service.clock)
        try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { try await pipeline.call(.get, "/a").value() } }
            try await group.waitForAll()
        }
        #expect(service.refreshes.count == 1)
        #expect(transport.requests.count == 2 * count)
        #expect(authorizer.credential?.version == 2)
    }

    @Test("a 401 after the refresh takes the new token and makes no other refresh")
    func late() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (arrivals, arrive) = AsyncStream<Void>.makeStream()
        let authorizer = try service.authorizer()
        let transport = MockTransport { [service] request in
            let answer = service.answer(request)
            if request.url.target == "/late", answer.head.status == 401 {
                arrive.yield()
                for await _ in gate { break }
            }
            return answer
        }
        let pipeline = try makePipeline(transport, authorizer: authorizer, clock: service.clock)
        let late = Task { try await pipeline.call(.get, "/late").response() }
        for await _ in arrivals { break }
        try await pipeline.call(.get, "/a").value()
        open.yield()
        #expect(try await late.value.attempts.map(\.retryReason) == [.credentialReplaced, nil])
        #expect(service.refreshes.count == 1)
    }

    @Test("cancelling one call that waits for a token refresh does not cancel it for the others")
    func independentWaiters() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let authorizer = try service.authorizer(initial: nil) { _ in
            for await _ in gate { break }
            try Task.checkCancellation()
            return BearerCredential(token: "new-token")
        }
        let transport = MockTransport { [service] in service.answer($0) }
        let pipeline = try makePipeline(transport, authorizer: authorizer, clock: service.clock)
        // The first one's deadline is the first to pass: the refresh that it began goes on.
        let hasty = Task {
            try await failure(of: { try await pipeline.call(.get, "/a").timeout(.seconds(1)).value() })
        }
        await service.clock.waitForDeadlines(2)
        let patient = Task { try await pipeline.call(.get, "/a").value() }
        let cancelled = Task { try await pipeline.call(.get, "/a").value() }
        await service.clock.waitForDeadlines(4)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        service.clock.advance(by: .seconds(1))
        let timeout = try await hasty.value
        #expect(timeout.kind == .timedOut && timeout.phase == .total && timeout.delivery == .notSent)
        open.yield()
        try await patient.value
        #expect(service.refreshes.count == 1)
    }

    @Test("a failed token refresh fails all calls that wait for it")
    func sharedFailure() async throws {
        struct Outage: Error {}
        let (gate, open) = AsyncStream<Void>.makeStream()
        let authorizer = try service.authorizer(initial: nil) { _ in
            for await _ in gate { break }
            throw Outage()
        }
        let transport = MockTransport { [service] in service.answer($0) }
        let pipeline = try makePipeline(transport, authorizer: authorizer, clock: service.clock)
        // A call whose time runs may not have asked for the token yet. Their time is shorter than the pause after a
        // failure, so that one that asks too late is told the failure, rather than waits for the clock.
        let calls = (0..<50).map { _ in
            Task { try await failure(of: { try await pipeline.call(.get, "/a").timeout(.milliseconds(100)).value() }) }
        }
        await service.clock.waitForDeadlines(51)
        open.yield()
        for call in calls { #expect(try await call.value.kind == .authorizationFailed) }
        #expect(service.refreshes.count == 1 && transport.requests.isEmpty)
    }

    @Test("while a refresh waits for its next try, calls without time for that fail at once with the cause")
    func pausing() async throws {
        struct Outage: Error {}
        let authorizer = try service.authorizer(initial: nil) { _ in throw Outage() }
        let transport = MockTransport { [service] in service.answer($0) }
        let pipeline = try makePipeline(transport, authorizer: authorizer, clock: service.clock)
        _ = try await failure(of: { try await pipeline.call(.get, "/a").value() })
        let patient = Task { try await failure(of: { try await pipeline.call(.get, "/a").value() }) }
        await service.clock.waitForSleepers()
        for _ in 0..<2 {
            let hasty = try await failure(of: {
                try await pipeline.call(.get, "/a").timeout(.milliseconds(100)).value()
            })
            #expect(hasty.kind == .authorizationFailed && hasty.underlying is HeliumError)
        }
        #expect(service.clock.uptime == .zero && service.refreshes.count == 1)
        service.clock.advance(by: .milliseconds(500))
        #expect(try await patient.value.kind == .authorizationFailed)
        #expect(service.refreshes.count == 2)
    }

    @Test("a delay that the authorization server requests is kept", arguments: ["600", "86400"])
    func requestedDelay(seconds: String) async throws {
        let refusal = MockTransport(answers: [.empty(status: 503, fields: [.retryAfter: seconds])])
        let server = try makePipeline(refusal, clock: service.clock)
        let authorizer = try service.authorizer(initial: nil) { _ in
            try await server.call(.post, "/token").value()
            return BearerCredential(token: "new-token")
        }
        let transport = MockTransport { [service] in service.answer($0) }
        let pipeline = try makePipeline(transport, authorizer: authorizer, clock: service.clock)
        for _ in 0..<2 {
            let error = try await failure(of: { try await pipeline.call(.get, "/a").value() })
            #expect(error.kind == .authorizationFailed && error.underlying != nil)
        }
        #expect(service.refreshes.count == 1 && service.clock.uptime == .zero)
        let patient = Task { try await failure(of: { try await pipeline.call(.get, "/a").timeout(nil).value() }) }
        await service.clock.waitForSleepers()
        #expect(service.clock.nextWakeTime == .seconds(seconds == "600" ? 600 : 3600))
        service.clock.advanceToNextSleeper()
        _ = try await patient.value
        #expect(service.refreshes.count == 2)
    }

    @Test("a refresh that ends while a credential is set from outside does not replace it")
    func endingDuringUpdate() async throws {
        let clock = HookedClock()
        let (arrivals, arrive) = AsyncStream<Void>.makeStream()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let isReturning = Atomic<Bool>(false)
        let authorizer = try RefreshingBearerAuthorizer(clock: clock) { _ in
            arrive.yield()
            for await _ in gate { break }
            isReturning.store(true, ordering: .sequentiallyConsistent)
            return BearerCredential(token: "late-token")
        }
        let call = Task {
            var request = TransportRequest(method: .get, url: try RequestURL("https://api.example.com/a"))
            let context = AuthorizationContext(deadline: Deadline(after: nil, clock: clock))
            try await authorizer.authorize(&request, context: context)
            return request.fields[.authorization]
        }
        for await _ in arrivals { break }
        // The update holds the lock, so that the end of the refresh, which it can no longer cancel, has to wait.
        clock.hook.withLock { hook in
            hook = {
                open.finish()
                // A machine with a single thread does not get there, and the test shows nothing.
                let end = ContinuousClock.now + .seconds(1)
                while !isReturning.load(ordering: .sequentiallyConsistent), .now < end { sched_yield() }
                let pause = ContinuousClock.now + .milliseconds(20)
                while .now < pause { sched_yield() }
            }
        }
        try authorizer.update(BearerCredential(token: "new-token"))
        #expect(try await call.value == "Bearer new-token")
        #expect(authorizer.credential?.token == "new-token")
    }

    @Test(
        "a credential from outside replaces a refresh in progress, whose failure is ignored",
        arguments: [true, false]
    )
    func update(lateOutcomeIsFailure: Bool) async throws {
        struct Outage: Error {}
        let (arrivals, arrive) = AsyncStream<Void>.makeStream()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        let authorizer = try service.authorizer(initial: nil) { _ in
            arrive.yield()
            // Deaf to cancellation, as a closure of somebody's may be.
            await Task.detached { for await _ in gate { break } }.value
            defer { end.yield() }
            if lateOutcomeIsFailure { throw BearerRefreshFailure.rejected }
            return BearerCredential(token: "late-token")
        }
        let transport = MockTransport { [service] in service.answer($0) }
        let pipeline = try makePipeline(transport, authorizer: authorizer, clock: service.clock)
        let calls = (0..<20).map { _ in Task { try await pipeline.call(.get, "/a").value() } }
        await service.clock.waitForDeadlines(21)
        // The limit of the refresh may run before the refresh does.
        for await _ in arrivals { break }
        try authorizer.update(BearerCredential(token: "new-token"))
        for call in calls { try await call.value }
        open.yield()
        for await _ in ends { break }
        try await pipeline.call(.get, "/a").value()
        #expect(authorizer.credential?.token == "new-token" && authorizer.credential?.version == 1)
        #expect(service.refreshes.count == 1)
    }

    @Test("closing the client, and releasing the authorizer, end a token refresh", arguments: [true, false])
    func close(isExplicit: Bool) async throws {
        let (arrivals, arrive) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        var authorizer: RefreshingBearerAuthorizer? = try service.authorizer(
            initial: service.credential("new-token", goodFor: .seconds(10))
        ) { _ in
            arrive.yield()
            defer { end.yield() }
            try await Task.sleep(for: .seconds(3600))
            return BearerCredential(token: "never")
        }
        service.clock.advance(by: .seconds(6))
        var request = TransportRequest(method: .get, url: try RequestURL("https://api.example.com/a"))
        #expect(try authorizer?.authorizeImmediately(&request) == true)
        for await _ in arrivals { break }
        if isExplicit { authorizer?.close() } else { authorizer = nil }
        for await _ in ends { break }
        guard let authorizer else { return }
        service.clock.advance(by: .seconds(10))
        let context = AuthorizationContext(deadline: Deadline(after: .seconds(1), clock: service.clock))
        let error = try await failure(of: { try await authorizer.authorize(&request, context: context) })
        #expect(error.kind == .clientClosed)
    }
}

/// Suspends all tasks until a number of tasks has arrived.
private final class Rendezvous: Sendable {
    private let count: Int
    private let waiting = Guarded<[CheckedContinuation<Void, Never>]>([])

    init(_ count: Int) { self.count = count }

    func meet() async {
        await withCheckedContinuation { continuation in
            let all = waiting.withLock { waiting in
                waiting.append(continuation)
                return waiting.count == count ? waiting : []
            }
            for continuation in all { continuation.resume() }
        }
    }
}

/// A clock that calls a hook once when its wall-clock time is read.
private final class HookedClock: HeliumClock {
    let hook = Guarded<(@Sendable () -> Void)?>(nil)

    var wallTime: Duration {
        hook.withLock { hook in
            defer { hook = nil }
            return hook
        }?()
        return .zero
    }

    var uptime: Duration { .zero }

    func sleep(for duration: Duration) async throws { try await Signal<Void>().value() }
}
