import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import TestSupport
import Testing

/// The samples of the article "A request as a cURL command".
@Suite("Samples: cURL command")
struct CurlCommandSamples {
    @Test("sample of a cURL command: a request is shown, and can be run")
    func sample() async throws {
        let api = try #require(URL(string: "https://api.example.com"))
        let authorizer = try FieldAuthorizer(name: .authorization, prefix: "Bearer ", secret: "s3cret-token")
        let transport = MockTransport()
        let helium = try Helium(
            baseURL: api,
            authorizer: authorizer,
            environment: ClientEnvironment(transport: transport)
        )
        let print = Printer()
        // sample
        let request = helium.post("/todos", body: ["name": "Tea"])
        print(try await request.curlCommand())
        // end of sample
        let shown = try #require(print.output.first)
        #expect(shown.contains(#"--data-raw '{"name":"Tea"}'"#) && shown.hasSuffix("'https://api.example.com/todos'"))
        #expect(!shown.contains("s3cret"))
        // sample
        let command = try await request.curlCommand(showingSecrets: true, authorized: true)
        // end of sample
        #expect(command.contains("--header 'Authorization: Bearer s3cret-token'"))
        #expect(transport.requests.isEmpty)
        await helium.close()
    }
}
