import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Synchronization
import TestSupport
import Testing

/// One authorizer that several clients use, which begin and end in any order.
@Suite("Bearer authorizers that clients share", .timeLimit(.minutes(5)))
struct SharedAuthorizerTests {
    private let service = TokenService()

    private func client(_ authorizer: any Authorizer) throws -> Pipeline {
        let transport = MockTransport { [service] in service.answer($0) }
        return try makePipeline(transport, authorizer: authorizer, clock: service.clock)
    }

    @Test("closing a client does not end the authorizer that another client shares")
    func oneOfTwo() async throws {
        let authorizer = try service.authorizer()
        let (first, second) = (try client(authorizer), try client(authorizer))
        // Closing twice counts once.
        await first.close()
        await first.close()
        try await second.call(.get, "/a").value()
        #expect(service.refreshes.map(\.reason) == [.rejected])
        await second.close()
        // The last one has closed. Another client takes the authorizer up again.
        service.setValid("third-token")
        let third = try client(authorizer)
        let error = try await failure(of: { try await third.call(.get, "/a").value() })
        #expect(error.kind == .authorizationFailed && service.refreshes.count == 2)
    }

    @Test("closing a client does not end the refresh that another client waits for")
    func sharedRefresh() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (arrivals, arrive) = AsyncStream<Void>.makeStream()
        let authorizer = try service.authorizer(initial: nil) { _ in
            arrive.yield()
            for await _ in gate { break }
            try Task.checkCancellation()
            return BearerCredential(token: "new-token")
        }
        let (first, second) = (try client(authorizer), try client(authorizer))
        let closed = Task { try await failure(of: { try await first.call(.get, "/a").value() }) }
        for await _ in arrivals { break }
        let patient = Task { try await second.call(.get, "/a").value() }
        await service.clock.waitForDeadlines(3)  // of two calls and the refresh
        await first.close()
        #expect(try await closed.value.kind == .clientClosed)
        open.yield()
        try await patient.value
        #expect(service.refreshes.count == 1)
    }

    @Test("after the last client has closed, nothing is refreshed")
    func last() async throws {
        let authorizer = try service.authorizer(initial: nil)
        try await client(authorizer).close()
        var request = TransportRequest(method: .get, url: try RequestURL("https://api.example.com/a"))
        let context = AuthorizationContext(deadline: Deadline(after: .seconds(1), clock: service.clock))
        let error = try await failure(of: { try await authorizer.authorize(&request, context: context) })
        #expect(error.kind == .clientClosed && service.refreshes.isEmpty)
    }

    @Test("a failed refresh is known to the client that takes the authorizer up again", arguments: [nil, "600"])
    func failureBeforeTheLast(delay: String?) async throws {
        let refusal = MockTransport { _ in .empty(status: 503, fields: [.retryAfter: delay ?? "0"]) }
        let server = try makePipeline(refusal, clock: service.clock)
        let authorizer = try service.authorizer(initial: nil) { _ in
            if delay != nil { try await server.call(.post, "/token").value() }
            throw BearerRefreshFailure.rejected
        }
        let first = try client(authorizer)
        let cause = try await failure(of: { try await first.call(.get, "/a").value() })
        await first.close()
        // Its calls fail at once with the cause: they have no time for the delay, or the failure is permanent.
        let (second, clock) = (try client(authorizer), service.clock)
        let isOver = Guarded(false)
        let call = Task {
            defer { isOver.withLock { $0 = true } }
            return try await failure(of: { try await second.call(.get, "/a").value() })
        }
        try await eventually { isOver.withLock { $0 } || clock.sleeperCount > 0 }
        #expect(clock.sleeperCount == 0)
        clock.advance(by: .seconds(600))
        let error = try await call.value
        #expect(error.kind == .authorizationFailed && error.message == cause.message && service.refreshes.count == 1)
    }

    @Test("an authorizer that is released does not wait for its next refresh")
    func released() async throws {
        struct Outage: Error {}
        weak var released: RefreshingBearerAuthorizer?
        do {
            let authorizer = try service.authorizer(initial: nil) { _ in throw Outage() }
            released = authorizer
            let pipeline = try client(authorizer)
            _ = try await failure(of: { try await pipeline.call(.get, "/a").value() })
            let call = Task { try await pipeline.call(.get, "/a").value() }
            await service.clock.waitForSleepers()
            call.cancel()
            _ = await call.result
        }
        let clock = service.clock
        try await eventually { released == nil && clock.sleeperCount == 0 }
        #expect(service.refreshes.count == 1)
    }

    @Test("an authorizer that is closed itself stays closed for all clients")
    func explicit() async throws {
        let authorizer = try service.authorizer(initial: nil)
        let first = try client(authorizer)
        authorizer.close()
        for pipeline in [first, try client(authorizer)] {
            let error = try await failure(of: { try await pipeline.call(.get, "/a").value() })
            #expect(error.kind == .clientClosed)
        }
        #expect(service.refreshes.isEmpty)
    }

    @Test("an authorizer that only knows close() is closed with its client, once")
    func custom() async throws {
        let own = ClosingAuthorizer()
        let pipeline = try client(own)
        await pipeline.close()
        await pipeline.close()
        #expect(own.closings.withLock { $0 } == 1)
    }
}

private final class ClosingAuthorizer: Authorizer {
    let closings = Guarded(0)

    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {}

    func close() { closings.withLock { $0 += 1 } }
}
