import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumCore

private final class Log: Sendable {
    private let lines = Guarded<[String]>([])

    func append(_ line: String) { lines.withLock { $0.append(line) } }

    var all: [String] { lines.withLock { $0 } }
}

@Suite("Interceptors", .timeLimit(.minutes(5)))
struct InterceptorTests {
    private let log = Log()

    private func logging(_ name: String) -> ClosureInterceptor {
        let log = log
        return ClosureInterceptor { request, context, next in
            log.append("\(name) \(context.template) #\(context.attempt)")
            let response = try await next(request)
            log.append("\(name) \(response.head.status)")
            return response
        }
    }

    @Test("interceptors of calls run outside of retries, those of attempts inside, before the authorizer")
    func order() async throws {
        let transport = MockTransport(answers: [.empty(status: 503), .empty(status: 200)])
        let pipeline = try makePipeline(
            transport,
            authorizer: try FieldAuthorizer(name: .authorization, secret: "s3cret-token"),
            clock: SystemClock()
        ) {
            $0.retry = .quick
            $0.interceptors = [logging("a"), logging("b")]
            $0.attemptInterceptors = [
                logging("c"),
                ClosureInterceptor { request, _, next in
                    #expect(request.fields[.authorization] == nil)
                    var request = request
                    request.fields[.acceptLanguage] = "de"
                    return try await next(request)
                },
            ]
        }
        let response = try await pipeline.call(.get, "/x/:id").pathReplacements(["id": 1]).response()
        #expect(response.attempts.count == 2)
        #expect(
            log.all == [
                "a /x/:id #1", "b /x/:id #1", "c /x/:id #1", "c 503", "c /x/:id #2", "c 200", "b 200", "a 200",
            ]
        )
        #expect(transport.requests.allSatisfy { $0.fields[.acceptLanguage] == "de" })
        #expect(transport.requests.allSatisfy { $0.fields[.authorization] == "s3cret-token" })
    }

    @Test("an interceptor may return its own response, also a stream")
    func answers() async throws {
        let transport = MockTransport(answers: [.empty()])
        let pipeline = try makePipeline(transport) {
            $0.interceptors = [
                ClosureInterceptor { request, _, _ in
                    request.url.target == "/no"
                        ? .empty(status: 404)
                        : TransportResponse(
                            head: ResponseHead(status: 200, fields: [:]),
                            body: .stream(BodyStream(Data("42".utf8)))
                        )
                }
            ]
        }
        #expect(try await pipeline.get("/yes", as: Int.self).value() == 42)
        #expect(try await failure(of: { try await pipeline.call(.get, "/no").value() }).status == 404)
        #expect(transport.requests.isEmpty)
    }

    @Test("the error of an interceptor is the cause of the call's error, and a transport's is retried")
    func errors() async throws {
        let failing = TransportFailure(.connectionLost, delivery: .maybeSent, message: "lost")
        let transport = MockTransport(failing: failing)
        let pipeline = try makePipeline(transport, clock: SystemClock()) {
            $0.retry = .quick
            $0.interceptors = [logging("a")]
            $0.attemptInterceptors = [logging("c")]
        }
        let lost = try await failure(of: { try await pipeline.call(.get, "/").value() })
        #expect(lost.kind == .connectionLost && lost.attempts.count == 3 && lost.retryRefusal == .attemptsSpent)

        for isOuter in [true, false] {
            let broken = ClosureInterceptor { _, _, _ in throw UnexpectedSuccess() }
            let pipeline = try makePipeline(MockTransport(answers: [.empty()])) {
                if isOuter { $0.interceptors = [broken] } else { $0.attemptInterceptors = [broken] }
            }
            let error = try await failure(of: { try await pipeline.call(.get, "/").value() })
            #expect(error.kind == .interceptorFailed && error.underlying is UnexpectedSuccess)
            #expect(error.delivery == .notSent)
        }
    }

    @Test("an interceptor that hangs does not hold a call beyond its timeout", arguments: [true, false])
    func hanging(isOuter: Bool) async throws {
        let clock = TestClock()
        let hanging = ClosureInterceptor { _, _, _ in
            await withCheckedContinuation { (never: CheckedContinuation<Void, Never>) in
                Task {
                    try? await clock.sleep(for: .seconds(1_000_000))
                    never.resume()
                }
            }
            return .empty()
        }
        let pipeline = try makePipeline(MockTransport(answers: [.empty()]), clock: clock) {
            if isOuter { $0.interceptors = [hanging] } else { $0.attemptInterceptors = [hanging] }
        }
        async let outcome = failure(of: { try await pipeline.call(.get, "/").timeout(.seconds(3)).value() })
        await clock.waitForSleepers()
        await clock.waitForDeadlines()
        clock.advance(by: .seconds(3))
        let error = try await outcome
        #expect(error.kind == .timedOut && error.phase == .total && error.delivery == .notSent)
        clock.advance(by: .seconds(1_000_000))
    }
}
