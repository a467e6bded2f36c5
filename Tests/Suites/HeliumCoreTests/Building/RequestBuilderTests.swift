import Foundation
import HTTPTypes
import HeliumCore
import HeliumKit
import HeliumTesting
import Synchronization
import Testing

private struct Draft: Codable, Sendable { var name: String; var at: Date? }
private struct Unencodable: Encodable, Sendable {
    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: "never"))
    }
}

private struct Show: Decodable, Sendable, FieldsSelector {
    static let selectionString = "{id,titles{default},images(subType:\"cover,logo\"){url}}"
    var id: Int
}

@Suite("Request builder", .timeLimit(.minutes(5)))
struct RequestBuilderTests {
    private let transport = MockTransport(answers: [.json("{}")])

    private func sent(_ build: (Pipeline) -> RequestBuilder<some Sendable>) async throws -> TransportRequest {
        _ = try await build(makePipeline(transport, baseURL: "https://api.example.com/v1")).response()
        return try #require(transport.requests.last)
    }

    @Test("a request builder sends method, URL, fields and limits as built")
    func everything() async throws {
        let request = try await sent {
            $0.call(.put, "/todo/:id", .json("{}")).pathReplacements(["id": 7]).parameters([
                "b": 1, "a": "x",
            ])
            .fields(["X-Trace": "t", "User-Agent": nil]).timeout(.seconds(5)).bodyLimit(99).httpVersion(.http1)
        }
        #expect(request.method == .put)
        #expect(request.url.absoluteString == "https://api.example.com/v1/todo/7?a=x&b=1")
        #expect(request.fields[.init(constant: "x-trace")] == "t")
        #expect(request.fields[.userAgent] == nil)
        #expect(request.fields[.contentType] == "application/json")
        #expect(request.timeouts.total == .seconds(5))
        #expect(request.responseBody == .collect(upTo: 99))
        #expect(request.version == .http1)
    }

    @Test("a request builder sends Accept only if the response is decoded")
    func accept() async throws {
        #expect(try await sent { $0.get("/", as: [String: Int].self) }.fields[.accept] == "application/json")
        #expect(try await sent { $0.get("/", as: Data.self) }.fields[.accept] == nil)
        #expect(try await sent { $0.call(.delete, "/") }.fields[.accept] == nil)
        #expect(try await sent { $0.get("/", as: Data.self) }.fields[.userAgent]?.hasPrefix("Helium/") == true)
    }

