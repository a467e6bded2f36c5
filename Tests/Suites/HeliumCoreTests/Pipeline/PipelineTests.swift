import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Synchronization
import Testing

@Suite("Pipeline of calls", .timeLimit(.minutes(5)))
struct PipelineTests {
    @Test("the acceptable statuses are those of the client or of the call")
    func statuses() async throws {
        let transport = MockTransport(answers: [.json("{}", status: 200)])
        // The original's testResultValidation: 200 is not in 201 ..< 300.
        let pipeline = try makePipeline(transport) { $0.acceptableStatusCodes = 201..<300 }
        let error = try await failure(of: { try await pipeline.call(.get, "/").response() })
        #expect(error.kind == .unacceptableStatus && error.status == 200 && error.delivery == .answered)
        #expect(error.head?[.contentType] == "application/json; charset=utf-8")
        #expect(error.body == Data("{}".utf8))
        #expect(try await pipeline.call(.get, "/").acceptableStatusCodes(200..<201).response().status == 200)
    }

    @Test("an error has the server's errors with all violations and without secrets")
    func serverErrors() async throws {
        let transport = MockTransport(
            answers: [
                .json(
                    #"{"status":400,"errors":[{"code":"A","id":"x"},{},{"msg":"no S3CRET-token"}],"echo":"s3cret-token"}"#,
                    status: 400
                )
            ]
        )
        let authorizer = try FieldAuthorizer(name: .authorization, prefix: "Bearer ", secret: "s3cret-token")
        let pipeline = try makePipeline(transport, authorizer: authorizer)
        let error = try await failure(of: { try await pipeline.call(.get, "/").parameters(["q": "pr1vate"]).value() })
        #expect(
            error.serverErrors
                == [ServerError(code: "A", id: "x"), ServerError(), ServerError(message: "no [redacted]")]
        )
        #expect(error.bodyExcerpt?.contains("[redacted]") == true)
        var dumped = ""
        dump(error, to: &dumped)
        for text in [error.description, error.localizedDescription, error.bodyExcerpt ?? "", dumped] {
            #expect(!text.contains("s3cret-token") && !text.contains("pr1vate"))
        }
        #expect(transport.requests[0].fields[.authorization] == "Bearer s3cret-token")
    }

    @Test("secrets in a decoding error's quotation are masked")
    func quotedSecrets() async throws {
        struct Reply: Decodable, Sendable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                let text = try container.decode([String: String].self).values.joined()
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "can't use \(text)")
            }
        }
        let transport = MockTransport(answers: [.json(#"{"a":"s3cret-token"}"#)])
        let authorizer = try FieldAuthorizer(name: .authorization, secret: "s3cret-token")
        let pipeline = try makePipeline(transport, authorizer: authorizer)
        let error = try await failure(of: { try await pipeline.get("/", as: Reply.self).value() })
        #expect(error.decoding?.reason == "can't use [redacted]")
        #expect(!error.description.contains("s3cret-token"))
    }

    @Test("a transport's failure has request, attempt, delivery, phase and limit")
    func transportFailure() async throws {
        let transport = MockTransport(
            failing: TransportFailure(
                .timedOut,
                delivery: .maybeSent,
                message: "too slow",
                phase: .firstByte,
                ceiling: .headerBytes,
                code: 28
            )
        )
        let error = try await failure(of: { try await makePipeline(transport).call(.get, "/a").retry(.never).value() })
        #expect(error.kind == .timedOut && error.delivery == .maybeSent && error.phase == .firstByte)
        #expect(error.ceiling == .headerBytes && error.code == 28)
        #expect(error.request.description == "GET https://api.example.com/a")
        #expect(error.attempts.map(\.outcome) == [.failed(.timedOut)])
    }

    @Test("every attempt is authorized again, at most three times")
    func attempts() async throws {
        let transport = MockTransport(answers: [.json("{}", status: 401)])
        let authorizer = Counting()
        let pipeline = try makePipeline(transport, authorizer: authorizer)
        let error = try await failure(of: { try await pipeline.call(.get, "/").value() })
        #expect(transport.requests.compactMap { $0.fields[.authorization] } == ["1", "2", "3"])
        #expect(error.kind == .unacceptableStatus && error.attempts.count == 3)
        #expect(error.attempts.map(\.retryReason) == [.credentialReplaced, .credentialReplaced, nil])
        #expect(error.description.contains("#1 401"))
    }

    @Test("a successful later attempt keeps the earlier ones")
    func recovered() async throws {
        let transport = MockTransport(answers: [.json("{}", status: 401), .json("{}")])
        let response = try await makePipeline(transport, authorizer: Counting()).call(.get, "/").response()
        #expect(response.attempts.map(\.outcome) == [.answered(status: 401), .answered(status: 200)])
    }

    @Test("an authorizer that hangs does not hold a call beyond its timeout")
    func hangingAuthorizer() async throws {
        let clock = TestClock()
        let transport = MockTransport(answers: [.json("{}")])
        let pipeline = try makePipeline(transport, authorizer: Hanging(), clock: clock)
        async let outcome = failure(of: { try await pipeline.call(.get, "/").timeout(.seconds(3)).value() })
        await clock.waitForDeadlines()
        clock.advance(by: .seconds(3))
        let error = try await outcome
        #expect(error.kind == .timedOut && error.phase == .total && error.delivery == .notSent)
        #expect(transport.requests.isEmpty)
    }

    @Test("the time of the authorizer counts against the transfer's timeout")
    func remainingTime() async throws {
        let clock = TestClock()
        let transport = MockTransport(answers: [.json("{}")])
        let slow = Slow { clock.advance(by: .seconds(2)) }
        try await makePipeline(transport, authorizer: slow, clock: clock).call(.get, "/").timeout(.seconds(5)).value()
        #expect(transport.requests[0].timeouts.total == .seconds(3))
    }

    @Test("the error of an authorizer is the cause of the call's error")
    func authorizerError() async throws {
        let error = try await failure(
            of: {
                try await makePipeline(
                    MockTransport(answers: [.empty()]),
                    authorizer: Slow { throw UnexpectedSuccess() }
                )
                .call(.get, "/").value()
            }
        )
        #expect(
            error.kind == .authorizationFailed && error.underlying is UnexpectedSuccess && error.delivery == .notSent
        )
    }

    @Test(
        "an invalid configuration of a client is refused",
        arguments: ["ftp://a", "https://u:p@a", "https://a?x=1", "https://a#f", "relative/path"]
    )
    func configuration(baseURL: String) {
        let error = #expect(throws: HeliumError.self) {
            try makePipeline(MockTransport(answers: [.empty()]), baseURL: baseURL)
        }
        #expect(error?.kind == .invalidConfiguration && error?.message.contains("base URL") == true)
    }

    @Test("a User-Agent that the middleware would refuse is refused", arguments: ["", "abcd", "a\r\nb-c-d"])
    func userAgent(text: String) {
        #expect(throws: HeliumError.self) {
            try makePipeline(MockTransport(answers: [.empty()])) { $0.userAgent = text }
        }
    }

    @Test("an acceptable response is streamed, and an error response has its body")
    func streams() async throws {
        let transport = MockTransport(
            answers: [
                TransportResponse(
                    head: ResponseHead(status: 200, fields: [:]),
                    body: .stream(BodyStream(Data("chunk".utf8)))
                ),
                TransportResponse(
                    head: ResponseHead(status: 403, fields: [:]),
                    body: .stream(BodyStream(Data(#"{"errors":[{"code":"X"}]}"#.utf8)))
                ),
            ]
        )
        let pipeline = try makePipeline(transport)
        let stream = try await pipeline.call(.get, "/").stream()
        #expect(stream.status == 200)
        #expect(try await stream.body.collect(upTo: 5) == Data("chunk".utf8))
        #expect(transport.requests[0].responseBody == .stream && transport.requests[0].version == .http1)
        let error = try await failure(of: { try await pipeline.call(.get, "/").stream() })
        #expect(error.status == 403 && error.serverErrors.map(\.code) == ["X"])
    }

    @Test("collecting a stream stops at the limit with a HeliumError")
    func streamCeiling() async throws {
        let transport = MockTransport(
            answers: [
                TransportResponse(
                    head: ResponseHead(status: 200, fields: [:]),
                    body: .stream(BodyStream(Data("chunk".utf8)))
                )
            ]
        )
        let stream = try await makePipeline(transport).call(.get, "/a").stream()
        let error = try await failure(of: { try await stream.body.collect(upTo: 4) })
        #expect(error.kind == .ceilingExceeded && error.ceiling == .bodyBytes && error.request.url.hasSuffix("/a"))
    }
}

private final class Counting: Authorizer {
    private let count = Guarded(0)

    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {
        let number = count.withLock { count in
            count += 1
            return count
        }
        request.fields[.authorization] = "\(number)"
    }

    func review(_ answer: AuthorizedResponse, context: AuthorizationContext) async throws -> AuthorizationReview {
        .retry(.credentialReplaced)
    }
}

private struct Hanging: Authorizer {
    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {
        try await Task.sleep(for: .seconds(3600))
    }
}

private struct Slow: Authorizer {
    let work: @Sendable () throws -> Void

    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws { try work() }
}
