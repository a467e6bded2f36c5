import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Synchronization
import Testing

/// A server that takes one token, and a closure that gets it.
final class TokenService: Sendable {
    let clock = TestClock()
    private let state: Guarded<(valid: String, requests: [BearerRefreshRequest])>

    init(valid: String = "new-token") { state = Guarded((valid, [])) }

    /// The requests to the refreshing closure so far.
    var refreshes: [BearerRefreshRequest] { state.withLock { $0.requests } }

    func note(_ request: BearerRefreshRequest) { state.withLock { $0.requests.append(request) } }

    func setValid(_ token: String) { state.withLock { $0.valid = token } }

    func answer(_ request: TransportRequest, refusal: Int = 401) -> TransportResponse {
        let isValid = request.fields[.authorization] == "Bearer \(state.withLock { $0.valid })"
        return isValid ? .json("{}") : .empty(status: refusal, fields: [.wwwAuthenticate: "Bearer"])
    }

    func authorizer(
        initial: BearerCredential? = BearerCredential(token: "old-token"),
        timeout: Duration = .seconds(30),
        random: RandomSource = RandomSource { .max },
        refresh: @escaping RefreshingBearerAuthorizer.Refresh = { _ in BearerCredential(token: "new-token") }
    ) throws -> RefreshingBearerAuthorizer {
        try RefreshingBearerAuthorizer(initial: initial, timeout: timeout, clock: clock, random: random) {
            [self] request in
            note(request)
            return try await refresh(request)
        }
    }

    func credential(_ token: String, goodFor time: Duration) -> BearerCredential {
        let expiry = Date(timeIntervalSince1970: (clock.wallTime + time) / .seconds(1))
        return BearerCredential(token: Secret(token), expiry: expiry)
    }
}

@Suite("Refresh of bearer tokens", .timeLimit(.minutes(5)))
struct BearerRefreshTests {
    private let service = TokenService()

    private func pipeline(
        _ authorizer: RefreshingBearerAuthorizer,
        refusal: Int = 401
    ) throws -> (Pipeline, MockTransport) {
        let transport = MockTransport { [service] in service.answer($0, refusal: refusal) }
        return (try makePipeline(transport, authorizer: authorizer, clock: service.clock), transport)
    }

    @Test("a refused token is refreshed, and the call sent again once")
    func replaced() async throws {
        let (pipeline, transport) = try pipeline(service.authorizer())
        let response = try await pipeline.call(.get, "/a").response()
        #expect(response.attempts.map(\.outcome) == [.answered(status: 401), .answered(status: 200)])
        #expect(response.attempts.map(\.retryReason) == [.credentialReplaced, nil])
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer old-token", "Bearer new-token"])
        #expect(service.refreshes.map(\.reason) == [.rejected])
        #expect(service.refreshes.first?.current?.version == 1)
    }

    @Test("a call is sent again at most once after token refreshes")
    func once() async throws {
        service.setValid("none")
        let (pipeline, transport) = try pipeline(service.authorizer())
        let error = try await failure(of: { try await pipeline.call(.get, "/a").value() })
        #expect(error.kind == .unacceptableStatus && error.status == 401)
        #expect(transport.requests.count == 2 && service.refreshes.count == 1)
    }

    @Test("a 401 to a body that can be read only once replaces the token for the next call")
    func bodyReadOnce() async throws {
        let (pipeline, transport) = try pipeline(service.authorizer())
        func send() async throws {
            let body = RequestContent.stream(isReplayable: false) {
                AsyncStream<Data> { continuation in
                    continuation.yield(Data("a".utf8))
                    continuation.finish()
                }
            }
            try await pipeline.call(.post, "/a", body).value()
        }
        let error = try await failure(of: send)
        #expect(error.status == 401 && error.attempts.count == 1 && transport.requests.count == 1)
        try await send()
        #expect(service.refreshes.map(\.reason) == [.rejected] && transport.requests.count == 2)
    }

