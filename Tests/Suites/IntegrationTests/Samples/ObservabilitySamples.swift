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

    @Test("sample of observability: logs, metrics and traces")
    func observability() async throws {
        try await FaultServer.run(script) { server in
            let catalogue = try #require(URL(string: server.url))
            // sample
            var options = ClientOptions()
            options.observability.logger = Logger(label: "shop.catalogue")
            options.observability.metrics = MetricsSystem.factory
            options.observability.tracer = InstrumentationSystem.tracer
            let helium = try Helium(baseURL: catalogue, options: options)
            // end of sample
            #expect(try await helium.get("/tvshows/42", returning: Show.self).value().id == "42")
            await helium.close()
        }
    }

    @Test("sample: a call is one expression")
    func firstCall() async throws {
        struct TVShow: Decodable, Sendable { let id: String }
        try await FaultServer.run(script) { server in
            let helium = try Helium(baseURL: try #require(URL(string: server.url)))
            // sample
            let show = try await helium.get("/tvshows/:id", returning: TVShow.self).pathReplacements(["id": 42]).value()
            // end of sample
            #expect(show.id == "42")
            await helium.close()
        }
    }

    @Test("sample: a client lives for a closure")
    func closure() async throws {
        try await FaultServer.run(script) { server in
            let catalogue = try #require(URL(string: server.url))
            // sample
            let show = try await withHelium(baseURL: catalogue) { helium in
                try await helium.get("/tvshows/:id", returning: Show.self).pathReplacements(["id": 42]).value()
            }
            // end of sample
            #expect(show.id == "42")
            #expect(await server.wait { $0.openConnectionCount == 0 })
        }
    }

    @Test("sample: a client is a service of a group")
    func service() async throws {
        try await FaultServer.run(script) { remote in
            let helium = try Helium(baseURL: try #require(URL(string: remote.url)))
            let server = OneCall(helium: helium)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            @Sendable func run() async throws {
                // sample
                let group = ServiceGroup(
                    services: [HeliumService(helium, drainLimit: .seconds(10)), server],
                    gracefulShutdownSignals: [.sigterm],
                    logger: logger
                )
                try await group.run()
                // end of sample
            }
            try await untilFirstCall(remote, run)
            #expect(await remote.wait { $0.openConnectionCount == 0 })
        }
    }

    @Test("sample: a client is created for a service group")
    func ownClient() async throws {
        try await FaultServer.run(script) { remote in
            let catalogue = try #require(URL(string: remote.url))
            let user = try Helium(baseURL: catalogue)
            let server = OneCall(helium: user)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            @Sendable func run() async throws {
                // sample
                let helium = try Helium(baseURL: catalogue)
                let group = ServiceGroup(
                    services: [HeliumService(helium), server],
                    gracefulShutdownSignals: [.sigterm],
                    cancellationSignals: [.sigint],
                    logger: logger
                )
                try await group.run()
                // end of sample
            }
            try await untilFirstCall(remote, run)
            await user.close()
        }
    }

    /// Runs a service group until its client has made a call, and cancels it then.
    private func untilFirstCall(_ remote: FaultServer, _ run: @escaping @Sendable () async throws -> Void) async throws
    {
        let group = Task { try await run() }
        #expect(await remote.wait { $0.requestCount == 1 })
        group.cancel()
        _ = await group.result
    }

    private struct OneCall: Service {
        let helium: Helium

        func run() async throws {
            _ = try await helium.get("/tvshows/42", returning: Show.self).value()
            try await gracefulShutdown()
        }
    }
}
