import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import TestSupport
import Testing

@Suite("HTTP/2 by prior knowledge", .timeLimit(.minutes(5)))
struct PriorKnowledgeTests {
    private static let drivers: [CurlTransport.Configuration.Driver] = [.automatic, .poll]

    @Test("requests one after the other share a connection in clear text, bodies included", arguments: drivers)
    func sequence(driver: CurlTransport.Configuration.Driver) async throws {
        try await withEmbeddedServer(.priorKnowledge) { server in
            try await server.withHelium({
                $0.options.httpVersion = .http2PriorKnowledge
                $0.connection.driver = driver
            }) { helium in
                for number in 0..<10 {
                    // Up to more than a frame and more than what is copied.
                    let padding = String(repeating: " ", count: number * 4000)
                    let json = Data("{\"name\":\(padding)\"\(number)\"}".utf8)
                    let created = try await helium.post("/todo", body: .json(bytes: json), returning: Created.self)
                        .response()
                    #expect(created.head.version == .http2)
                    #expect(created.attempts.count == 1)
                    let todo = try await helium.get("/todo/:id", returning: [Todo].self)
                        .pathReplacements(["id": created.value.id]).value()
                    #expect(todo.map(\.name) == ["\(number)"])
                }
                #expect(server.server.connectionCount == 1)
            }
        }
    }

    @Test("many requests from cold share one connection", arguments: drivers)
    func multiplexes(driver: CurlTransport.Configuration.Driver) async throws {
        try await withEmbeddedServer(.priorKnowledge) { server in
            server.faults.inject(.delay(.milliseconds(100)), .untilRemoved)
            try await withTransport(driver) { transport in
                let answers = try await transport.inParallel(80, server.request())
                #expect(answers.allSatisfy { $0.head.version == .http2 })
                #expect(answers.count { !$0.timings.isConnectionReused } == 1)
                #expect(server.server.connectionCount == 1)
            }
        }
    }

    @Test("requests beyond what a connection takes open one more at a time", arguments: drivers)
    func overflows(driver: CurlTransport.Configuration.Driver) async throws {
        try await withEmbeddedServer(.priorKnowledge) { server in
            // All have to be under way before the first is answered.
            server.faults.inject(.delay(.seconds(4)), .untilRemoved)
            try await withTransport(driver) { transport in
                // The server takes 100 at a time on a connection.
                let answers = try await transport.inParallel(120, server.request())
                #expect(answers.allSatisfy { $0.head.version == .http2 })
                #expect(server.server.connectionCount == 2)
                #expect(server.requests.count == 120)
            }
        }
    }

    @Test("requests beyond the limit of connections wait", arguments: drivers)
    func waits(driver: CurlTransport.Configuration.Driver) async throws {
        try await withEmbeddedServer(.priorKnowledge) { server in
            server.faults.inject(.delay(.milliseconds(100)), .untilRemoved)
            try await withTransport(driver, configure: { $0.maximumConnectionsPerHost = 1 }) { transport in
                let answers = try await transport.inParallel(250, server.request())
                #expect(answers.allSatisfy { $0.head.version == .http2 })
                #expect(answers.count { !$0.timings.isConnectionReused } == 1)
                #expect(server.server.connectionCount == 1)
            }
        }
    }

    @Test("goes on with a new connection after the server was started again", arguments: drivers)
    func restart(driver: CurlTransport.Configuration.Driver) async throws {
        try await withTransport(driver) { transport in
            var configuration = EmbeddedServerConfiguration.priorKnowledge
            configuration.limits.shutdown = .milliseconds(100)
            configuration.port = try LastingPort.next()
            for _ in 0..<3 {
                try await withEmbeddedServer(configuration) { server in
                    let request = try server.request()
                    // The first finds only a connection that is closed, if any.
                    let first = try await transport.execute(request)
                    #expect(first.head.version == .http2 && !first.timings.isConnectionReused)
                    let answers = try await transport.inParallel(20, request)
                    #expect(answers.allSatisfy { $0.timings.isConnectionReused })
                }
            }
        }
    }

