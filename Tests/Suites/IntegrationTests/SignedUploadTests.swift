import Foundation
import HeliumKit
import HeliumServerTesting
import Testing

@Suite("Signatures of streamed bodies, as a server checks them", .timeLimit(.minutes(5)))
struct SignedUploadTests {
    @Test("a signed JSON file and a JSON stream of unknown length are accepted by the server")
    func accepted() async throws {
        let name = "ΑΣ ÄÖ İ"
        let json = Data(#"{"NAME":"x","name":"\#(name)"}"#.utf8)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString).json")
        try json.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let stream = RequestContent.stream(contentType: "application/json", isReplayable: true) {
            AsyncStream<Data> { continuation in
                // One byte at a time: no letter is whole.
                for byte in json { continuation.yield(Data([byte])) }
                continuation.finish()
            }
        }
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                for content in [RequestContent.file(at: file), stream] {
                    let created = try await helium.post("/todo", body: content, returning: Created.self).response()
                    #expect(created.attempts.count == 1)
                    let todos = try await helium.get("/todo/:id", returning: [Todo].self)
                        .pathReplacements(["id": created.value.id]).value()
                    #expect(todos.map(\.name) == [name])
                }
            }
        }
    }
}
