import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumTesting
import TestSupport
import Testing

@Suite("Cancellation of requests", .timeLimit(.minutes(5)))
struct CancellationConcurrencyTests {
    @Test("a request that is cancelled before it is sent never leaves", arguments: drivers)
    func beforeSending(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url)
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await transport.failure(request)
                }
                let failure = try await task.value
                #expect(failure.kind == .cancelled && failure.delivery == .notSent)
                #expect(server.connectionCount == 0)
            }
        }
    }

    @Test("a request that waits for a connection never leaves when cancelled", arguments: drivers)
    func whileQueued(driver: CurlTransport.Configuration.Driver) async throws {
        let gate = FaultServer.Gate()
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        try await FaultServer.run({ _ in [.send(whenOpen: gate, answer)] }) { server in
            try await withTransport(driver, configure: { $0.maximumConnectionsPerHost = 1 }) { transport in
                let request = try TransportRequest(to: server.url)
                let first = Task { try await transport.execute(request) }
                #expect(await server.wait { $0.requestCount == 1 })
                let second = Task { try await transport.failure(request) }
                try await eventually { await transport.statistics.waitingTransfers == 1 }
                second.cancel()
                let failure = try await second.value
                #expect(failure.kind == .cancelled && failure.delivery == .notSent)
                gate.open()
                _ = try await first.value
                #expect(server.requestCount == 1)
            }
        }
    }

    @Test("a request in flight is aborted on the wire at once", arguments: drivers)
    func inFlight(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.hang] }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url)
                let task = Task { try await transport.failure(request) }
                #expect(await server.wait { $0.requestCount == 1 })
                task.cancel()
                let failure = try await task.value
                #expect(failure.kind == .cancelled && failure.delivery == .maybeSent)
                #expect(await server.wait { $0.clientCloseCount == 1 })
            }
        }
    }

    @Test("requests get their own responses while others are cancelled", arguments: drivers)
    func manyCancellations(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ request in
            [
                .wait(.milliseconds(request.number % 3)),
                .answer(body: String(request.lines[0].split(separator: " ")[1])),
            ]
        }) { server in
            try await withTransport(driver, configure: { $0.maximumConnectionsPerHost = 16 }) { transport in
                let url = server.url
                let (answered, cancelled) = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<400 {
                        group.addTask {
                            let request = try TransportRequest(to: "\(url)/\(number)")
                            let task = Task { try await transport.execute(request).text }
                            if number % 2 == 1 {
                                for _ in 0..<(number % 23) { await Task.yield() }
                                task.cancel()
                            }
                            do {
                                #expect(try await task.value == "/\(number)")
                                return true
                            } catch {
                                #expect((error as? TransportFailure)?.kind == .cancelled && number % 2 == 1)
                                return false
                            }
                        }
                    }
                    var counts = (0, 0)
                    for try await isAnswered in group {
                        if isAnswered { counts.0 += 1 } else { counts.1 += 1 }
                    }
                    return counts
                }
                #expect(answered >= 200 && answered + cancelled == 400)
            }
        }
    }

    @Test("many concurrent requests get their responses", arguments: drivers)
    func manyRequests(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ .answerEcho($0) }) { server in
            try await withTransport(driver, configure: { $0.maximumConnectionsPerHost = 32 }) { transport in
                let url = server.url
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for worker in 0..<64 {
                        group.addTask {
                            for round in 0..<20 {
                                let body = "\(worker)-\(round)"
                                let request = try TransportRequest(.post, to: url, body: body)
                                #expect(try await transport.execute(request).text == body)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(server.requestCount == 64 * 20)
            }
        }
    }
}

extension [FaultServer.Action] {
    static func answerEcho(_ request: FaultServer.ReceivedRequest) -> Self { [.answer(body: request.body)] }
}
