import Cosm
import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import HeliumWebSocket
import TestSupport
import Testing

/// The samples of README and articles that need the embedded server, run.
@Suite("Samples: the embedded server", .timeLimit(.minutes(5)))
struct ServerSamples {
    @Test("sample of the embedded server: a middleware with a fault")
    func middleware() async throws {
        // sample
        try await withEmbeddedServer { server in
            let middleware = server.ready.middleware
            let configuration = HeliumConfiguration(
                secret: Secret(middleware.secret),
                secretID: middleware.secretID,
                baseURL: middleware.base,
                device: DeviceConfiguration(url: middleware.devices, info: DeviceInfo(culture: "en-GB"))
            )
            try await withHelium(configuration) { helium in
                server.faults.inject(.keyExpired, .path("/demo-auth/v1/todo", next: 1))
                let response = try await helium.get("/todo", returning: [Todo].self).response()
                #expect(response.attempts.map(\.retryReason) == [.clockCorrected, nil])
            }
        }
        // end of sample
    }

    @Test("sample of the embedded server: a server for a closure")
    func closure() async throws {
        // sample
        try await withEmbeddedServer { server in
            server.faults.inject(.keyExpired, .path("/demo-auth/v1/todo", next: 1))
            print(server.ready.middleware.base)  // `ready` has the URLs and the credentials
        }
        // end of sample
    }

    @Test("sample of the embedded server: the todo of the article Requests")
    func todo() async throws {
        struct Todo: Decodable, Sendable, FieldsSelector {
            static let selectionString = "{_id,name}"
            let id: String
            let name: String
            enum CodingKeys: String, CodingKey {
                case id = "_id"
                case name
            }
        }
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let created = try await helium.post("/todo", body: TodoDraft(name: "Tea"), returning: Created.self)
                    .value()
                let todos = try await helium.get("/todo", returning: [Todo].self).value()
                #expect(todos.map(\.id) == [created.id] && todos.map(\.name) == ["Tea"])
            }
        }
    }

    @Test("sample of the embedded server: a mock transport and a test clock")
    func mock() async throws {
        let url = try #require(URL(string: "https://api.example.com"))
        let configuration = HeliumConfiguration(
            secret: Secret(String(repeating: "a", count: 32)),
            secretID: String(repeating: "b", count: 32),
            baseURL: url,
            device: DeviceConfiguration(url: url.appending(path: "devices"), info: DeviceInfo(culture: "en-GB"))
        )
        func sample() throws -> (MockTransport, Helium) {
            // sample
            let transport = MockTransport { request in .json(#"{"status": 200, "response": []}"#) }
            var configuration = configuration
            configuration.environment.transport = transport
            configuration.environment.clock = TestClock()
            let helium = try Helium(configuration)
            // end of sample
            return (transport, helium)
        }
        let (transport, helium) = try sample()
        #expect(transport.requests.isEmpty)
        await helium.close()
    }

    @Test("sample of the embedded server: a live feed")
    func liveFeed() async throws {
        try await withEmbeddedServer { server in
            let ready = server.ready.cosm
            let cosm = try CosmClient(apiKey: Secret(ready.key), baseURL: ready.base, socketURL: ready.webSocket)
            let id = try await cosm.createFeed(Feed(title: "Shed"))
            let print = Printer()
            let sample = Task { try await Self.follow(id, cosm, print) }
            while print.output.isEmpty {
                try await cosm.updateFeed(id, Feed(datastreams: [Datastream(id: "temp", currentValue: 1)]))
            }
            #expect(print.output.first?.hasPrefix("[") == true && print.output.first?.contains("temp") == true)
            sample.cancel()
            _ = await sample.result
            await cosm.close()
        }
    }

    private static func follow(_ id: Feed.ID, _ cosm: CosmClient, _ print: Printer) async throws {
        // sample
        let shed = try await cosm.subscribe(to: id)
        for try await update in shed {
            print(update.changedDatastreams, update.origin)
        }
        // end of sample
    }
}
