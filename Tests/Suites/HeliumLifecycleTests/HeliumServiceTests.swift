import Foundation
import HTTPTypes
import HeliumKit
import HeliumLifecycle
import HeliumTesting
import Logging
import ServiceLifecycle
import Testing

@Suite("HeliumKit client as a service", .timeLimit(.minutes(5)))
struct HeliumServiceTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func makeHelium(_ transport: MockTransport) throws -> Helium {
        var environment = ClientEnvironment()
        environment.transport = transport
        return try Helium(baseURL: try #require(URL(string: "https://api.example.com")), environment: environment)
    }

    @Test("a client as a service works before and while its group runs, and is closed by a graceful shutdown")
    func gracefulShutdown() async throws {
        let transport = MockTransport { _ in .json("1") }
        let helium = try makeHelium(transport)
        #expect(try await helium.get("/n", returning: Int.self).value() == 1)
        let user = Caller(helium: helium)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [HeliumService(helium), user], logger: logger)
        )
        async let running: Void = group.run()
        #expect(await user.answers.first { _ in true } == 1)
        #expect(!transport.isShutDown)
        await group.triggerGracefulShutdown()
        try await running
        #expect(transport.isShutDown)
        let failure = await #expect(throws: HeliumError.self) {
            try await helium.get("/n", returning: Int.self).value()
        }
        #expect(failure?.kind == .clientClosed)
    }

    @Test("a client as a service is closed after the services that follow it")
    func order() async throws {
        let transport = MockTransport { _ in .json("1") }
        let helium = try makeHelium(transport)
        let last = LastCall(helium: helium)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [HeliumService(helium), last], logger: logger)
        )
        async let running: Void = group.run()
        await group.triggerGracefulShutdown()
        try await running
        // The other service called the client during its own shutdown.
        #expect(transport.requests.count == 1 && transport.isShutDown)
    }

    @Test("a client as a service is closed when its task is cancelled, without an error")
    func cancellation() async throws {
        let transport = MockTransport { _ in .json("1") }
        let service = HeliumService(try makeHelium(transport))
        let task = Task { await service.run() }
        #expect(!transport.isShutDown)
        task.cancel()
        await task.value
        #expect(transport.isShutDown)
    }

    @Test("a client as a service is closed when its group is cancelled")
    func groupCancellation() async throws {
        let transport = MockTransport { _ in .json("1") }
        let service = HeliumService(try makeHelium(transport))
        let logger = logger
        let task = Task {
            try await ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [service], logger: logger)
            ).run()
        }
        task.cancel()
        _ = await task.result
        #expect(transport.isShutDown)
    }

    @Test("closing a client as a service ends connections and calls in flight")
    func sockets() async throws {
        try await FaultServer.run({ _ in [.hang] }) { server in
            let helium = try Helium(baseURL: try #require(URL(string: server.url)))
            let service = HeliumService(helium, drainLimit: .zero)
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [service], logger: logger)
            )
            async let running: Void = group.run()
            async let outcome: HeliumError? = #expect(throws: HeliumError.self) {
                try await helium.get("/never", returning: String.self).value()
            }
            #expect(await server.wait { $0.requestCount == 1 })
            await group.triggerGracefulShutdown()
            try await running
            #expect(await outcome?.kind == .clientClosed)
        }
    }

    @Test("a client as a service lets calls in flight end before it closes")
    func drains() async throws {
        let gate = FaultServer.Gate()
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n1"
        try await FaultServer.run({ _ in [.send(whenOpen: gate, answer)] }) { server in
            let helium = try Helium(baseURL: try #require(URL(string: server.url)))
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: [HeliumService(helium, drainLimit: .seconds(600))],
                    logger: logger
                )
            )
            async let running: Void = group.run()
            async let value = helium.get("/slow", returning: Int.self).value()
            #expect(await server.wait { $0.requestCount == 1 })
            await group.triggerGracefulShutdown()
            gate.open()
            #expect(try await value == 1)
            try await running
            #expect(await server.wait { $0.openConnectionCount == 0 })
        }
    }

    @Test("a client as a service closes at once if it is cancelled while calls end")
    func cancelledWhileDraining() async throws {
        try await FaultServer.run({ _ in [.hang] }) { server in
            let helium = try Helium(baseURL: try #require(URL(string: server.url)))
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: [HeliumService(helium, drainLimit: .seconds(600))],
                    logger: logger
                )
            )
            let running = Task { try await group.run() }
            async let outcome: HeliumError? = #expect(throws: HeliumError.self) {
                try await helium.get("/never", returning: String.self).value()
            }
            #expect(await server.wait { $0.requestCount == 1 })
            await group.triggerGracefulShutdown()
            running.cancel()
            _ = await running.result
            #expect(await outcome?.kind == .clientClosed)
        }
    }

    @Test("a service that never ran is released with its client")
    func dropped() throws {
        weak var dropped: HeliumService?
        do {
            let service = HeliumService(try Helium(baseURL: try #require(URL(string: "http://127.0.0.1:1"))))
            dropped = service
            #expect(dropped != nil)
        }
        #expect(dropped == nil)
    }
}

/// Calls once and tells the answer, then waits for the shutdown.
private final class Caller: Service {
    let helium: Helium
    let answers: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation

    init(helium: Helium) {
        self.helium = helium
        (answers, continuation) = AsyncStream.makeStream()
    }

    func run() async throws {
        continuation.yield(try await helium.get("/n", returning: Int.self).value())
        try await ServiceLifecycle.gracefulShutdown()
    }
}

/// Calls once while it shuts down.
private struct LastCall: Service {
    let helium: Helium

    func run() async throws {
        try await gracefulShutdown()
        _ = try await helium.get("/bye", returning: Int.self).value()
    }
}
