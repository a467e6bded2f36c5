import Foundation
import HTTPTypes
import HeliumCore
import HeliumKit
import HeliumTesting
import Testing

private struct Show: Codable, Equatable, Sendable {
    var id: Int
    var title: String?
    var created: Date?
}

@Suite("Decoding of responses")
struct DecodingTests {
    private func value<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        _ body: String,
        status: Int = 200,
        envelope: ResponseEnvelope = .middleware
    ) async throws -> Value {
        let transport = MockTransport(answers: [.json(body, status: status)])
        return try await makePipeline(transport) { $0.envelope = envelope }.get("/", as: type).value()
    }

    @Test("a response is decoded from the envelope's member")
    func envelope() async throws {
        #expect(try await value(Show.self, #"{"status":200,"response":{"id":1}}"#) == Show(id: 1))
        #expect(try await value([Show].self, #"{"status":200,"response":[{"id":1},{"id":2}]}"#).map(\.id) == [1, 2])
    }

    @Test("a response is decoded from the document, a member, or a nested member")
    func otherEnvelopes() async throws {
        #expect(try await value(Show.self, #"{"id":1}"#, envelope: .raw) == Show(id: 1))
        #expect(try await value([Int].self, #"{"data":[1]}"#, envelope: .member("data")) == [1])
        let deep = ResponseEnvelope(valuePath: ["a", "b"])
        #expect(try await value(Int.self, #"{"a":{"b":7}}"#, envelope: deep) == 7)
        #expect(try await value(Int?.self, #"{"a":null}"#, envelope: deep) == nil)
    }

    @Test(
        "dates with and without a fraction are decoded",
        arguments: ["2016-02-12T08:00:07Z", "2016-02-12T09:00:07.000+01:00"]
    )
    func dates(text: String) async throws {
        let show = try await value(Show.self, #"{"response":{"id":1,"created":"\#(text)"}}"#)
        #expect(show.created == Date(timeIntervalSince1970: 1_455_264_007))
    }

    @Test("a missing response decodes as nil, false or 0")
    func falsy() async throws {
        #expect(try await value(Show?.self, #"{"status":200}"#) == nil)
        #expect(try await value(Show?.self, #"{"status":200,"response":null}"#) == nil)
        #expect(try await value(Bool.self, #"{"status":200}"#) == false)
        #expect(try await value(Int.self, #"{"status":200}"#) == 0)
        try await falsyNumbers(Int8.self, Int16.self, Int32.self, Int64.self, Int128.self)
        try await falsyNumbers(UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self)
        try await falsyNumbers(Float.self, Double.self, Decimal.self)
        #expect(try await value(JSONNumber.self, #"{"status":200}"#) == 0)
        let error = try await failure(of: { try await value(Show.self, #"{"status":200}"#) })
        #expect(error.kind == .emptyResponse)
        let raw = try await failure(of: {
            try await value(Bool.self, #"{"status":200}"#, envelope: .member("response"))
        })
        #expect(raw.kind == .emptyResponse)
    }

    private func falsyNumbers<each Number: Numeric & Decodable & Sendable>(_ types: repeat (each Number).Type)
        async throws
    {
        for type in repeat each types { #expect(try await value(type, #"{"status":200}"#) == .zero) }
    }

    @Test("an empty response is nil or an error with the reason", arguments: [200, 204, 205])
    func empty(status: Int) async throws {
        #expect(try await value(Show?.self, "", status: status) == nil)
        let error = try await failure(of: { try await value(Show.self, "", status: status) })
        #expect(error.kind == .emptyResponse && error.status == status && error.delivery == .answered)
        #expect(error.message.contains("Show"))
    }

    @Test("bytes and text of a response are returned unchanged")
    func plain() async throws {
        #expect(try await value(Data.self, #"{"a":1}"#) == Data(#"{"a":1}"#.utf8))
        #expect(try await value(String.self, #"{"a":1}"#) == #"{"a":1}"#)
        let transport = MockTransport(
            answers: [
                TransportResponse(
                    head: ResponseHead(status: 200, fields: [.contentType: "text/plain; charset=ISO-8859-1"]),
                    body: .collected(Data([0xE4]))
                ),
                TransportResponse(head: ResponseHead(status: 200, fields: [:]), body: .collected(Data([0xE4]))),
            ]
        )
        let pipeline = try makePipeline(transport)
        #expect(try await pipeline.get("/", as: String.self).value() == "\u{E4}")
        let error = try await failure(of: { try await pipeline.get("/", as: String.self).value() })
        #expect(error.kind == .decodingFailed)
    }

    @Test("a decoding error has type, coding path, status, content type and the beginning of the body")
    func story() async throws {
        let error = try await failure(of: { try await value([Show].self, #"{"response":[{"id":1},{"id":"x"}]}"#) })
        #expect(error.kind == .decodingFailed)
        #expect(error.decoding?.type == "Array<Show>")
        #expect(error.decoding?.codingPath == "response.1.id")
        #expect(error.status == 200)
        for part in ["Show", "response.1.id", "200", "application/json", #"{"response":[{"id":1}"#] {
            #expect(error.description.contains(part), "\(part)")
        }
    }

    @Test("HTML instead of JSON is reported as such")
    func html() async throws {
        let page = "<html><body>Bad gateway</body></html>"
        let transport = MockTransport(
            answers: [
                TransportResponse(
                    head: ResponseHead(status: 200, fields: [.contentType: "text/html"]),
                    body: .collected(Data(page.utf8))
                )
            ]
        )
        let error = try await failure(of: { try await makePipeline(transport).get("/", as: Show.self).value() })
        #expect(error.kind == .decodingFailed)
        #expect(error.description.contains("text/html") && error.description.contains("Bad gateway"))
    }
}
