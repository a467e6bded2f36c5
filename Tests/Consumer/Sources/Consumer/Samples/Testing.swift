import Foundation
import HeliumKit
import HeliumTesting

/// What users' own tests do.
struct TestingSamples {
    let print: Printer

    func mock(api: URL) async throws {
        // README sample: mock
        let transport = MockTransport { request in
            request.url.target == "/todo?selection=%7Bid%2Cname%7D"
                ? .json(#"[{"id": "1", "name": "Tea"}]"#) : .empty(status: 404)
        }
        let helium = try Helium(baseURL: api, environment: ClientEnvironment(transport: transport))
        let todos = try await helium.get("/todo", returning: [Todo].self).value()
        print(todos.map(\.name), transport.requests.map(\.method.rawValue))
        // README sample end
    }

    func clock(_ configuration: HeliumConfiguration, _ transport: MockTransport) async throws {
        // README sample: clock
        var configuration = configuration
        let clock = TestClock(wallTime: .seconds(1_455_264_007))  // stands still until the test moves it
        configuration.environment.transport = transport
        configuration.environment.clock = clock
        let helium = try Helium(configuration)
        try await helium.get("/todo").value()
        clock.advance(by: .seconds(60))
        try await helium.get("/todo").value()
        // README sample end
        await helium.close()
    }
}
