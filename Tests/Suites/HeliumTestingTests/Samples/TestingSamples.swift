import Foundation
import HTTPTypes
import HeliumCurl
import HeliumKit
import HeliumTesting
import Testing

private struct Todo: Codable, Sendable {
    var id: String
}

/// Code of a user, to be tested: asks until the answer is there, with growing pauses.
private func pollUntilReady(_ transport: any HTTPTransport, clock: any HeliumClock) async throws -> Int {
    var pause = Duration.seconds(1)
    while true {
        let request = TransportRequest(method: .get, url: try RequestURL("https://api.example.com/job"))
        let status = try await transport.execute(request).head.status
        if status != 202 { return status }
        try await clock.sleep(for: pause)
        pause *= 2
    }
}

/// Code of a user, to be tested: reads a stream to its end.
private func readAll(_ transport: any HTTPTransport) async throws -> Int {
    var request = TransportRequest(method: .get, url: try RequestURL("https://api.example.com/feed"))
    request.responseBody = .stream
    guard case .stream(let stream) = try await transport.execute(request).body else { return 0 }
    var count = 0
    for try await chunk in stream { count += chunk.count }
    return count
}

/// The samples of the articles of `HeliumTesting`, as they stand there.
@Suite("Samples: testing", .timeLimit(.minutes(5)))
struct TestingSamples {
    private func apiURL() throws -> URL { try #require(URL(string: "https://api.example.com")) }

    @Test("sample of testing: delays")
    func pauses() async throws {
        let transport = MockTransport(answers: [.empty(status: 202), .empty(status: 202), .empty(status: 200)])
        // sample
        let clock = TestClock(skippingSleepsUpTo: .seconds(30))
        let status = try await pollUntilReady(transport, clock: clock)
        #expect(status == 200)
        #expect(clock.requestedSleeps == [.seconds(1), .seconds(2)])
        // end of sample
    }

    @Test("sample of testing: timeouts")
    func timeouts() async throws {
        let api = try apiURL()
        // sample
        let clock = TestClock()
        let gate = MockTransport.Gate()  // stays closed: the answer never comes
        let transport = MockTransport { _ throws(TransportFailure) in
            try await gate.pass()
            return .empty()
        }
        let helium = try Helium(baseURL: api, environment: ClientEnvironment(transport: transport, clock: clock))
        let call = Task { try await helium.get("/slow").timeout(.seconds(5)).value() }
        await gate.waitForArrivals()
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: HeliumError.self) { try await call.value }
        #expect(error?.kind == .timedOut && error?.delivery == .maybeSent)
        // end of sample
        await helium.close()
    }

    @Test("sample of testing: cancellation")
    func cancellation() async throws {
        // sample
        let gate = MockTransport.Gate()
        let transport = MockTransport { _ in .streaming(["one", "two"], gate: gate) }
        let reader = Task { try await readAll(transport) }
        await gate.waitForArrivals()
        reader.cancel()
        await gate.waitUntilAbandoned()  // the stream was let go of
        await #expect(throws: CancellationError.self) { try await reader.value }
        // end of sample
    }

    @Test("sample of testing: routes")
    func routes() async throws {
        let api = try apiURL()
        // sample
        let transport = MockTransport()
        transport.on(.get, "/todos/:id") { request in .json(#"{"id":"\#(request["id"])"}"#) }
        transport.on(.post, "/todos", .json(encoding: ["name": "Tea"]), times: .exactly(1)) { _ in .empty(status: 201) }
        let helium = try Helium(baseURL: api, environment: ClientEnvironment(transport: transport))
        let todo = try await helium.get("/todos/7", returning: Todo.self).value()
        try await helium.post("/todos", body: ["name": "Tea"]).value()
        #expect(todo.id == "7")
        try transport.verify()
        // end of sample
        await helium.close()
    }

    @Test("sample of testing: faults")
    func faults() async throws {
        let transport = CurlTransport()
        // sample
        try await FaultServer.run(faults: [.resetBeforeHeaders, .unavailable(retryAfter: .seconds(1)), .healthy]) {
            server in
            let request = TransportRequest(method: .get, url: try RequestURL(server.url + "/export"))
            let failure = await #expect(throws: TransportFailure.self) { try await transport.execute(request) }
            #expect(failure?.kind == .connectionLost && failure?.delivery == .maybeSent)
            #expect(try await transport.execute(request).head.status == 503)
            #expect(try await transport.execute(request).head.status == 200)
            #expect(server.requests.map(\.path) == ["/export", "/export", "/export"])
        }
        // end of sample
        await transport.shutdown()
    }

    @Test("sample of testing: record and replay")
    func recordAndReplay() async throws {
        let api = try apiURL()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let transport = MockTransport { _ in .json(#"[{"id":"7"}]"#) }
        let authorizer = try FieldAuthorizer(name: .authorization, prefix: "Bearer ", secret: "s3cret-token")
        try await record(api, file, transport, authorizer)
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("s3cret"))
        try await replay(api, file)
    }

    private func record(_ api: URL, _ file: URL, _ transport: MockTransport, _ authorizer: FieldAuthorizer) async throws
    {
        // sample
        let recording = RecordingTransport(wrapping: transport, authorizer: authorizer)
        let helium = try Helium(
            baseURL: api,
            authorizer: authorizer,
            environment: ClientEnvironment(transport: recording)
        )
        _ = try await helium.get("/todos", returning: [Todo].self).value()
        try recording.save(to: file)
        // end of sample
        await helium.close()
    }

    private func replay(_ api: URL, _ file: URL) async throws {
        // sample
        let replay = try ReplayTransport(HAR(contentsOf: file))
        let helium = try Helium(baseURL: api, environment: ClientEnvironment(transport: replay))
        let todos = try await helium.get("/todos", returning: [Todo].self).value()
        #expect(todos.map(\.id) == ["7"] && replay.unusedEntries.isEmpty)
        // end of sample
        await helium.close()
    }
}