    @Test("a request on a kept connection that dies without an answer is not sent again", arguments: drivers)
    func sendsOnce(driver: CurlTransport.Configuration.Driver) async throws {
        try await withTransport(driver) { transport in
            var configuration = EmbeddedServerConfiguration.priorKnowledge
            configuration.limits.shutdown = .milliseconds(100)
            configuration.port = try LastingPort.next()
            let lost = try await withEmbeddedServer(configuration) { server in
                let request = try server.request()
                _ = try await transport.execute(request)
                server.faults.inject(.delay(.seconds(300)), .untilRemoved)
                let lost = Task { await transport.outcome(request) }
                try await eventually { server.requests.count == 2 }
                // The next one on the connection takes its time too, but is known to have come.
                var hasty = request
                hasty.timeouts.firstByte = .milliseconds(200)
                #expect(await transport.outcome(hasty)?.kind == .timedOut)
                return lost
            }
            let failure = await lost.value
            #expect(
                failure?.kind == .connectionLost && failure?.delivery == .maybeSent,
                "\(String(describing: failure))"
            )
            try await withEmbeddedServer(configuration) { server in
                let answer = try await transport.execute(server.request())
                #expect(answer.head.version == .http2)
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test("who waits for a connection can give up, run out of time and be shut down", arguments: drivers)
    func leaves(driver: CurlTransport.Configuration.Driver) async throws {
        // The opener stays in phase connect. All other requests wait for it.
        try await DeafListener.run { url in
            let transport = CurlTransport(Self.configuration(driver))
            var request = try TransportRequest.get(url)
            request.timeouts.connect = .seconds(300)
            let opener = Task { [request] in await transport.outcome(request) }
            try await eventually { await transport.statistics.activeTransfers == 1 }
            var hasty = request
            hasty.timeouts.queue = .milliseconds(50)
            let late = await transport.outcome(hasty)
            #expect(late?.kind == .timedOut && late?.phase == .queue && late?.delivery == .notSent)

            let waiting = Task { [request] in await transport.outcome(request) }
            try await eventually { await transport.statistics.activeTransfers == 2 }
            waiting.cancel()
            let cancelled = await waiting.value
            #expect(cancelled?.kind == .cancelled && cancelled?.delivery == .notSent)

            let last = Task { [request] in await transport.outcome(request) }
            try await eventually { await transport.statistics.activeTransfers == 2 }
            await transport.shutdown()
            let ends = await [last.value, opener.value]
            #expect(ends.allSatisfy { $0?.kind == .clientClosed && $0?.delivery == .notSent })
        }
    }

    @Test("cancelling some, wherever they are, leaves the others alone", arguments: drivers)
    func cancelsSome(driver: CurlTransport.Configuration.Driver) async throws {
        try await withEmbeddedServer(.priorKnowledge) { server in
            server.faults.inject(.delay(.milliseconds(20)), .untilRemoved)
            try await withTransport(driver, configure: { $0.maximumConnectionsPerHost = 2 }) { transport in
                let request = try server.request()
                let calls = (0..<400).map { _ in
                    Task {
                        do throws(TransportFailure) {
                            return try await transport.execute(request).head.version == .http2
                                ? nil : FailureKind.malformedResponse
                        } catch {
                            return error.kind
                        }
                    }
                }
                for (number, call) in calls.enumerated() where number % 3 != 0 {
                    if number % 40 == 1 { try await Task.sleep(for: .milliseconds(3)) }
                    call.cancel()
                }
                for (number, call) in calls.enumerated() {
                    let kind = await call.value
                    #expect(kind == nil || number % 3 != 0 && kind == .cancelled)
                }
                #expect(server.server.connectionCount <= 2)
                let again = try await transport.execute(request)
                #expect(again.timings.isConnectionReused)
            }
        }
    }

    @Test("shutdown closes kept connections", arguments: drivers)
    func closes(driver: CurlTransport.Configuration.Driver) async throws {
        try await withEmbeddedServer(.priorKnowledge) { server in
            try await withTransport(driver) { transport in
                _ = try await transport.execute(server.request())
                #expect(server.server.connectionCount == 1)
            }
            try await eventually { server.server.connectionCount == 0 }
        }
    }

    @Test("when the opener gives up, the next one opens", arguments: drivers)
    func nextOpener(driver: CurlTransport.Configuration.Driver) async throws {
        try await DeafListener.run { url in
            try await withTransport(driver) { transport in
                var request = try TransportRequest.get(url)
                request.timeouts.connect = .milliseconds(100)
                await withTaskGroup(of: TransportFailure?.self) { [request] group in
                    for _ in 0..<3 { group.addTask { await transport.outcome(request) } }
                    for await failure in group {
                        #expect(failure?.kind == .timedOut && failure?.phase == .connect)
                        #expect(failure?.delivery == .notSent)
                    }
                }
            }
        }
    }

    @Test(
        "a request that is not by prior knowledge gets no connection of theirs, nor they one of its",
        arguments: drivers
    )
    func keepsApart(driver: CurlTransport.Configuration.Driver) async throws {
        try await withEmbeddedServer(.priorKnowledge) { server in
            try await withTransport(driver) { transport in
                let request = try server.request()
                _ = try await transport.execute(request)
                for version in [HTTPVersionPolicy.automatic, .http1] {
                    var other = request
                    other.version = version
                    // The server speaks nothing but HTTP/2: what answers HTTP/1.1 there is an error.
                    let answer = try? await transport.execute(other)
                    #expect(answer?.head.version != .http2)
                }
                let again = try await transport.execute(request)
                #expect(again.head.version == .http2 && again.timings.isConnectionReused)
            }
        }
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            try await withTransport(driver) { transport in
                var request = try TransportRequest.get(server.url)
                request.version = .http1
                _ = try await transport.execute(request)
                request.version = .http2PriorKnowledge
                request.timeouts.firstByte = .milliseconds(500)
                let failure = await transport.outcome(request)
                #expect(failure != nil)
                // Its thread may be slower than the limit.
                #expect(await server.wait { $0.connectionCount == 2 })
                #expect(server.requests.allSatisfy { !String(decoding: $0.head, as: UTF8.self).contains("Upgrade") })
                request.version = .http1
                #expect(try await transport.execute(request).timings.isConnectionReused)
            }
        }
    }

    @Test("over TLS it is negotiated", arguments: drivers)
    func tls(driver: CurlTransport.Configuration.Driver) async throws {
        try await ThrowawayCertificates.with { certificates in
            var configuration = EmbeddedServerConfiguration()
            configuration.host = "localhost"
            configuration.tls = certificates.server
            try await withEmbeddedServer(configuration) { server in
                try await withTransport(
                    driver,
                    configure: { $0.certificateAuthorityFile = certificates.authorityPath }
                ) { transport in
                    let request = try server.request()
                    for number in 0..<3 {
                        let answer = try await transport.execute(request)
                        #expect(answer.head.version == .http2)
                        #expect(answer.timings.isConnectionReused == (number > 0))
                    }
                    let answers = try await transport.inParallel(50, request)
                    #expect(answers.allSatisfy { $0.head.version == .http2 })
                    // Both policies negotiate, so they can share what they have.
                    var other = request
                    other.version = .automatic
                    let answer = try await transport.execute(other)
                    #expect(answer.head.version == .http2 && answer.timings.isConnectionReused)
                }
            }
        }
    }

    @Test("streams share the connection", arguments: drivers)
    func streams(driver: CurlTransport.Configuration.Driver) async throws {
        try await withEmbeddedServer(.priorKnowledge) { server in
            try await withTransport(driver) { transport in
                var request = try server.request()
                request.responseBody = .stream
                for number in 0..<3 {
                    let answer = try await transport.execute(request)
                    #expect(answer.head.version == .http2 && answer.timings.isConnectionReused == (number > 0))
                    guard case .stream(let body) = answer.body else { continue }
                    for try await _ in body {}
                }
            }
        }
    }
}

extension PriorKnowledgeTests {
    private static func configuration(_ driver: CurlTransport.Configuration.Driver) -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.driver = driver
        return configuration
    }

