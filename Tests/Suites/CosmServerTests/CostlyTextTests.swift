import HeliumServer
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Texts for Cosm made to be slow or large", .timeLimit(.minutes(5)))
struct CostlyTextTests {
    @Test("a text is measured in code points, of which a character may have any number")
    func marks() async throws {
        let text = "a" + String(repeating: "\u{301}", count: 255)
        try await withCosm { peer in
            try await peer.createFeed(#"{"title":"Shed","datastreams":[{"id":"temp","current_value":"20"}]}"#)
            for (method, path, body) in [
                ("PUT", "/feeds/1", #"{"title":"\#(text)"}"#),
                ("PUT", "/feeds/1/datastreams/temp", #"{"current_value":"\#(text)"}"#),
                ("PUT", "/feeds/1/datastreams/temp", #"{"unit":{"label":"\#(text)"}}"#),
                (
                    "POST", "/feeds/1/datastreams/temp/datapoints",
                    #"{"datapoints":[{"at":"2026-01-01T00:00:00Z","value":"\#(text)"}]}"#
                ),
                ("POST", "/keys", #"{"key":{"label":"\#(text)","permissions":[{"access_methods":["get"]}]}}"#),
            ] {
                #expect(try await peer.send(method, path, body).status == 422, "\(method) \(path)")
            }
        }
    }

    @Test("a search looks for at most 50 words, each once")
    func words() throws {
        let words = (0..<50).map { "w\($0)" }.joined(separator: "+")
        let many = "q=" + String(repeating: "a+", count: 1000) + words.dropLast(4)
        #expect(try FeedSearch(FormFields(query: many[...])).words.count == 50)
        #expect(throws: CosmFailure.self) { try FeedSearch(FormFields(query: "q=\(words)+a"[...])) }
    }

    @Test(
        "a live frame whose token or resource is too long is refused",
        arguments: [("token", 1025), ("resource", 8193)]
    )
    func frames(member: String, bytes: Int) {
        var members = ["method": "subscribe", "resource": "/feeds/1", "token": "t"]
        members[member] = String(repeating: "/", count: bytes)
        let object = members.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
        #expect(throws: LiveRequest.Refusal.self) { try LiveRequest.parse(Array("{\(object)}".utf8), prefix: "/v2") }
    }
}
