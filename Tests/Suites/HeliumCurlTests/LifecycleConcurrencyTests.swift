import Foundation
import HeliumCore
import HeliumCurl
import HeliumTesting
import TestSupport
import Testing

@Suite("Life cycle of the transport", .serialized, .timeLimit(.minutes(5)))
struct LifecycleConcurrencyTests {
    @Test("shutdown fails requests in flight and closes their connections", arguments: drivers)
    func failsInFlight(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.hang] }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url)
                let tasks = (0..<5).map { _ in Task { try await transport.failure(request) } }
                #expect(await server.wait { $0.requestCount == 5 })
                await transport.shutdown()
                for task in tasks {
                    let failure = try await task.value
                    #expect(failure.kind == .clientClosed && failure.delivery == .maybeSent)
                }
                #expect(await server.wait { $0.clientCloseCount == 5 })
            }
        }
    }

    @Test("shutdown ends streams", arguments: drivers)
    func endsStreams(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer(announcing: 100, body: "begin"), .hang] }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url).with { $0.responseBody = .stream }
                let stream = try await transport.execute(request).stream
                await transport.shutdown()
                let failure = await #expect(throws: TransportFailure.self) { _ = try await stream.collect(upTo: 1000) }
                #expect(failure?.kind == .clientClosed)
            }
        }
    }

    @Test("a shut down transport sends nothing, whether it was used before or not", arguments: [true, false])
    func refusesAfterShutdown(isUsed: Bool) async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            let transport = CurlTransport()
            if isUsed { _ = try await transport.execute(TransportRequest(to: server.url)) }
            await transport.shutdown()
            let failure = try await transport.failure(TransportRequest(to: server.url))
            #expect(failure.kind == .clientClosed && failure.delivery == .notSent)
            #expect(server.requestCount == (isUsed ? 1 : 0))
        }
    }

    @Test("shutdown may be called many times at once, during requests", arguments: drivers)
    func concurrentShutdown(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            for _ in 0..<20 {
                try await withTransport(driver) { transport in
                    let request = try TransportRequest(to: server.url)
                    await withTaskGroup(of: Void.self) { group in
                        for number in 0..<24 {
                            group.addTask {
                                if number % 8 == 7 { return await transport.shutdown() }
                                do {
                                    #expect(try await transport.execute(request).text == "ok")
                                } catch {
                                    #expect((error as? TransportFailure)?.kind == .clientClosed)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("an idle transport uses no processor time", .tags(.alone), arguments: drivers)
    func sleepsWhenIdle(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            try await withTransport(driver) { transport in
                for _ in 0..<3 { _ = try await transport.execute(TransportRequest(to: server.url)) }
                // What went before may end late.
                try await eventually {
                    let turns = transport.loopTurns
                    try await Task.sleep(for: .milliseconds(100))
                    return transport.loopTurns == turns
                }
                let turns = transport.loopTurns
                #expect(turns > 0)
                try await Task.sleep(for: .milliseconds(1500))
                // A machine that stopped, or was late with what went before, may have made it look once more.
                #expect(transport.loopTurns - turns <= 2)
            }
        }
    }

    #if os(Linux)
        @Test("shut down transports leave no descriptor and no thread", arguments: drivers, [true, false])
        func leavesNothing(driver: CurlTransport.Configuration.Driver, isShutDown: Bool) async throws {
            let rounds = ProcessInfo.processInfo.environment["HELIUM_CLIENT_ROUNDS"].flatMap(Int.init) ?? 200
            try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
                let request = try TransportRequest(to: server.url)
                func round() async throws {
                    var configuration = CurlTransport.Configuration()
                    configuration.driver = driver
                    let transport = CurlTransport(configuration)
                    #expect(try await transport.execute(request).text == "ok")
                    if isShutDown { await transport.shutdown() }
                }
                try await round()
                let threads = Self.loopThreadCount()
                #expect(await server.wait { $0.openConnectionCount == 0 })
                let descriptors = Self.descriptorCount()
                for _ in 0..<rounds { try await round() }
                #expect(await server.wait { $0.openConnectionCount == 0 })
                // Without shutdown the thread ends in its own time.
                try await eventually {
                    Self.loopThreadCount() <= threads && Self.descriptorCount() <= descriptors
                }
            }
        }

        private static func descriptorCount() -> Int {
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
        }

        private static func loopThreadCount() -> Int {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return tasks.count {
                (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "helium-curl\n"
            }
        }
    #endif
}
