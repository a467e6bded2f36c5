import HeliumServer
import HeliumServerTesting
import Testing

@testable import HeliumServerKit

@Suite("Description of the request log", .timeLimit(.minutes(1)))
struct RequestLogTests {
    @Test("the description of the request log has a line for each request, without its query")
    func description() async throws {
        try await withAppNet { alice in
            _ = try await alice.send("GET", "config?access_token=s3cret")
            _ = try await alice.send("GET", "/nowhere")
            #expect("\(alice.running.requests)" == "GET /stream/0/config 200\nGET /nowhere 404")
        }
    }
}
