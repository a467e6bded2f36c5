import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Testing

@Suite("Mock transport: routes", .timeLimit(.minutes(5)))
struct MockRouteTests {
    private let base = "https://api.example.com"

    private func send(
        _ transport: MockTransport,
        _ method: HTTPRequest.Method,
        _ target: String,
        body: String? = nil
    ) async throws -> String {
        try await transport.execute(TransportRequest(method, to: base + target, body: body)).text
    }

    private func send(_ transport: MockTransport, _ target: String) async throws -> String {
        try await send(transport, .get, target)
    }

    @Test("the first matching route of a mock responds")
    func firstFits() async throws {
        let transport = MockTransport()
        transport.on(.get, "/todos/:id") { request in .json(#""\#(request["id"])""#) }
        transport.on(.post, "/todos") { request in .json(request.bodyText, status: 201) }
        transport.on(nil, "/files/*") { request in .json(#""\#(request["*"])""#) }
        #expect(try await send(transport, "/todos/a%20b?x=1") == #""a b""#)
        #expect(try await send(transport, .post, "/todos", body: "[1]") == "[1]")
        #expect(try await send(transport, .delete, "/files/a/b") == #""a/b""#)
        #expect(transport.requests.count == 3 && transport.unmatchedRequests.isEmpty)
        try transport.verify()
    }

    @Test(
        "patterns of a mock match whole decoded paths",
        arguments: [
            ("/a/:b", "/a/x", true), ("/a/:b", "/a/", false), ("/a/:b", "/a/x/y", false), ("/a/:b", "/a", false),
            ("/a b", "/a%20b", true), ("/a/b", "/a%2Fb", false), ("/", "/", true), ("/a/*", "/a", false),
            ("/a/*", "/a/", true), ("/*", "/x/y/z", true), ("a", "/a", true), ("/a", "/A", false), ("/:", "/:", true),
        ]
    )
    func patterns(pattern: String, path: String, fits: Bool) async throws {
        let transport = MockTransport()
        transport.on(.get, pattern) { _ in .empty() }
        let status = try? await transport.execute(TransportRequest(to: base + path)).head.status
        #expect((status == 204) == fits)
    }

    @Test("conditions of a mock narrow a route")
    func conditions() async throws {
        let transport = MockTransport()
        transport.on(.get, "/q", .query("limit", "5"), .query("after")) { _ in .json("1") }
        transport.on(.get, "/h", .field(.authorization, "Bearer t0ken"), .field(.accept)) { _ in .json("2") }
        transport.on(.post, "/b", .json(encoding: ["name": "Tea"])) { _ in .json("3") }
        transport.on(.post, "/b", .jsonMembers(encoding: ["name": "Milk"])) { _ in .json("4") }
        transport.on(.post, "/b", .body("plain")) { _ in .json("5") }
        transport.on(.post, "/b", .custom("a long body") { $0.body?.count ?? 0 > 100 }) { _ in .json("6") }
        #expect(try await send(transport, "/q?after=&limit=5") == "1")
        var request = try TransportRequest(to: base + "/h")
        request.fields = [.authorization: "Bearer t0ken", .accept: "a/b"]
        #expect(try await transport.execute(request).text == "2")
        #expect(try await send(transport, .post, "/b", body: #" { "name" : "Tea" } "#) == "3")
        #expect(try await send(transport, .post, "/b", body: #"{"name":"Milk","n":1}"#) == "4")
        #expect(try await send(transport, .post, "/b", body: "plain") == "5")
        #expect(try await send(transport, .post, "/b", body: String(repeating: "x", count: 101)) == "6")

        let failure = try await transport.failure(TransportRequest(.get, to: base + "/q?limit=6&key=s3cret"))
        #expect(failure.kind == .unmatchedRequest && failure.delivery == .notSent)
        #expect(failure.message.contains("GET /q: it does not have the query parameter limit=5"))
        request.fields = [:]
        let unauthorized = try await transport.failure(request)
        for message in [failure.message, unauthorized.message] {
            #expect(!message.contains("s3cret") && !message.contains("t0ken"))
        }
        #expect(transport.unmatchedRequests.count == 2)
    }

    @Test("conditions of a mock take JSON as text, as bytes and as a value")
    func jsonConditions() async throws {
        let transport = MockTransport()
        transport.on(.post, "/", .json(#"{"a": 1}"#)) { _ in .json("1") }
        transport.on(.post, "/", .json(bytes: Data("[2]".utf8))) { _ in .json(bytes: Data("2".utf8)) }
        transport.on(.post, "/", .json(encoding: "Tea")) { _ in .json("3") }
        transport.on(.post, "/", .jsonMembers(#"{"b": 1}"#)) { _ in .json("4") }
        transport.on(.post, "/", .jsonMembers(bytes: Data(#"{"c": 1}"#.utf8))) { _ in .json("5") }
        let cases = [
            (#"{"a":1}"#, "1"), ("[ 2 ]", "2"), (#""Tea""#, "3"), (#"{"b":1,"x":0}"#, "4"), (#"{"c":1,"x":0}"#, "5"),
        ]
        for (body, answer) in cases { #expect(try await send(transport, .post, "/", body: body) == answer) }

        let mistaken = MockTransport()
        mistaken.on(.post, "/", .json("Tea")) { _ in .json("never") }
        let failure = try await mistaken.failure(TransportRequest(.post, to: base + "/", body: "Tea"))
        #expect(failure.message.contains("the expected JSON body, which is not valid JSON"))
    }

    @Test("a route of a mock is used up to its number, and missing requests are reported")
    func times() async throws {
        let transport = MockTransport()
        transport.on(.get, "/x", times: .exactly(1)) { _ in .json("1") }
        transport.on(.get, "/x", times: .atMost(1)) { _ in .json("2") }
        transport.on(.get, "/y", times: .atLeastOnce) { _ in .empty() }
        transport.on(.get, "/z", times: .exactly(2)) { _ in .empty() }
        #expect(try await send(transport, "/x") == "1")
        #expect(try await send(transport, "/x") == "2")
        #expect(
            try await transport.failure(TransportRequest(to: base + "/x?q=v4lue")).message.contains(
                "it has already received its 1"
            )
        )
        _ = try await send(transport, "/z")
        let missing = #expect(throws: MockTransport.VerificationFailure.self) { try transport.verify() }
        #expect(missing?.unmetExpectations == ["GET /y received 0 of 1 requests", "GET /z received 1 of 2 requests"])
        #expect(missing?.unmatchedRequests == ["GET \(base)/x?q=***"])
        #expect(missing?.description.contains("v4lue") == false)
    }

    @Test("a mock in strict order uses a route after the one before is used up")
    func strictOrder() async throws {
        let transport = MockTransport(order: .strict)
        transport.on(.get, "/a", times: .exactly(1)) { _ in .json("1") }
        transport.on(.get, "/b") { _ in .json("2") }
        transport.on(.get, "/c", times: .exactly(1)) { _ in .json("3") }
        #expect(try await transport.failure(TransportRequest(to: base + "/c")).message.contains("it must come first"))
        #expect(try await send(transport, "/a") == "1")
        #expect(try await send(transport, "/c") == "3")
        #expect(try await transport.failure(TransportRequest(to: base + "/b")).kind == .unmatchedRequest)
    }

    @Test("a request without a route goes to the mock's closure")
    func fallback() async throws {
        let transport = MockTransport { _ in .json("else") }
        transport.on(.get, "/a") { _ in .json("a") }
        #expect(try await send(transport, "/a") == "a")
        #expect(try await send(transport, "/b") == "else")
        #expect(transport.unmatchedRequests.isEmpty)
    }

    @Test("requests of a mock are read as JSON")
    func json() async throws {
        struct Todo: Codable { var name: String }
        let transport = MockTransport()
        transport.on(.post, "/todos") { request throws(TransportFailure) in
            guard let todo = try? request.request.bodyJSON(as: Todo.self) else { return .empty(status: 400) }
            return try .json(encoding: Todo(name: todo.name + "!"), status: 201)
        }
        #expect(try await send(transport, .post, "/todos", body: #"{"name":"Tea"}"#) == #"{"name":"Tea!"}"#)
        #expect(try await send(transport, .post, "/todos", body: "no") == "")
    }
}

@Suite("Mock transport: bodies", .timeLimit(.minutes(5)))
struct MockBodyTests {
    private func request(_ mode: ResponseBodyMode) throws -> TransportRequest {
        try TransportRequest(to: "https://api.example.com/").with { $0.responseBody = mode }
    }

    @Test(
        "a body of a mock is delivered as requested, collected or streamed",
        arguments: [ResponseBodyMode.collect(upTo: 6), .stream]
    )
    func delivery(mode: ResponseBodyMode) async throws {
        for answer in [TransportResponse.json("onetwo"), .streaming(["one", "", "two"])] {
            let response = try await MockTransport { _ in answer }.execute(request(mode))
            if case .collected = response.body { #expect(mode != .stream) } else { #expect(mode == .stream) }
            #expect(try await response.text == "onetwo")
        }
    }

    @Test("limits apply to responses of a mock")
    func ceiling() async throws {
        for answer in [TransportResponse.json("onetwo"), .streaming(["one", "two"])] {
            let failure = try await MockTransport { _ in answer }.failure(request(.collect(upTo: 5)))
            #expect(failure.kind == .ceilingExceeded && failure.ceiling == .bodyBytes)
        }
    }

    @Test("a gate of a mock lets chunk by chunk pass")
    func gate() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport { _ in .streaming(["one", "two"], gate: gate) }
        guard case .stream(let stream) = try await transport.execute(request(.stream)).body else { return }
        let reader = Task {
            var chunks: [String] = []
            for try await chunk in stream { chunks.append(String(decoding: chunk, as: UTF8.self)) }
            return chunks
        }
        for count in 1...3 {
            await gate.waitForArrivals(count)
            gate.open()
        }
        #expect(try await reader.value == ["one", "two"])
    }

    @Test("a mock's stream that breaks off delivers the bytes before")
    func failure() async throws {
        let lost = TransportFailure(.connectionLost, delivery: .answered, message: "cut")
        let transport = MockTransport { _ in .streaming(["one"], failure: lost) }
        guard case .stream(let stream) = try await transport.execute(request(.stream)).body else { return }
        var received = ""
        let failure = await #expect(throws: TransportFailure.self) {
            for try await chunk in stream { received += String(decoding: chunk, as: UTF8.self) }
        }
        #expect(failure?.kind == .connectionLost && received == "one")
    }

    @Test("a mock's failure after the head has the head and the beginning of the body", arguments: [true, false])
    func failureAfterHead(isCut: Bool) async throws {
        let lost = TransportFailure(.connectionLost, delivery: .answered, message: "cut")
        let transport = MockTransport { _ in
            isCut ? .streaming(["one"], status: 401, failure: lost) : .json(#""too long""#, status: 401)
        }
        let failure = try await transport.failure(request(.collect(upTo: 3)))
        #expect(failure.kind == (isCut ? .connectionLost : .ceilingExceeded))
        #expect(failure.response?.head.status == 401)
        guard case .collected(let body)? = failure.response?.body else {
            Issue.record("no collected body")
            return
        }
        #expect(String(decoding: body, as: UTF8.self) == (isCut ? "one" : #""to"#))
    }

    @Test("a mock's gate learns that the reader was cancelled or left")
    func abandonment() async throws {
        for leaves in [true, false] {
            let gate = MockTransport.Gate()
            let transport = MockTransport { _ in .streaming(["one", "two"], gate: gate) }
            let request = try request(.stream)
            let reader = Task {
                guard case .stream(let stream) = try await transport.execute(request).body else { return }
                for try await _ in stream where leaves { return }
            }
            await gate.waitForArrivals()
            if leaves { gate.open() } else { reader.cancel() }
            await gate.waitUntilAbandoned()
            #expect(gate.isAbandoned)
            let result = await reader.result
            if !leaves { #expect(throws: CancellationError.self) { try result.get() } }
        }
    }

    @Test("a call that waits at a mock's gate is cancelled at once")
    func cancelledCall() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport { _ throws(TransportFailure) in
            try await gate.pass()
            return .empty()
        }
        let request = try request(.stream)
        let call = Task { try await transport.execute(request) }
        await gate.waitForArrivals()
        call.cancel()
        let failure = await #expect(throws: TransportFailure.self) { try await call.value }
        #expect(failure?.kind == .cancelled)
    }

    @Test("a stream that is read to its end, or fails, is not abandoned", arguments: [true, false])
    func ended(fails: Bool) async throws {
        let gate = MockTransport.Gate()
        gate.openPermanently()
        let failure = TransportFailure(.connectionLost, delivery: .answered, message: "cut")
        let transport = MockTransport { _ in .streaming(["one"], gate: gate, failure: fails ? failure : nil) }
        if fails {
            _ = try await transport.failure(request(.stream))
        } else {
            #expect(try await transport.execute(request(.stream)).text == "one")
        }
        #expect(!gate.isAbandoned)
    }

    @Test("abandoning one stream at a mock's gate does not end another")
    func otherStream() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport { _ in .streaming(["one"], gate: gate) }
        let request = try request(.stream)
        let kept = Task { try await transport.execute(request).text }
        await gate.waitForArrivals()
        let left = Task { try await transport.execute(request).text }
        await gate.waitForArrivals(2)
        left.cancel()
        await gate.waitUntilAbandoned()
        await #expect(throws: (any Error).self) { try await left.value }
        gate.openPermanently()
        #expect(try await kept.value == "one")
    }

    @Test("a streamed response that a mock repeats has its whole body each time", arguments: [true, false])
    func repeats(isStream: Bool) async throws {
        let transport = MockTransport(answers: [.streaming(["one", "two"])])
        let request = try request(isStream ? .stream : .collect(upTo: 100))
        for _ in 0..<3 { #expect(try await transport.execute(request).text == "onetwo") }
    }
}
