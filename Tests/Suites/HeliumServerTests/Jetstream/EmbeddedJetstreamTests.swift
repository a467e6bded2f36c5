import Foundation
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import Testing

@Suite("Jetstream in the embedded server", .timeLimit(.minutes(5)))
struct EmbeddedJetstreamTests {
    @Test("the embedded server has a Jetstream canvas on its port, beside the other protocols")
    func canvas() async throws {
        try await withEmbeddedServer { running in
            #expect(running.ready.jetstream.scopes == ["Canvas"])
            let root = running.ready.http.absoluteString.replacing("http", with: "ws")
            #expect(running.ready.jetstream.webSocket.absoluteString == root + "/jetstream")
            let jetstream = running.jetstream
            let result = try await jetstream.update("Canvas", ["$push": ["shapes": ["x": 5]]])
            #expect(result.created.count == 1)
            let objects = await jetstream.objects(in: "Canvas")
            #expect(objects.map(\.className) == ["Canvas", "Shape"])
            #expect(objects.last?.properties == ["x": 5, "y": 0, "width": 0, "height": 0, "color": 0])
            #expect(await jetstream.sessionCount == 0)
        }
    }

    @Test("the ready line of the embedded server has the member of Jetstream")
    func readyLine() async throws {
        try await withEmbeddedServer { running in
            let line = try running.ready.jsonLine()
            let ready = try JSONDecoder().decode(ReadyInformation.self, from: Data(line.utf8))
            #expect(ready == running.ready)
            var value = try JSONValue(parsing: Data(line.utf8))
            value["jetstream"] = nil
            let shorter = value.data()
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(ReadyInformation.self, from: shorter) }
        }
    }

    @Test("an invalid configuration of Jetstream in the embedded server is refused")
    func invalid() {
        for change: (inout JetstreamConfiguration) -> Void in [
            { $0.path = "jetstream" }, { $0.path = "/" }, { $0.limits.frameBytes = 0 }, { $0.limits.expiry = .zero },
            { $0.scopes.scopes = [] }, { $0.scopes.classes[0].superclass = "Nobody" },
        ] {
            var configuration = EmbeddedServerConfiguration()
            change(&configuration.jetstream)
            #expect(throws: EmbeddedServerError.self) { try EmbeddedServer(configuration) }
        }
    }
}
