import HeliumServer
import HeliumServerTesting
import Testing

@testable import CosmServer
@testable import HeliumServerKit

/// SQLite's texts end at U+0000: what followed it was lost, and the answer a success.
@Suite("Text with U+0000", .timeLimit(.minutes(5)))
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

    @Test(
        "App.net refuses U+0000 in JSON, forms, files, paths and parameters, in both dialects",
        arguments: ["/stream/0", "/v1"]
    )
    func appNet(_ base: String) async throws {
        try await withAppNet { alice in
            let channel = try await alice.createChannel()
            let form = "application/x-www-form-urlencoded"
            let raw = #"{"type":"com.example.a","value":{"k":"a\u0000b"}}"#
            let name = #"{"type":"com.example.a","value":{"a\u0000b":1}}"#
            let boundary = "multipart/form-data; boundary=b"
            let metadata =
                "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\na\u{0}b\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\ncom.example.a\r\n--b--\r\n"
            let fileName =
                "--b\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\ncom.example.a\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"content\"; filename=\"a\u{0}b\"\r\n\r\nx\r\n--b--\r\n"
            let calls: [(String, String, String?, String)] = [
                ("POST", "channels/\(channel)/messages", #"{"text":"a\u0000b"}"#, "application/json"),
                ("POST", "channels/\(channel)/messages", #"{"text":"a","annotations":[\#(raw)]}"#, "application/json"),
                ("POST", "channels/\(channel)/messages", #"{"text":"a","annotations":[\#(name)]}"#, "application/json"),
                ("POST", "posts", #"{"text":"a\u0000b"}"#, "application/json"),
                ("POST", "posts", "text=a%00b", form),
                ("PATCH", "users/me", #"{"name":"a\u0000b"}"#, "application/json"),
                ("POST", "files", #"{"type":"com.example.a","name":"a\u0000b"}"#, "application/json"),
                ("POST", "files", metadata, boundary), ("POST", "files", fileName, boundary),
                ("GET", "channels/search?q=a%00b", nil, form), ("GET", "channels/search?q=%00", nil, form),
                ("GET", "users/@bob%00x", nil, form),
            ]
            for (method, path, body, type) in calls {
                let answer = try await alice.send(method, "\(base)/\(path)", body, type: type)
                #expect(answer.status == 400 && answer.message.contains("U+0000"), "\(method) \(path): \(answer.text)")
            }
            #expect(try await alice.get("users/me/messages").arrayValue?.isEmpty == true)
            #expect(try await alice.get("users/me/posts").arrayValue?.isEmpty == true)
            #expect(try await alice.get("users/me/files").arrayValue?.isEmpty == true)
        }
    }
}