    private func withTransport<Value>(
        _ driver: CurlTransport.Configuration.Driver,
        configure: (inout CurlTransport.Configuration) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation,
        _ body: (CurlTransport) async throws -> Value
    ) async throws -> Value {
        var configuration = Self.configuration(driver)
        configure(&configuration)
        let transport = CurlTransport(configuration)
        do {
            let value = try await body(transport)
            await transport.shutdown()
            return value
        } catch {
            await transport.shutdown()
            throw error
        }
    }
}

extension EmbeddedServerConfiguration {
    fileprivate static var priorKnowledge: Self {
        var configuration = Self()
        configuration.usesPriorKnowledgeHTTP2 = true
        return configuration
    }
}

extension RunningServer {
    /// A request without a signature, whose answer is a refusal, but an answer.
    fileprivate func request() throws -> TransportRequest { try .get(ready.http.absoluteString + "/todo") }
}

extension TransportRequest {
    fileprivate static func get(_ url: String) throws -> Self {
        var request = Self(method: .get, url: try RequestURL(url))
        request.version = .http2PriorKnowledge
        return request
    }
}

extension CurlTransport {
    fileprivate func inParallel(_ count: Int, _ request: TransportRequest) async throws -> [TransportResponse] {
        try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { try await self.execute(request) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// The failure, or `nil` after an answer.
    fileprivate func outcome(_ request: TransportRequest) async -> TransportFailure? {
        do throws(TransportFailure) {
            _ = try await execute(request)
            return nil
        } catch {
            return error
        }
    }
}
