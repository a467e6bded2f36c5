import Foundation
import HeliumKit
import HeliumTesting

/// Samples of users' own tests.
struct TestingSamples {
    let print: Printer

    func mock(api: URL) async throws {
        // sample: mock
        let transport = MockTransport { request in
            request.url.target == "/todo?selection=%7B_id%2Cname%7D"
                ? .json(#"[{"_id": "1", "name": "Tea"}]"#) : .empty(status: 404)
        }
        let helium = try Helium(baseURL: api, environment: ClientEnvironment(transport: transport))
        let todos = try await helium.get("/todo", returning: [Todo].self).value()
        print(todos.map(\.name), transport.requests.map(\.method.rawValue))
        // end of sample
    }

    func clock(_ configuration: HeliumConfiguration, _ transport: MockTransport) async throws {
        // sample: clock
        var configuration = configuration
        let clock = TestClock(wallTime: .seconds(1_455_264_007))  // stands still until the test moves it
        configuration.environment.transport = transport
        configuration.environment.clock = clock
        let helium = try Helium(configuration)
        try await helium.get("/todo").value()
        clock.advance(by: .seconds(60))
        try await helium.get("/todo").value()
        // end of sample
        await helium.close()
    }

    // swift-format-ignore: NeverForceUnwrap
    func faults() async throws {
        // sample: faults
        try await FaultServer.run { _ in
            [.answer(announcing: 100, body: "half"), .reset]
        } during: { server in
            let helium = try Helium(baseURL: URL(string: server.url)!)
            do {
                _ = try await helium.get("/export", returning: Data.self).value()
            } catch let error as HeliumError {
                print(error.kind, error.delivery, server.requests.count)  // connectionLost answered 3
            }
        }
        // end of sample
    }
}