    @Test("a request builder sends every kind of content with its media type")
    func content() async throws {
        func check(_ content: RequestContent, _ type: String?, _ body: String) async throws {
            let request = try await sent { $0.call(.post, "/", content) }
            #expect(request.fields[.contentType] == type)
            #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == body)
        }
        let draft = Draft(name: "a/\u{E4}", at: Date(timeIntervalSince1970: 0.5))
        try await check(.json(encoding: draft), "application/json", #"{"at":"1970-01-01T00:00:00.500Z","name":"a/ä"}"#)
        try await check(RequestContent(draft), "application/json", #"{"at":"1970-01-01T00:00:00.500Z","name":"a/ä"}"#)
        try await check(.json("[1, 2]"), "application/json", "[1, 2]")
        try await check(.json(bytes: Data("[1, 2]".utf8)), "application/json", "[1, 2]")
        try await check(.json(encoding: "hi"), "application/json", #""hi""#)
        try await check(.text("hi"), "text/plain; charset=utf-8", "hi")
        try await check(RequestContent("hi"), "text/plain; charset=utf-8", "hi")
        try await check(.bytes(Data("b".utf8)), "application/octet-stream", "b")
        try await check(RequestContent(Data("b".utf8)), "application/octet-stream", "b")
        try await check(.bytes(Data("b".utf8), contentType: nil), nil, "b")
        try await check(
            .form(["b": "x y&z", "a": [1, 2]]),
            "application/x-www-form-urlencoded",
            "a=1&a=2&b=x%20y%26z"
        )
        try await check(.form([:]), "application/x-www-form-urlencoded", "")
    }

    @Test("a request builder adds the selection of a type unless the caller set one")
    func selection() async throws {
        let transport = MockTransport(answers: [.json(#"[{"id":1}]"#)])
        let pipeline = try makePipeline(transport)
        _ = try await pipeline.get("/", as: [Show].self).value()
        _ = try await pipeline.get("/", as: [Show]?.self).parameters(["selection": "{id}"]).value()
        _ = try await makePipeline(transport) { $0.selectionParameter = "fields" }.get("/", as: [Show].self).value()
        let targets = transport.requests.map(\.url.target)
        #expect(
            targets[0]
                == "/?selection=%7Bid%2Ctitles%7Bdefault%7D%2Cimages%28subType%3A%22cover%2Clogo%22%29%7Burl%7D%7D"
        )
        #expect(targets[1] == "/?selection=%7Bid%7D")
        #expect(targets[2].hasPrefix("/?fields="))
    }

    @Test("a step of a request builder changes the copy only")
    func values() async throws {
        let pipeline = try makePipeline(transport)
        let base = pipeline.call(.get, "/todo/:id")
        let first = base.pathReplacements(["id": 1])
        let second = base.pathReplacements(["id": 2]).parameters(["x": 1])
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 {
                group.addTask { try await first.value() }
                group.addTask { try await second.value() }
            }
            try await group.waitForAll()
        }
        let targets = transport.requests.map(\.url.target)
        #expect(targets.filter { $0 == "/todo/1" }.count == 10)
        #expect(targets.filter { $0 == "/todo/2?x=1" }.count == 10)
    }

    @Test("the later of two steps of a request builder counts")
    func merging() async throws {
        let request = try await sent {
            $0.call(.get, "/:a/:b").pathReplacements(["a": 1, "b": 2]).pathReplacements(["b": 3])
                .parameters(["x": 1, "y": 2]).parameters(["y": nil, "z": 3]).field(.accept, "a/b").field(
                    .accept,
                    "c/d"
                )
        }
        #expect(request.url.target == "/v1/1/3?x=1&z=3")
        #expect(request.fields[.accept] == "c/d")
    }

    @Test("a request builder takes dictionaries that are not literals")
    func dictionaries() async throws {
        let replacements = ["id": "a"]
        let parameters = ["x": 1]
        let request = try await sent {
            $0.call(.get, "/:id").pathReplacements(replacements).parameters(parameters)
        }
        #expect(request.url.target == "/v1/a?x=1")
    }

    @Test("an invalid step of a request builder is an error before any I/O")
    func refusals() async throws {
        let pipeline = try makePipeline(transport)
        let calls: [(RequestBuilder<Void>, FailureKind, String)] = [
            (pipeline.call(.get, "/:id"), .invalidRequest, ":id"),
            (pipeline.call(.get, "/").pathReplacements(["id": 1]), .invalidRequest, "\"id\""),
            (pipeline.call(.get, "/").fields(["bad name": "x"]), .invalidRequest, "bad name"),
            (pipeline.call(.get, "/").fields(["x": "a\r\nInjected: 1"]), .invalidRequest, "\"x\""),
            (pipeline.call(.get, "/").fields(["Host": "evil"]), .invalidRequest, "Host"),
            (pipeline.call(.get, "/").fields(["Content-Length": "1"]), .invalidRequest, "Content-Length"),
            (pipeline.call(.get, "/").parameters(["r": Double.infinity]), .invalidRequest, "\"r\""),
            (pipeline.call(.post, "/", .json(encoding: Unencodable())), .encodingFailed, "Unencodable"),
        ]
        for (call, kind, part) in calls {
            let error = try await failure(of: { try await call.response() })
            #expect(error.kind == kind && error.message.contains(part), "\(error)")
            #expect(error.delivery == .notSent && error.attempts.isEmpty)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("a completion handler is called once, for a success, a failure and a cancellation")
    func completion() async throws {
        let pipeline = try makePipeline(transport)
        let calls = Guarded<[String]>([])
        await pipeline.get("/", as: [String: Int].self).completion { result in
            calls.withLock { $0.append((try? result.get().status).map(String.init) ?? "?") }
        }.finish()
        await pipeline.call(.get, "/:missing").completion { result in
            if case .failure(let error) = result { calls.withLock { $0.append(error.kind.rawValue) } }
        }.finish()

        let (entered, enter) = AsyncStream<Void>.makeStream()
        let hanging = MockTransport { _ throws(TransportFailure) in
            enter.yield()
            do { try await Task.sleep(for: .seconds(60)) } catch {
                throw TransportFailure(.cancelled, delivery: .maybeSent, message: "cancelled")
            }
            return .empty()
        }
        let task = try makePipeline(hanging).call(.get, "/").completion { result in
            if case .failure(let error) = result {
                calls.withLock { $0.append("\(error.kind) \(error.delivery.rawValue)") }
            }
        }
        for await _ in entered { break }
        task.cancel()
        await task.finish()
        #expect(calls.withLock { $0 } == ["200", "invalidRequest", "cancelled maybeSent"])
    }

    @Test("an async call throws CancellationError, and a call that is cancelled before sends nothing")
    func cancellation() async throws {
        let call = try makePipeline(transport).call(.get, "/")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await call.value()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(transport.requests.isEmpty)
    }

    @Test("the description of a request builder shows neither values nor body")
    func description() async throws {
        let builder = try makePipeline(transport).call(.post, "/:id", .text("b0dy"))
            .pathReplacements(["id": "v4lue"]).parameters(["q": "v4lue"]).fields(["x": "v4lue"])
        var dumped = ""
        dump(builder, to: &dumped)
        #expect("\(builder)" == "POST /:id")
        #expect(!dumped.contains("v4lue") && !dumped.contains("b0dy"))
    }
}
