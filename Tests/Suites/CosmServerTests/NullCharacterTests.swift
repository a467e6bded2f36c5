import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

/// SQLite's texts end at U+0000. A server that accepted the character would lose the text after it, and report success.
@Suite("Text with U+0000 for Cosm", .timeLimit(.minutes(5)))
struct NullCharacterTests {
    @Test("Cosm refuses U+0000 in every format, in paths and in parameters, and stores nothing")
    func cosm() async throws {
        try await withCosm { peer in
            try await peer.createFeed(#"{"title":"Shed","datastreams":[{"id":"temp","current_value":"20"}]}"#)
            let before = try await peer.document("/feeds")
            let calls = [
                ("POST", "/feeds", #"{"title":"a\u0000b"}"#),
                ("POST", "/feeds", #"{"title":"a","tags":["x","y\u0000z"]}"#),
                ("POST", "/feeds", #"{"title":"a","location":{"name":"a\u0000b"}}"#),
                ("PUT", "/feeds/1", #"{"ti\u0000tle":"a"}"#),
                ("PUT", "/feeds/1/datastreams/temp", #"{"current_value":"2\u00001"}"#),
                ("POST", "/feeds/1/datastreams", #"{"datastreams":[{"id":"a\u0000b"}]}"#),
                ("POST", "/keys", #"{"key":{"label":"a\u0000b","permissions":[{"access_methods":["get"]}]}}"#),
                ("PUT", "/feeds/1.csv", "temp,2\u{0}1"),
                ("PUT", "/feeds/1/datastreams/temp.csv", "2\u{0}1"),
                ("PUT", "/feeds/1.xml", "<eeml><environment><title>a\u{0}b</title></environment></eeml>"),
                ("PUT", "/feeds/1.xml", "<eeml><environment><title>a&#0;b</title></environment></eeml>"),
                ("GET", "/feeds?q=a%00b", nil), ("GET", "/feeds?a%00b=1", nil),
                ("GET", "/feeds/1/datastreams/temp%00x", nil), ("GET", "/users/a%00b", nil),
            ]
            for (method, path, body) in calls {
                let answer = try await peer.send(method, path, body)
                #expect(answer.status == 400, "\(method) \(path) \(body ?? "")")
                let names = answer.errors.contains(TextFault.null.reason) || path.hasSuffix(".xml")
                #expect(names, "\(method) \(path): \(answer.text)")
            }
            #expect(try await peer.send("PUT", "/feeds/1", #"{"title":"a\\u0000b"}"#).status == 200)
            #expect(try await peer.document("/feeds/1")["title"] == #"a\u0000b"#)
            #expect(try await peer.put("/feeds/1", #"{"title":"Shed"}"#).status == 200)
            let after = try await peer.document("/feeds")
            #expect(after["totalResults"] == before["totalResults"])
            #expect(try await peer.document("/feeds/1/datastreams/temp")["current_value"] == "20")
        }
    }

    @Test("Cosm's live socket refuses U+0000, and stores nothing")
    func live() throws {
        let frame = #"{"method":"put","resource":"/feeds/1","token":"t","body":{"title":"a\u0000b"}}"#
        #expect(throws: LiveRequest.Refusal.self) { try LiveRequest.parse(Array(frame.utf8), prefix: "/v2") }
    }
}
