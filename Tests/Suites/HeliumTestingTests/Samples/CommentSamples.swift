import Foundation
import HeliumCurl
import HeliumKit
import HeliumTesting
import Testing

/// The samples of doc comments that no article has, run.
@Suite("Samples: doc comments of HeliumTesting", .timeLimit(.minutes(5)))
struct CommentSamples {
    @Test("sample in HeliumTesting's doc comments: half of a body")
    func halfBody() async throws {
        let transport = CurlTransport()
        func fetch(_ url: String) async throws {
            _ = try await transport.execute(TransportRequest(method: .get, url: RequestURL(url)))
        }
        // sample
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"
        try await FaultServer.run { _ in
            [.send(half), .reset]
        } during: { server in
            await #expect(throws: TransportFailure.self) { try await fetch(server.url) }
            #expect(server.requests.count == 1)
        }
        // end of sample
        await transport.shutdown()
    }

    @Test("sample in HeliumTesting's doc comments: a timeout on a test clock")
    func timeLimit() async throws {
        let clock = TestClock()
        let gate = MockTransport.Gate()
        let transport = MockTransport { _ throws(TransportFailure) in
            try await gate.pass()
            return .empty()
        }
        let helium = try Helium(
            baseURL: #require(URL(string: "https://api.example.com")),
            environment: ClientEnvironment(transport: transport, clock: clock)
        )
        // sample
        let call = Task { try await helium.get("/slow").timeout(.seconds(60)).value() }
        await clock.waitForDeadlines()
        clock.advance(by: .seconds(60))
        // end of sample
        let error = await #expect(throws: HeliumError.self) { try await call.value }
        #expect(error?.kind == .timedOut)
        await helium.close()
    }

    @Test("sample in HeliumTesting's doc comments: an environment of stand-ins")
    func environment() async throws {
        // sample
        let clock = TestClock()
        let environment = ClientEnvironment(transport: MockTransport(answers: [.empty()]), clock: clock)
        // end of sample
        let helium = try Helium(baseURL: #require(URL(string: "https://api.example.com")), environment: environment)
        try await helium.get("/todos").value()
        await helium.close()
    }
}
