import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import HeliumServerKit

@Suite("Description of the request log", .timeLimit(.minutes(5)))
struct RequestLogTests {
    @Test("the description of the request log has a line for each request, without its query")
    func description() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            _ = try await peer.send("GET", "/demo-auth/v1/services?access_token=s3cret")
            _ = try await peer.send("GET", "/nowhere")
            #expect("\(running.requests)" == "GET /demo-auth/v1/services 200\nGET /nowhere 404")
        }
    }
}
