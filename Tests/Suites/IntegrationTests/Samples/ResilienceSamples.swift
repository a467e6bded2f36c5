import Foundation
import HeliumKit
import HeliumTesting
import Testing

/// The samples of the articles "Retries", "Redirects", "Interceptors" and "Ceilings", run.
@Suite("Samples: retries, redirects, interceptors, ceilings", .timeLimit(.minutes(5)))
struct ResilienceSamples {
    private struct Receipt: Decodable, Sendable { let id: String }

    private let api = URL(string: "https://api.example.com")

    private func helium(_ transport: MockTransport, _ options: ClientOptions = ClientOptions()) throws -> Helium {
        try Helium(baseURL: #require(api), options: options, environment: ClientEnvironment(transport: transport))
    }

    @Test("sample of retries: a policy and a budget for all calls, and others for one")
    func policy() async throws {
        // sample
        var options = ClientOptions()
        options.retry.maximumAttempts = 4
        options.retry.baseDelay = .milliseconds(100)
        options.retry.statuses.insert(500)
        options.retryBudget = RetryBudget(ratio: 0.1, reserve: 20)
        // end of sample
        let transport = MockTransport { request in
            request.method == .post ? .empty(status: 500) : .empty(status: 503, fields: [.retryAfter: "0"])
        }
        let helium = try helium(transport, options)
        // sample
        let status = helium.get("/status").retry(.never)
        let search = helium.post("/search", body: .json(#"{"text":"tea"}"#)).retryable()
        let patient = helium.get("/report").retry(.attempts(6)).timeout(.seconds(300))
        // end of sample
        for (call, attempts) in [(status, 1), (search, 4), (patient, 6)] {
            let error = try await failure(of: { try await call.value() })
            #expect(error.attempts.count == attempts)
        }
        await helium.close()
    }

    @Test("sample of retries: an idempotency key of the caller")
    func idempotency() async throws {
        let order = "order-2026-11-21-0042"
        let lost = TransportFailure(.connectionLost, delivery: .maybeSent, message: "lost")
        let transport = MockTransport(failing: lost)
        let helium = try helium(transport)
        // sample
        do {
            let receipt = try await helium.post("/payments", body: ["amount": 25], returning: Receipt.self)
                .idempotencyKey(IdempotencyKey(rawValue: order))
                .value()
            print(receipt.id)
        } catch let error as HeliumError {
            print(error.attempts)  // [#1 connectionLost, maybeSent after 0.021 s (retried …: connectionFailed), …]
            print(error.retryRefusal ?? .notWorthwhile, error.delivery, error.idempotencyKey ?? "")
        }
        // end of sample
        let keys = transport.requests.map { $0.fields.first { $0.name.canonicalName == "idempotency-key" }?.value }
        #expect(keys == [order, order, order])
        await helium.close()
    }

    @Test("sample of retries: a new key for each call of a method")
    func keysByMethod() async throws {
        // sample
        var options = ClientOptions()
        options.methodsWithIdempotencyKeys = [.post, .patch]
        // end of sample
        let transport = MockTransport { _ in .empty() }
        let helium = try helium(transport, options)
        let call = helium.post("/payments")
        let first = try await call.response()
        let second = try await call.response()
        #expect(first.idempotencyKey != nil && first.idempotencyKey != second.idempotencyKey)
        await helium.close()
    }

    @Test("sample of redirects: a policy for all calls and for one")
    func redirects() async throws {
        let transport = MockTransport { request in
            request.url.origin.host == "api.example.com"
                ? .empty(status: 302, fields: [.location: "https://cdn.example.com/42.mp4"]) : .empty(status: 200)
        }
        // sample
        var options = ClientOptions()
        options.redirects = .sameOrigin(limit: 3)
        // end of sample
        let helium = try helium(transport, options)
        // sample
        let response = try await helium.get("/videos/:id/file").pathReplacements(["id": 42])
            .redirects(.follow(limit: 5))
            .response()
        print(response.url)  // where it led
        // end of sample
        #expect(response.url.absoluteString == "https://cdn.example.com/42.mp4")
        #expect(response.attempts.map(\.retryReason) == [.redirected, nil])
        let error = try await failure(of: { try await helium.get("/videos/42/file").value() })
        #expect(error.kind == .redirectRefused && error.head?[.location] != nil)
        await helium.close()
    }

    @Test("sample of interceptors: one of attempts and one of calls")
    func interceptors() async throws {
        // sample
        struct Tenancy: Interceptor {
            let tenant: String

            func intercept(
                _ request: TransportRequest,
                context: InterceptionContext,
                next: @escaping Next
            ) async throws -> TransportResponse {
                var request = request
                if let name = HTTPField.Name("X-Tenant") { request.fields[name] = tenant }
                return try await next(request)
            }
        }

        var options = ClientOptions()
        options.attemptInterceptors = [Tenancy(tenant: "kitchen")]
        options.interceptors = [
            ClosureInterceptor { request, context, next in
                let response = try await next(request)
                print(context.template, response.head.status)
                return response
            }
        ]
        // end of sample
        let transport = MockTransport(answers: [.empty(status: 503, fields: [.retryAfter: "0"]), .empty()])
        let helium = try helium(transport, options)
        try await helium.get("/todo/:id").pathReplacements(["id": 7]).value()
        let name = try #require(HTTPField.Name("X-Tenant"))
        #expect(transport.requests.map { $0.fields[name] } == ["kitchen", "kitchen"])
        await helium.close()
    }

    @Test("sample of limits: sizes of responses and of the queue")
    func ceilings() async throws {
        // sample
        var options = ClientOptions()
        options.limits.bodyBytes = 1 << 20
        options.limits.decompressionRatio = 50
        options.concurrency = ConcurrencyLimits(maximumConcurrent: 64, maximumQueued: 256)
        // end of sample
        let transport = MockTransport { _ in .data(Data(count: 1 << 20 + 1)) }
        let helium = try helium(transport, options)
        // sample
        do {
            let all = try await helium.get("/export", returning: Data.self).value()
            print(all.count)
        } catch let error as HeliumError where error.kind == .ceilingExceeded {
            print(error.ceiling ?? .bodyBytes)  // bodyBytes
        }
        // end of sample
        let error = try await failure(of: { try await helium.get("/export", returning: Data.self).value() })
        #expect(error.ceiling == .bodyBytes && error.attempts.count == 1)
        await helium.close()
    }
}
