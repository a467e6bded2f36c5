import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumCore

/// A failure that ends a transfer after the head of its response.
struct Interruption: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let failure: TransportFailure

    private init(_ name: String, _ kind: FailureKind, phase: TransferPhase? = nil, ceiling: Ceiling? = nil) {
        testDescription = name
        failure = TransportFailure(kind, delivery: .answered, message: name, phase: phase, ceiling: ceiling)
    }

    static let all = [
        Interruption("the body is cut", .connectionLost),
        Interruption("the body has a content coding that was not requested", .malformedResponse),
        Interruption("the body is too long", .ceilingExceeded, ceiling: .bodyBytes),
        Interruption("the body stalls", .timedOut, phase: .idle),
        Interruption("the transfer fails", .transportFailed),
    ]

    func response(_ status: Int, _ fields: HTTPFields = [:], body: String = "") -> TransportResponse {
        .streaming([body], status: status, fields: fields, failure: failure)
    }
}

/// The rules of the pipeline need only the head of a refusal or a redirect, so a body that can't be read changes nothing.
@Suite("Responses whose body can't be read", .timeLimit(.minutes(5)))
struct InterruptedResponseTests {
    private static let lost = TransportFailure(.connectionLost, delivery: .answered, message: "lost")

    @Test("a 401 whose body can't be read refreshes the token", arguments: Interruption.all)
    func refreshes(interruption: Interruption) async throws {
        let authorizer = try RefreshingBearerAuthorizer(initial: BearerCredential(token: "old-token")) { _ in
            BearerCredential(token: "new-token")
        }
        let transport = MockTransport { request in
            request.fields[.authorization] == "Bearer new-token"
                ? .json("1") : interruption.response(401, [.wwwAuthenticate: "Bearer"])
        }
        let pipeline = try makePipeline(transport, authorizer: authorizer)
        let response = try await pipeline.get("/", as: Int.self).response()
        #expect(response.value == 1)
        #expect(response.attempts.map(\.outcome) == [.answered(status: 401), .answered(status: 200)])
        #expect(response.attempts.map(\.retryReason) == [.credentialReplaced, nil])
    }

    @Test("a redirect whose body can't be read is followed", arguments: Interruption.all, [true, false])
    func follows(interruption: Interruption, acceptsRedirects: Bool) async throws {
        let transport = MockTransport { request in
            request.url.target == "/b" ? .json("2") : interruption.response(302, [.location: "/b"], body: "moved")
        }
        let pipeline = try makePipeline(transport)
        let call = pipeline.get("/a", as: Int.self).acceptableStatusCodes(200..<(acceptsRedirects ? 400 : 300))
        let response = try await call.response()
        #expect(response.value == 2 && response.attempts.map(\.retryReason) == [.redirected, nil])
    }

    @Test("the delay of Retry-After is kept after a 503 whose body can't be read", arguments: Interruption.all)
    func waits(interruption: Interruption) async throws {
        let clock = TestClock()
        let transport = MockTransport(answers: [interruption.response(503, [.retryAfter: "7"]), .json("3")])
        let pipeline = try makePipeline(transport, clock: clock, retry: .standard)
        async let answer = pipeline.get("/", as: Int.self).response()
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(6999))
        #expect(transport.requests.count == 1)
        clock.advance(by: .seconds(1))
        let response = try await answer
        #expect(response.value == 3 && response.attempts.map(\.retryReason) == [.serverUnavailable, nil])
    }

    @Test(
        "a refusal whose body can't be read fails with its status and the beginning of its body",
        arguments: Interruption.all
    )
    func reports(interruption: Interruption) async throws {
        let transport = MockTransport(answers: [
            interruption.response(404, [.contentType: "text/plain"], body: "no such")
        ])
        let pipeline = try makePipeline(transport, retry: .quick)
        let error = try await failure(of: { try await pipeline.call(.post, "/").value() })
        #expect(error.kind == .unacceptableStatus && error.status == 404 && error.delivery == .answered)
        #expect(error.body == Data("no such".utf8) && error.head?[.contentType] == "text/plain")
        #expect(transport.requests.count == 1)
    }

    @Test("interceptors receive a refusal whose body can't be read, as any other response")
    func interceptors() async throws {
        let transport = MockTransport { _ in .streaming(["half"], status: 429, failure: Self.lost) }
        let statuses = Guarded<[Int]>([])
        let note = ClosureInterceptor { request, _, next in
            let response = try await next(request)
            statuses.withLock { $0.append(response.head.status) }
            return response
        }
        let pipeline = try makePipeline(transport) {
            $0.interceptors = [note]
            $0.attemptInterceptors = [note]
        }
        let error = try await failure(of: { try await pipeline.call(.get, "/").value() })
        #expect(error.status == 429 && statuses.withLock { $0 } == [429, 429])
    }

    @Test("a stream that an interceptor returns keeps the status of a refusal whose body can't be read")
    func interceptedStream() async throws {
        let pipeline = try makePipeline(MockTransport(answers: [.empty()])) {
            $0.interceptors = [
                ClosureInterceptor { _, _, _ in .streaming(["half"], status: 409, failure: Self.lost) }
            ]
        }
        let error = try await failure(of: { try await pipeline.call(.get, "/").value() })
        #expect(error.kind == .unacceptableStatus && error.status == 409 && error.body == Data("half".utf8))
    }

    @Test("a response that is returned to the caller still needs its body", arguments: [200, 404, 302])
    func needsBody(status: Int) async throws {
        let transport = MockTransport { _ in .streaming(["half"], status: status, failure: Self.lost) }
        let pipeline = try makePipeline(transport)
        let call = pipeline.call(.get, "/").acceptableStatusCodes(200..<500)
        let error = try await failure(of: { try await call.value() })
        #expect(error.kind == .connectionLost && error.delivery == .answered)
    }

    @Test("a transfer that its caller or its client ended is no refusal", arguments: [true, false])
    func endings(isCancelled: Bool) async throws {
        let kind = isCancelled ? FailureKind.cancelled : .clientClosed
        let ended = TransportFailure(kind, delivery: .answered, message: "ended")
        let transport = MockTransport { _ in .streaming(["half"], status: 503, failure: ended) }
        let pipeline = try makePipeline(transport, retry: .quick)
        let error = try await failure(of: { try await pipeline.call(.get, "/").value() })
        #expect(error.kind == kind && transport.requests.count == 1)
    }

    @Test("a redirect whose body takes the call's whole time is not followed, and its head is reported")
    func lateRedirect() async throws {
        let late = TransportFailure(.timedOut, delivery: .answered, message: "late", phase: .total)
        let transport = MockTransport { _ in .streaming(["half"], status: 302, fields: [.location: "/b"], failure: late)
        }
        let error = try await failure(of: { try await makePipeline(transport).call(.get, "/").value() })
        #expect(error.kind == .timedOut && error.phase == .total && transport.requests.count == 1)
        #expect(error.status == 302 && error.head?[.location] == "/b" && error.body == Data("half".utf8))
    }
}
