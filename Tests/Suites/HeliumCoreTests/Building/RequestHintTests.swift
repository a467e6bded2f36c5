import Foundation
import HTTPTypes
import HeliumTesting
import Testing

@testable import HeliumCore

/// Tests of the first errors of a new user: each has a clear message, or can't occur.
@Suite("Hints in errors of requests", .timeLimit(.minutes(5)))
struct RequestHintTests {
    private let transport = MockTransport(answers: [.json(#"{"first_name":"Mira"}"#)])

    @Test(
        "an absolute URL as a path is refused with a hint and without its secrets",
        arguments: [
            "https://other.test/x", "http://user:pa55word@other.test/x?token=s3cret", "HTTPS://other.test/x",
            "https://other.test", "https://other.test/:id#s3cret",
        ]
    )
    func absoluteURL(path: String) async throws {
        let pipeline = try makePipeline(transport, baseURL: "https://api.example.com/v1")
        let error = try await failure(of: { try await pipeline.call(.get, path).value() })
        #expect(error.kind == .invalidRequest && error.delivery == .notSent)
        #expect(error.message.contains("absolute URL") && error.message.contains("other.test"))
        #expect(error.request.url.lowercased().hasPrefix("http") && !error.request.url.contains("api.example.com"))
        for secret in ["pa55word", "s3cret"] { #expect(!error.description.contains(secret)) }
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "streams request no content coding by default",
        arguments: [
            (false, nil, true), (true, nil, false), (true, true, true), (false, false, false),
        ] as [(isStream: Bool, wish: Bool?, accepts: Bool)]
    )
    func contentCodings(isStream: Bool, wish: Bool?, accepts: Bool) async throws {
        var call = try makePipeline(transport).call(.get, "/")
        if let wish { call = call.acceptsContentCodings(wish) }
        #expect(try call.prepared(isStream: isStream).request.acceptsContentCodings == accepts)
    }

    @Test("paths with colons and slashes in the query are valid", arguments: ["a?next=https://b", "/a/b:c", "x:y"])
    func paths(path: String) async throws {
        _ = try await makePipeline(transport).call(.get, path).value()
        #expect(transport.requests.count == 1)
    }

    @Test("an error of an invalid request has the path of the base URL")
    func basePath() async throws {
        let pipeline = try makePipeline(transport, baseURL: "https://api.example.com/v1/")
        let error = try await failure(of: { try await pipeline.call(.get, "/shows/:id").value() })
        #expect(error.request.description == "GET https://api.example.com/v1/shows/:id")
    }

    @Test("an idempotency key in the caller's field is the call's key", arguments: [true, false])
    func idempotencyField(isConstant: Bool) async throws {
        let transport = MockTransport(answers: [.empty(status: 503), .empty()])
        let pipeline = try makePipeline(transport, clock: SystemClock(), retry: .quick) {
            $0.methodsWithIdempotencyKeys = [.post]
        }
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        let call = pipeline.call(.post, "/orders")
        let request = isConstant ? call.field(name, "order-7") : call.fields(["idempotency-key": "order-7"])
        let response = try await request.response()
        #expect(response.attempts.count == 2 && response.idempotencyKey?.rawValue == "order-7")
        #expect(transport.requests.map { $0.fields[name] } == ["order-7", "order-7"])
        // What is no key makes nothing safe.
        let error = try await failure(of: {
            try await makePipeline(MockTransport(answers: [.empty(status: 503)]), retry: .quick)
                .call(.post, "/orders").field(name, "").value()
        })
        #expect(error.retryRefusal == .notSafe && error.idempotencyKey == nil)
    }

    @Test("a call may have its own decoder")
    func decoder() async throws {
        struct Person: Decodable, Sendable { let firstName: String }
        struct Custom: BodyDecoder {
            var mediaType: String { "application/vnd.people+json" }
            func decode<Value: Decodable>(_ type: Value.Type, from body: Data, at path: [String]) throws -> Value? {
                var decoder = HeliumJSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                return try decoder.decode(type, from: body, at: path)
            }
        }
        let pipeline = try makePipeline(transport)
        #expect(try await pipeline.get("/", as: Person.self).decoder(Custom()).value().firstName == "Mira")
        let error = try await failure(of: { try await pipeline.get("/", as: Person.self).value() })
        #expect(error.kind == .decodingFailed)
        #expect(transport.requests.map { $0.fields[.accept] } == ["application/vnd.people+json", "application/json"])
    }

    @Test("a body may be a literal of values of different types")
    func literals() async throws {
        let pipeline = try makePipeline(transport)
        try await pipeline.call(.post, "/", ["a": 1, "b": "c", "d": [true, nil], "e": ["f": 1.5]]).value()
        try await pipeline.call(.post, "/", [1, "two"]).value()
        try await pipeline.call(.post, "/").body(["a": 1, "b": "c"]).value()
        try await pipeline.call(.post, "/").body(["a": "b"]).value()
        #expect(
            transport.requests.map(\.bodyText) == [
                #"{"a":1,"b":"c","d":[true,null],"e":{"f":1.5}}"#, #"[1,"two"]"#, #"{"a":1,"b":"c"}"#, #"{"a":"b"}"#,
            ]
        )
        #expect(transport.requests.allSatisfy { $0.fields[.contentType] == "application/json" })
    }
}
