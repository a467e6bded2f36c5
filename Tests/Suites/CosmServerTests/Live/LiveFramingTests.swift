import HeliumJSON
import HeliumServer
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Objects in a live client's bytes")
struct ObjectSplitterTests {
    private func objects(_ events: [ObjectSplitter.Event]) -> [String] {
        events.map { event in
            switch event {
            case .object(let bytes): String(decoding: bytes, as: UTF8.self)
            case .tooLong: "too long"
            case .unreadable: "unreadable"
            case .tooMuchSpace: "too much space"
            }
        }
    }

    @Test("objects without delimiters are found in a live client's bytes, however they are cut", arguments: 0..<30)
    func finds(_ seed: Int) {
        let sent = [#"{"a":1}"#, "{\n  \"b\": {\"c\": [1, {}]}\n}", #"{"d":"}{\"\\"}"#, #"{"e":"\\"}"#, "{}"]
        var random = SeededRandom(seed: UInt64(seed))
        let text = sent.map { $0 + random.pick(["", "\n", "\r\n\r\n", " \t"]) }.joined()
        var splitter = ObjectSplitter(maximum: 100)
        var rest = Array(text.utf8)[...]
        var found: [String] = []
        while !rest.isEmpty {
            let count = min(rest.count, 1 + random.below(9))
            found += objects(splitter.take(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(found == sent)
    }

    @Test("an object that is too long ends the reading of a live client's bytes")
    func tooLong() {
        var splitter = ObjectSplitter(maximum: 10)
        #expect(objects(splitter.take(#"{"a":123}{"a":12345}{}"#.utf8)) == [#"{"a":123}"#, "too long"])
        #expect(splitter.take("{}".utf8).isEmpty)
    }

    @Test("endless white space ends the reading of a live client's bytes")
    func space() {
        var splitter = ObjectSplitter(maximum: 10)
        let most = String(repeating: " ", count: ObjectSplitter.maximumSpaceBytes)
        for _ in 0..<3 { #expect(objects(splitter.take("\(most){}".utf8)) == ["{}"]) }
        #expect(objects(splitter.take(most.utf8)).isEmpty)
        #expect(objects(splitter.take("\n{}".utf8)) == ["too much space"])
    }

    @Test(
        "bytes that are not an object end the reading of a live client's bytes",
        arguments: ["GET / HTTP/1.1\r\n", "[1]", "1", "\u{0}"]
    )
    func unreadable(_ text: String) {
        var splitter = ObjectSplitter(maximum: 10)
        #expect(objects(splitter.take(text.utf8)) == ["unreadable"])
    }
}

@Suite("Frames of live clients")
struct LiveRequestTests {
    private func parse(_ text: String) throws -> LiveRequest { try LiveRequest.parse(Array(text.utf8), prefix: "/v2") }

    @Test(
        "a resource in a frame may lack the slash, repeat the version, and have a suffix and a query",
        arguments: [
            ("/feeds/504", "feeds/504"), ("feeds/504", "feeds/504"), ("/v2/feeds/504", "feeds/504"),
            ("/v2x/feeds", "v2x/feeds"), ("/feeds/504.json?limit=2", "feeds/504.json"),
        ]
    )
    func resources(_ resource: String, _ path: String) throws {
        let request = try parse(#"{"method":"get","resource":"\#(resource)"}"#)
        #expect(String(request.path) == path)
        #expect(request.resource == resource)
        #expect(request.parameters["limit"] == (resource.contains("limit") ? "2" : nil))
    }

    @Test("headers and methods in a frame are read without letter case, and the newer key header comes first")
    func lenient() throws {
        let request = try parse(
            #"{"method":"SUBSCRIBE","resource":"/feeds/1","headers":{"x-pachubeapikey":"old","X-APIKEY":"new"},"#
                + #""parameters":{"a":1,"b":true,"c":"d"},"token":"t:1"}"#
        )
        #expect(request.method == .subscribe)
        #expect(request.key == "new")
        #expect(request.token == "t:1")
        #expect([request.parameters["a"], request.parameters["b"], request.parameters["c"]] == ["1", "true", "d"])
        #expect(try parse(#"{"method":"get","resource":"/feeds","headers":{"X-PachubeApiKey":"old"}}"#).key == "old")
        #expect(try parse(#"{"method":"get","resource":"/feeds","params":{"key":"q"}}"#).key == "q")
        #expect(try parse(#"{"method":"get","resource":"/feeds","token":17,"body":null}"#).token == "17")
    }

    @Test(
        "an invalid frame is refused with the token and resource that it has",
        arguments: [
            ("{", nil, nil), ("[]", nil, nil), (#"{"token":"t"}"#, "t", nil),
            (#"{"method":"unsubsribe","resource":"/feeds/1","token":"t"}"#, "t", "/feeds/1"),
            (#"{"method":"get","token":"t"}"#, "t", nil), (#"{"method":"get","resource":""}"#, nil, ""),
        ] as [(String, String?, String?)]
    )
    func refusals(_ text: String, _ token: String?, _ resource: String?) {
        let error = #expect(throws: LiveRequest.Refusal.self) { try parse(text) }
        #expect(error?.token == token)
        #expect(error?.resource == resource)
        #expect(error?.reason.isEmpty == false)
    }

    @Test("a reply to a live client is one line, whatever it contains")
    func replies() throws {
        var reply = LiveReply(token: "a\"\n", resource: "/feeds/1", status: 200)
        reply.headers = ["CONTENT_TYPE": "x"]
        reply.body = .document(Array(#"{"id":1}"#.utf8))
        #expect(
            String(decoding: reply.bytes, as: UTF8.self)
                == #"{"token":"a\"\n","status":200,"resource":"/feeds/1","headers":{"CONTENT_TYPE":"x"},"body":{"id":1}}"#
        )
        #expect(String(decoding: LiveReply(body: .text("x")).bytes, as: UTF8.self) == #"{"body":"x"}"#)
    }
}
