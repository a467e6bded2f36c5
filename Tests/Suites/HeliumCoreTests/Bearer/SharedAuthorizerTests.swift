import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Synchronization
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
