import Foundation
import HTTPTypes
import HeliumKit
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@Suite("Failures over sockets", .timeLimit(.minutes(5)))
struct ResilienceTests {
    private func client(_ url: String, _ configure: (inout ClientOptions) -> Void = { _ in }) throws -> Helium {
        var options = ClientOptions()
        options.retry.baseDelay = .milliseconds(1)
        configure(&options)
        let base = try #require(URL(string: url))
        return try Helium(baseURL: base, authorizer: .bearer("t0ken-of-home"), options: options)
    }

    @Test("a request on a connection that the server closed unread is sent again once")
    func staleConnection() async throws {
        // The second request meets a connection whose end the server had decided already.
        try await FaultServer.run({ $0.number == 2 ? [.close] : [.answer(body: "ok")] }) { server in
            let helium = try client(server.url)
            try await helium.get("/").value()
            let response = try await helium.get("/", returning: String.self).response()
            #expect(response.value == "ok" && server.requestCount == 3)
            #expect(response.attempts.map(\.retryReason) == [.staleConnection, nil])
            #expect(response.attempts[0].pause == .zero)
            await helium.close()
        }
    }

    @Test("a POST on a connection that the server closed is not sent again without an idempotency key")
    func stalePost() async throws {
        try await FaultServer.run({ $0.number % 2 == 0 ? [.close] : [.answer(body: "ok")] }) { server in
            let helium = try client(server.url)
            try await helium.get("/").value()
            let error = try await failure(of: { try await helium.post("/", body: .text("charge")).value() })
            #expect(error.kind == .connectionLost && error.delivery == .maybeSent && error.retryRefusal == .notSafe)
            #expect(server.requestCount == 2)
            try await helium.get("/").value()
            let response = try await helium.post("/", body: .text("charge")).idempotencyKey().response()
            #expect(response.attempts.count == 2 && server.requestCount == 5)
            let keys = server.requests.suffix(2).map { $0.value(of: "idempotency-key") }
            #expect(keys[0] == keys[1] && keys[0] == response.idempotencyKey?.rawValue)
            await helium.close()
        }
    }

    @Test("a refused connection is retried, and nothing was sent")
    func refused() async throws {
        try await FaultServer.withRefusingURL { url in
            let helium = try client(url)
            let error = try await failure(of: { try await helium.post("/", body: .text("x")).value() })
            #expect(error.kind == .connectionFailed && error.delivery == .notSent && error.attempts.count == 3)
            await helium.close()
        }
    }

    @Test("a retry waits for Retry-After, and is complete")
    func retryAfter() async throws {
        try await FaultServer.run({
            $0.number == 1 ? [.answer(503, fields: ["Retry-After: 0"], body: "later")] : [.answer(body: "ok")]
        }) { server in
            let helium = try client(server.url)
            try await helium.put("/a", body: .text("twice the same")).value()
            #expect(
                server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
                    "twice the same", "twice the same",
                ]
            )
            await helium.close()
        }
    }

    @Test("credentials are not sent to other origins after redirects over sockets")
    func redirects() async throws {
        try await FaultServer.run({ _ in [.answer(body: "elsewhere")] }) { elsewhere in
            try await FaultServer.run({ request in
                switch request.path {
                case "/a": [.answer(302, fields: ["Location: b"])]
                case "/b": [.answer(307, fields: ["Location: \(elsewhere.url)/c"])]
                default: [.answer(404)]
                }
            }) { home in
                let helium = try client(home.url)
                let response = try await helium.get("/a", returning: String.self)
                    .redirects(.follow(limit: 2)).response()
                #expect(response.value == "elsewhere" && response.url.absoluteString == "\(elsewhere.url)/c")
                #expect(home.requests.allSatisfy { $0.value(of: "authorization") == "Bearer t0ken-of-home" })
                #expect(elsewhere.requests.map { $0.value(of: "authorization") } == [nil])
                let error = try await failure(of: { try await helium.get("/a").value() })
                #expect(error.kind == .redirectRefused && elsewhere.requestCount == 1)
                await helium.close()
            }
        }
    }

    @Test("a signed call to a busy server is signed again for its retry")
    func signedRetry() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium({ $0.options.retry.baseDelay = .milliseconds(1) }) { helium in
                try await helium.get("/todo").value()
                server.faults.inject(.busy, .next(2))
                let response = try await helium.get("/todo", returning: [Todo].self).response()
                #expect(
                    response.attempts.map(\.outcome) == [
                        .answered(status: 503), .answered(status: 503), .answered(status: 200),
                    ]
                )
            }
        }
    }

    @Test("a client reports its statistics")
    func statistics() async throws {
        let gate = FaultServer.Gate()
        let body = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        try await FaultServer.run({ _ in [.send(whenOpen: gate, body)] }) { server in
            let helium = try client(server.url) {
                $0.concurrency = ConcurrencyLimits(maximumConcurrent: 1, maximumQueued: 9)
            }
            let before = await helium.statistics
            #expect(before.runningCalls == 0 && before.transport?.openedConnections == 0)
            let calls = (0..<2).map { _ in Task { try await helium.get("/").value() } }
            #expect(await server.wait { $0.requestCount == 1 })
            try await eventually { await helium.statistics.waitingCalls > 0 }
            let now = await helium.statistics
            #expect(now.runningCalls == 1 && now.waitingCalls == 1 && now.remainingRetries == 10)
            #expect(now.transport?.activeTransfers == 1 && now.transport?.openedConnections == 1)
            gate.open()
            gate.open()
            for call in calls { try await call.value }
            await helium.close()
        }
    }

    @Test("a closing client lets calls end within its timeout")
    func draining() async throws {
        let gate = FaultServer.Gate()
        let body = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let script: FaultServer.Script = { request in
            switch request.path {
            case "/hang": [.hang]
            case "/slow": [.send(whenOpen: gate, body)]
            default: [.answer()]
            }
        }
        try await FaultServer.run(script) { server in
            let helium = try client(server.url)
            let call = Task { try await helium.get("/slow", returning: String.self).value() }
            try await eventually { server.requestCount > 0 }
            async let isDrained = helium.close(drainingFor: .seconds(60))
            let refused = try await failure(of: { while true { try await helium.get("/late").value() } })
            #expect(refused.kind == .clientClosed)
            gate.open()
            #expect(await isDrained)
            #expect(try await call.value == "ok")

            let second = try client(server.url)
            let hanging = Task { try await failure(of: { try await second.get("/hang").value() }) }
            try await eventually { server.requests.contains { $0.path == "/hang" } }
            #expect(await second.close(drainingFor: .milliseconds(20)) == false)
            #expect(try await hanging.value.kind == .clientClosed)
        }
    }
}

extension FaultServer.ReceivedRequest {
    fileprivate var path: String { lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

    fileprivate func value(of name: String) -> String? {
        let line = lines.dropFirst().first { $0.lowercased().hasPrefix("\(name):") }
        return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
}
