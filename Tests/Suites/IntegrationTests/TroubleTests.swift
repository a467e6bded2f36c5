import Foundation
import HeliumCore
import HeliumKit
import HeliumServer
import HeliumServerTesting
import Synchronization
import Testing

@Suite("Trouble with a real server", .timeLimit(.minutes(5)))
struct TroubleTests {
    @Test("a client recovers from an expired key, a forgotten device, and a clock that is 10 minutes off")
    func recovers() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let call = helium.get("/todo", returning: [Todo].self)
                _ = try await call.value()
                server.faults.inject(.keyExpired, .next(1))
                #expect(try await call.response().attempts.map(\.retryReason) == [.clockCorrected, nil])
                try await server.middleware.forgetAllDevices()
                #expect(try await call.response().attempts.map(\.retryReason) == [.credentialReplaced, nil])
                for offset in [600, -600, 0] {
                    server.middleware.setClockOffset(.seconds(offset))
                    #expect(try await call.response().attempts.map(\.retryReason) == [.clockCorrected, nil])
                    #expect(try await call.response().attempts.count == 1)
                }
                #expect(server.middleware.registrations == 2)
            }
        }
    }

    @Test("a forgotten device and a wrong clock together take three attempts")
    func both() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let call = helium.get("/todo", returning: [Todo].self)
                _ = try await call.value()
                try await server.middleware.forgetAllDevices()
                server.middleware.setClockOffset(.seconds(600))
                let reasons = try await call.response().attempts.map(\.retryReason)
                #expect(reasons == [.clockCorrected, .credentialReplaced, nil])
            }
        }
    }

    @Test("an expired key without a timestamp, a disabled device and a disabled secret are errors")
    func stands() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let call = helium.get("/todo", returning: [Todo].self)
                _ = try await call.value()
                func refusal(_ faults: [ServerFault]) async throws -> HeliumError {
                    let tokens = server.faults.inject(faults)
                    defer { for token in tokens { server.faults.remove(token) } }
                    return try await failure(of: { try await call.value() })
                }
                let expired = try await refusal(ServerFault.keyExpiredWithoutTimestamp)
                #expect(expired.status == 401 && expired.serverErrors.map(\.code) == ["KeyExpired"])
                let disabled = try await refusal([.disabledDevice])
                #expect(disabled.status == 403 && disabled.serverErrors.map(\.code) == ["TemporaryDisabled"])
                let secret = try await refusal([.disabledSecret])
                #expect(secret.status == 401 && secret.serverErrors.map(\.code) == ["KeyInvalid"])
                #expect(secret.attempts.count == 1)
                let html = try await refusal([.unauthorizedHTML])
                #expect(html.status == 401 && html.bodyExcerpt?.contains("<") == true && html.serverErrors.isEmpty)
                let busy = try await refusal([.busy])
                #expect(busy.status == 503 && busy.bodyExcerpt == "I'm busy right now, sorry.")
                let large = try await refusal([.payloadTooLarge])
                #expect(large.status == 413)
                #expect(server.middleware.registrations == 1)
            }
        }
    }

    @Test("a cut response is a lost connection, and a slow one a timeout")
    func broken() async throws {
        var configuration = EmbeddedServerConfiguration()
        // It does not wait for the slow response at its end.
        configuration.limits.shutdown = .milliseconds(100)
        try await withEmbeddedServer(configuration) { server in
            try await server.withHelium { helium in
                let call = helium.get("/todo", returning: [Todo].self).retry(.never)
                for number in 0..<30 { try await helium.post("/todo", body: TodoDraft(name: "\(number)")).value() }
                server.faults.inject(.cut, .next(1))
                let cut = try await failure(of: { try await call.value() })
                #expect([.connectionLost, .malformedResponse].contains(cut.kind) && cut.delivery == .answered)
                server.faults.inject(.delay(.seconds(300)), .next(1))
                let slow = try await failure(of: { try await call.timeout(.seconds(3)).value() })
                #expect(slow.kind == .timedOut && slow.phase == .total && slow.delivery == .maybeSent)
                #expect(try await call.value().count == 25)
            }
        }
    }

    @Test("cancelling ends the call at once, and the handler is called once")
    func cancellation() async throws {
        var configuration = EmbeddedServerConfiguration()
        // It does not wait for the slow response at its end.
        configuration.limits.shutdown = .milliseconds(100)
        try await withEmbeddedServer(configuration) { server in
            try await server.withHelium { helium in
                try await helium.get("/todo").value()
                server.faults.inject(.delay(.seconds(300)), .next(1))
                let calls = Guarded(0)
                let task = helium.get("/todo", returning: [Todo].self).completion { result in
                    if case .failure(let error) = result, error.kind == .cancelled { calls.withLock { $0 += 1 } }
                }
                task.cancel()
                await task.finish()
                #expect(calls.withLock { $0 } == 1)
            }
        }
    }

    @Test("no error, description or dump has a secret")
    func secrets() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                try await helium.get("/todo").value()
                let token = try #require(try await helium.device?.registration()?.token)
                let secret = server.ready.middleware.secret
                server.faults.inject(.disabledDevice)
                // With `debug` the server echoes the request's fields, the key among them.
                let error = try await failure(of: { try await helium.get("/todo").fields(["debug": "true"]).value() })
                var dumped = ""
                dump(error, to: &dumped)
                dump(helium, to: &dumped)
                for text in [error.description, error.debugDescription, dumped, error.bodyExcerpt ?? ""] {
                    #expect(!text.contains(token) && !text.contains(secret))
                }
            }
        }
    }
}
