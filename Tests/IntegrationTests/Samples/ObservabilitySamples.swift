import CoreMetrics
import Foundation
import HeliumKit
import HeliumLifecycle
import HeliumTesting
import Logging
import ServiceLifecycle
import Testing
import Tracing
import UnixSignals

/// The samples of the articles on observability and lifecycle.
@Suite("Samples: observability and lifecycle", .timeLimit(.minutes(5)))
struct ObservabilitySamples {
    private let script: FaultServer.Script = { _ in
        [.answer(fields: ["Content-Type: application/json"], body: #"{"id":"42"}"#)]
    }

    private struct Show: Decodable { let id: String }

    @Test("logs, metrics and traces are switched on one by one")
    func observability() async throws {
        try await FaultServer.run(script) { server in
            let catalogue = try #require(URL(string: server.url))
            var options = ClientOptions()
            options.observability.logger = Logger(label: "shop.catalogue")
            options.observability.metrics = MetricsSystem.factory
            options.observability.tracer = InstrumentationSystem.tracer
            let helium = try Helium(baseURL: catalogue, options: options)
            #expect(try await helium.get("/tvshows/42", returning: Show.self).value().id == "42")
            await helium.close()
        }
    }

    @Test("a client lives for a closure")
    func closure() async throws {
        try await FaultServer.run(script) { server in
            let catalogue = try #require(URL(string: server.url))
            let show = try await withHelium(baseURL: catalogue) { helium in
                try await helium.get("/tvshows/:id", returning: Show.self).pathReplacements(["id": 42]).value()
            }
            #expect(show.id == "42")
            #expect(await server.wait { $0.openConnectionCount == 0 })
        }
    }

    @Test("a client is a service of a group")
    func service() async throws {
        try await FaultServer.run(script) { remote in
            let helium = try Helium(baseURL: try #require(URL(string: remote.url)))
            let server = OneCall(helium: helium)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let group = ServiceGroup(
                services: [HeliumService(helium, drainLimit: .seconds(10)), server],
                gracefulShutdownSignals: [.sigterm],
                logger: logger
            )
            async let running: Void = group.run()
            #expect(await remote.wait { $0.requestCount == 1 })
            await group.triggerGracefulShutdown()
            try await running
            #expect(await remote.wait { $0.openConnectionCount == 0 })
        }
    }

    private struct OneCall: Service {
        let helium: Helium

        func run() async throws {
            _ = try await helium.get("/tvshows/42", returning: Show.self).value()
            try await gracefulShutdown()
        }
    }
}
