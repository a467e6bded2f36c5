import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumCore

/// Puts the number of its calls into a field.
private final class Stamp: Authorizer {
    let count = Guarded(0)

    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {
        _ = try authorizeImmediately(&request)
    }

    func authorizeImmediately(_ request: inout TransportRequest) throws -> Bool {
        request.fields[.authorization] = count.withLock { count in
            count += 1
            return "\(count)"
        }
        return true
    }
}

@Suite("Retries of calls", .timeLimit(.minutes(5)))
struct RetryTests {
    private static let lost = TransportFailure(.connectionLost, delivery: .maybeSent, message: "lost")

    @Test("a call that succeeds after failures was authorized for each attempt, and has their history")
    func recovers() async throws {
        let clock = TestClock()
        let arrivals = Guarded<[Duration]>([])
        let transport = MockTransport { _ throws(TransportFailure) in
            let number = arrivals.withLock { arrivals in
                arrivals.append(clock.uptime)
                return arrivals.count
            }
            switch number {
            case 1: throw Self.lost
            case 2: return .empty(status: 503, fields: [.retryAfter: "7"])
            default: return .json(#""done""#)
            }
        }
        let stamp = Stamp()
        let pipeline = try makePipeline(transport, authorizer: stamp, clock: clock, retry: .standard)
        async let answer = pipeline.get("/", as: String?.self).response()
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(200))
        await clock.waitForSleepers()
        #expect(stamp.count.withLock { $0 } == 2, "signed after the pause, not before")
        clock.advance(by: .seconds(8))
        let response = try await answer
        #expect(response.attempts.map(\.retryReason) == [.connectionFailed, .serverUnavailable, nil])
        #expect(
            response.attempts.map(\.outcome) == [
                .failed(.connectionLost), .answered(status: 503), .answered(status: 200),
            ]
        )
        let pauses = response.attempts.map(\.pause)
        #expect(pauses[0].map { $0 <= .milliseconds(200) } == true)
        #expect(pauses[1].map { $0 >= .seconds(7) } == true && pauses[2] == nil)
        #expect(transport.requests.compactMap { $0.fields[.authorization] } == ["1", "2", "3"])
    }

    @Test("a POST is not retried by default, and the error has the reason")
    func notSafe() async throws {
        let transport = MockTransport(failing: Self.lost)
        let pipeline = try makePipeline(transport, retry: .standard)
        let error = try await failure(of: { try await pipeline.call(.post, "/").value() })
        #expect(error.kind == .connectionLost && error.retryRefusal == .notSafe && error.delivery == .maybeSent)
        #expect(error.description.contains("not retried: notSafe") && transport.requests.count == 1)
    }

    @Test("an idempotency key is the same for each attempt, and in response and error")
    func idempotencyKey() async throws {
        let transport = MockTransport(answers: [.empty(status: 503), .empty(status: 200)])
        let pipeline = try makePipeline(transport, clock: SystemClock()) { $0.retry = .quick }
        let key = IdempotencyKey(rawValue: "order-17")
        let response = try await pipeline.call(.post, "/").idempotencyKey(key).response()
        #expect(response.idempotencyKey == key)
        #expect(transport.requests.map { $0.fields[.idempotencyKey] } == ["order-17", "order-17"])

        let dead = MockTransport(answers: [.empty(status: 503)])
        let second = try makePipeline(dead, clock: SystemClock()) {
            $0.retry = .quick
            $0.methodsWithIdempotencyKeys = [.post]
        }
        let errors = [
            try await failure(of: { try await second.call(.post, "/").value() }),
            try await failure(of: { try await second.call(.post, "/").value() }),
        ]
        let sent = dead.requests.compactMap { $0.fields[.idempotencyKey] }
        #expect(sent.count == 6 && Set(sent).count == 2)
        #expect(errors.map { $0.idempotencyKey?.rawValue } == [sent[0], sent[3]])
    }

    @Test("an idempotency key is a version 4 UUID by default, and unprintable ones are refused")
    func keys() async throws {
        let text = IdempotencyKey.random().rawValue
        let uuid = try #require(UUID(uuidString: text))
        #expect(uuid.uuid.6 >> 4 == 4 && uuid.uuid.8 >> 6 == 2)
        #expect(Set((0..<1000).map { _ in IdempotencyKey.random() }).count == 1000)
        let transport = MockTransport(answers: [.empty()])
        let pipeline = try makePipeline(transport)
        for bad in ["", "a\nb", "é", String(repeating: "x", count: 256)] {
            let call = pipeline.call(.post, "/").idempotencyKey(IdempotencyKey(rawValue: bad))
            #expect(try await failure(of: { try await call.value() }).kind == .invalidRequest)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("an error response whose body gives a reason is retried if the request is idempotent")
    func hints() async throws {
        let limited = TransportResponse.json(#"{"errors":"Rate limit exceeded"}"#, status: 403)
        let refused = TransportResponse.json(#"{"errors":"no"}"#, status: 403)
        func options(_ options: inout ClientOptions) {
            options.retry = .quick
            options.retryHint = { head, body in
                head.status == 403 && body.range(of: Data("Rate limit".utf8)) != nil ? .rateLimited : nil
            }
        }
        let passing = MockTransport(answers: [limited, limited, .empty()])
        let pipeline = try makePipeline(passing, clock: SystemClock(), configure: options)
        let response = try await pipeline.call(.get, "/").response()
        #expect(response.attempts.map(\.retryReason) == [.rateLimited, .rateLimited, nil])
        #expect(response.attempts.first?.outcome == .answered(status: 403))

        let standing = MockTransport(answers: [refused])
        let error = try await failure(of: {
            try await makePipeline(standing, clock: SystemClock(), configure: options).call(.get, "/").value()
        })
        #expect(error.status == 403 && error.retryRefusal == .notWorthwhile && standing.requests.count == 1)

        let posting = MockTransport(answers: [limited])
        let unsafe = try await failure(of: {
            try await makePipeline(posting, clock: SystemClock(), configure: options).call(.post, "/").value()
        })
        #expect(unsafe.retryRefusal == .notSafe && posting.requests.count == 1)

        let lasting = MockTransport(answers: [limited])
        let spent = try await failure(of: {
            try await makePipeline(lasting, clock: SystemClock(), configure: options).call(.get, "/").value()
        })
        #expect(spent.status == 403 && spent.retryRefusal == .attemptsSpent && lasting.requests.count == 3)
    }

    @Test("Retry-After beyond the deadline fails at once")
    func tooLate() async throws {
        let transport = MockTransport(answers: [.empty(status: 429, fields: [.retryAfter: "61"])])
        let error = try await failure(of: {
            try await makePipeline(transport, retry: .standard).call(.get, "/").value()
        })
        #expect(error.status == 429 && error.retryRefusal == .pauseTooLong && error.attempts.count == 1)
    }

    @Test("all attempts share the call's deadline")
    func sharedDeadline() async throws {
        let clock = TestClock()
        // The last answer asks for a pause that ends after the deadline, and comes before it.
        let transport = MockTransport { request in
            let isLast = request.timeouts.total == .seconds(2)
            clock.advance(by: .seconds(isLast ? 1 : 4))
            return .empty(status: 503, fields: [.retryAfter: isLast ? "2" : "0"])
        }
        let pipeline = try makePipeline(transport, clock: clock) {
            $0.retry = .quick
            $0.retry.maximumAttempts = 100
        }
        let error = try await failure(of: { try await pipeline.call(.get, "/").timeout(.seconds(10)).value() })
        #expect(error.status == 503 && error.retryRefusal == .pauseTooLong)
        #expect(transport.requests.map(\.timeouts.total) == [.seconds(10), .seconds(6), .seconds(2)])
    }

    @Test("cancelling ends the delay before a retry at once")
    func cancelledPause() async throws {
        let clock = TestClock()
        let transport = MockTransport(answers: [.empty(status: 503)])
        let pipeline = try makePipeline(transport, clock: clock, retry: .standard)
        let task = Task { try await pipeline.call(.get, "/").value() }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(transport.requests.count == 1)
    }

    @Test("a body that can be read only once is sent once, and one that can be rebuilt again")
    func bodies() async throws {
        for (isReplayable, attempts) in [(false, 1), (true, 3)] {
            let transport = MockTransport(answers: [.empty(status: 503)])
            let pipeline = try makePipeline(transport, clock: SystemClock()) { $0.retry = .quick }
            let upload = UploadBody(length: 1, isReplayable: isReplayable) { throw UnexpectedSuccess() }
            let content = RequestContent(payload: .upload(upload), contentType: nil)
            let error = try await failure(of: { try await pipeline.call(.put, "/", content).value() })
            #expect(transport.requests.count == attempts)
            #expect(error.retryRefusal == (isReplayable ? .attemptsSpent : .bodyNotReplayable))
        }
    }
}