    @Test("a 401 to the last attempt replaces the token for the next call")
    func lastAttempt() async throws {
        let authorizer = try service.authorizer()
        let answers = Guarded([503, 503])
        let transport = MockTransport { [service] request in
            let status = answers.withLock { $0.popLast() }
            return status.map { .empty(status: $0) } ?? service.answer(request)
        }
        let pipeline = try makePipeline(transport, authorizer: authorizer, clock: service.clock, retry: .quick)
        let error = try await failure(of: { try await pipeline.call(.get, "/a").value() })
        #expect(error.status == 401 && error.attempts.count == 3 && service.refreshes.isEmpty)
        try await pipeline.call(.get, "/a").value()
        #expect(service.refreshes.map(\.reason) == [.rejected])
    }

    @Test("a 403 refreshes no token")
    func forbidden() async throws {
        let (pipeline, transport) = try pipeline(service.authorizer(), refusal: 403)
        let error = try await failure(of: { try await pipeline.call(.get, "/a").value() })
        #expect(error.status == 403 && transport.requests.count == 1 && service.refreshes.isEmpty)
    }

    @Test("the first call waits for a token if there is none")
    func first() async throws {
        let (pipeline, transport) = try pipeline(service.authorizer(initial: nil))
        try await pipeline.call(.get, "/a").value()
        #expect(service.refreshes == [BearerRefreshRequest(current: nil, reason: .missing)])
        #expect(transport.requests.count == 1)
    }

