import HeliumServer
import HeliumServerTesting
import Testing

@testable import HeliumServerKit

@Suite("The log of requests, printed", .timeLimit(.minutes(1)))
struct RequestLogTests {
    @Test("has a line for each, without its query")
    func description() async throws {
        try await withAppNet { alice in
            _ = try await alice.send("GET", "config?access_token=s3cret")
            _ = try await alice.send("GET", "/nowhere")
            #expect("\(alice.running.requests)" == "GET /stream/0/config 200\nGET /nowhere 404")
        }
    }
}