    @Test("a token is refreshed in the background before it expires, and awaited after that")
    func early() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (arrivals, arrive) = AsyncStream<Void>.makeStream()
        let initial = service.credential("old-token", goodFor: .seconds(100))
        let authorizer = try service.authorizer(initial: initial, timeout: .seconds(1000)) { _ in
            arrive.yield()
            for await _ in gate { break }
            return BearerCredential(token: "new-token")
        }
        service.setValid("old-token")
        let (pipeline, transport) = try pipeline(authorizer)
        try await pipeline.call(.get, "/a").value()
        service.clock.advance(by: .seconds(45))
        try await pipeline.call(.get, "/a").value()
        #expect(service.refreshes.isEmpty)
        service.clock.advance(by: .seconds(10))
        try await pipeline.call(.get, "/a").value()
        for await _ in arrivals { break }
        try await pipeline.call(.get, "/a").value()
        #expect(transport.requests.allSatisfy { $0.fields[.authorization] == "Bearer old-token" })
        service.setValid("new-token")
        service.clock.advance(by: .seconds(50))
        open.yield()
        try await pipeline.call(.get, "/a").value()
        #expect(transport.requests.last?.fields[.authorization] == "Bearer new-token")
        #expect(service.refreshes.map(\.reason) == [.expiring])
    }

    @Test("a failed refresh delays the next one, and calls without time for the delay get its cause at once")
    func backOff() async throws {
        struct Outage: Error {}
        let isDown = Guarded(true)
        let authorizer = try service.authorizer(initial: nil) { _ in
            if isDown.withLock({ $0 }) { throw Outage() }
            return BearerCredential(token: "new-token")
        }
        let (pipeline, transport) = try pipeline(authorizer)
        let error = try await failure(of: { try await pipeline.call(.get, "/a").value() })
        #expect(error.kind == .authorizationFailed && error.delivery == .notSent)
        #expect((error.underlying as? HeliumError)?.underlying is Outage)
        #expect(error.request.description == "GET https://api.example.com/a")

        let hasty = try await failure(of: { try await pipeline.call(.get, "/a").timeout(.seconds(0.1)).value() })
        #expect(hasty.kind == .authorizationFailed && service.refreshes.count == 1)
        isDown.withLock { $0 = false }
        async let patient: Void = pipeline.call(.get, "/a").value()
        await service.clock.waitForSleepers()
        #expect(service.refreshes.count == 1)
        service.clock.advance(by: .seconds(0.5))
        try await patient
        #expect(service.refreshes.count == 2 && transport.requests.count == 1)
    }

    @Test("a permanent failure of a refresh stops refreshing until a credential is set")
    func permanent() async throws {
        let authorizer = try service.authorizer { _ in throw BearerRefreshFailure.rejected }
        let (pipeline, _) = try pipeline(authorizer)
        for _ in 0..<3 {
            let error = try await failure(of: { try await pipeline.call(.get, "/a").value() })
            #expect(error.kind == .authorizationFailed)
            #expect(error.message.contains("the authorization server rejected the request"))
        }
        #expect(service.refreshes.count == 1)
        try authorizer.update(BearerCredential(token: "new-token"))
        try await pipeline.call(.get, "/a").value()
        #expect(authorizer.credential?.version == 2)
    }

    @Test("a token refresh has a timeout of its own")
    func timeout() async throws {
        let authorizer = try service.authorizer(initial: nil) { _ in
            try await Task.sleep(for: .seconds(3600))
            return BearerCredential(token: "new-token")
        }
        let (pipeline, _) = try pipeline(authorizer)
        async let outcome = failure(of: { try await pipeline.call(.get, "/a").timeout(.seconds(100)).value() })
        await service.clock.waitForDeadlines(2)
        service.clock.advance(by: .seconds(30))
        let error = try await outcome
        #expect(error.kind == .authorizationFailed && error.message.contains("30.000 s"))
    }

    @Test("a refresh that returns the refused token is a failure")
    func sameAgain() async throws {
        let (pipeline, transport) = try pipeline(service.authorizer { _ in BearerCredential(token: "old-token") })
        let error = try await failure(of: { try await pipeline.call(.get, "/a").value() })
        #expect(error.kind == .authorizationFailed && error.attempts.map(\.outcome) == [.answered(status: 401)])
        #expect(transport.requests.count == 1)
    }

    @Test("a bearer without a refresh closure is only updated from outside")
    func updatesOnly() async throws {
        let authorizer = try RefreshingBearerAuthorizer(clock: service.clock, refresh: nil)
        let (pipeline, _) = try pipeline(authorizer)
        let error = try await failure(of: { try await pipeline.call(.get, "/a").value() })
        #expect(error.kind == .authorizationFailed)
        try authorizer.update(BearerCredential(token: "old-token"))
        let refused = try await failure(of: { try await pipeline.call(.get, "/a").value() })
        #expect(refused.kind == .unacceptableStatus && refused.attempts.count == 1)
        try authorizer.update(BearerCredential(token: "new-token"))
        try await pipeline.call(.get, "/a").value()
    }

    @Test("a bearer shows no token in descriptions")
    func secrets() async throws {
        let echo = MockTransport(answers: [.json(#"{"token":"old-token","next":"refresh-token"}"#, status: 400)])
        let initial = BearerCredential(token: "old-token", refreshToken: "refresh-token")
        let authorizer = try service.authorizer(initial: initial)
        let pipeline = try makePipeline(echo, authorizer: authorizer)
        let error = try await failure(of: { try await pipeline.call(.get, "/a").value() })
        let request = BearerRefreshRequest(current: initial, reason: .rejected)
        var texts = ["\(error)", "\(initial)", "\(authorizer)", "\(request)", error.bodyExcerpt ?? ""]
        for value in [error, initial, authorizer, request] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            texts.append(dumped)
        }
        for text in texts { #expect(!text.contains("old-token") && !text.contains("refresh-token"), "\(text)") }
        #expect(error.bodyExcerpt?.contains("[redacted]") == true)
    }

    @Test("a token that is invalid in a header is refused", arguments: ["", "a b", "a\r\nX: y"])
    func unusable(token: String) throws {
        let credential = BearerCredential(token: Secret(token))
        #expect(throws: HeliumError.self) { try service.authorizer(initial: credential) }
        let authorizer = try service.authorizer()
        #expect(throws: HeliumError.self) { try authorizer.update(credential) }
        #expect(authorizer.credential?.token == "old-token")
    }
}
