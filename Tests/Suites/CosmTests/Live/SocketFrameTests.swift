import Foundation
import HeliumCore
import HeliumJSON
import TestSupport
import Testing

@testable import Cosm

@Suite("Frames of the live socket")
struct SocketFrameTests {
    @Test("frames of acknowledgements, pushes, errors and replies are decoded")
    func kinds() throws {
        let ack = try SocketFrame(#"{"token":"a1","status":200,"resource":"/feeds/91"}"#)
        #expect(ack.token == "a1" && ack.resource == "/feeds/91" && ack.isSuccess && !ack.isPush)

        let push = try SocketFrame(#"{"resource":"/feeds/91","body":{"id":91,"title":"Shed"},"token":"a1"}"#)
        guard case .feed(let feed) = push.body else {
            Issue.record("no feed")
            return
        }
        #expect(push.isPush && feed.title == "Shed")

        let stream = try SocketFrame(
            #"{"body":{"id":"t","current_value":"21"},"resource":"/v2/feeds/91/datastreams/t.json"}"#
        )
        guard case .datastream(let datastream) = stream.body else {
            Issue.record("no datastream")
            return
        }
        #expect(datastream.currentValue == "21")

        let error = try SocketFrame(#"{"status":403,"body":"Forbidden: You are not authorized"}"#)
        guard case .text("Forbidden: You are not authorized") = error.body else {
            Issue.record("no text")
            return
        }
        #expect(!error.isSuccess && error.token == nil)

        let reply = try SocketFrame(
            #"{"token":"b","status":201,"resource":"/feeds","headers":{"LOCATION":"http://h/v2/feeds/7","X":1},"body":null}"#
        )
        #expect(SocketReply(reply).fields == ["LOCATION": "http://h/v2/feeds/7"] && SocketReply(reply).body == nil)
    }

    @Test("a push whose body cannot be decoded is still a push")
    func unreadable() throws {
        let frame = try SocketFrame(#"{"resource":"/feeds/1/datastreams/a","body":{"at":"yesterday"},"token":"a"}"#)
        guard case .unreadable = frame.body else {
            Issue.record("it was read")
            return
        }
    }

    @Test(
        "an invalid frame is an error",
        arguments: ["", "nonsense", "[]", "{}", #"{"token":"a"}"#, #"{"status":"good"}"#, "{\"a\":"]
    )
    func refused(text: String) {
        #expect(throws: DecodingError.self) { try SocketFrame(text) }
    }

    @Test("a sample frame of the server is decoded, and a push is told from a reply")
    func samples() throws {
        let documents = SharedDocuments.all("cosm/socket").filter { document in
            !document.name.contains("request") && !document.name.hasPrefix("INVALID")
        }
        #expect(documents.count >= 3)
        for document in documents {
            let frame = try SocketFrame(String(decoding: document.contents, as: UTF8.self))
            #expect(frame.isPush == document.name.contains("push"), "\(document)")
        }
    }

    @Test("a request has the members of the protocol, and does not show the key in descriptions")
    func request() throws {
        let request = SocketRequest(
            method: .put,
            resource: "/feeds/91/datastreams/temp",
            key: "EXAMPLE_KEY",
            parameters: ["a": "b"],
            body: Datastream(currentValue: 22),
            token: "7"
        )
        let object = try #require(JSONValue(parsing: Data(try request.text().utf8)).objectValue)
        #expect(object["method"] == "put" && object["resource"] == "/feeds/91/datastreams/temp")
        #expect(object["headers"] == ["X-ApiKey": "EXAMPLE_KEY"] && object["params"] == ["a": "b"])
        #expect(object["body"] == ["current_value": "22"] && object["token"] == "7")
        var dumped = "\(request)"
        dump(request, to: &dumped)
        #expect(!dumped.contains("EXAMPLE_KEY"))
        #expect(!(try request.text()).contains("\n"))
    }

    @Test(
        "resources are named by their paths",
        arguments: [
            ("/feeds/504", "/feeds/504"), ("feeds/504", "/feeds/504"), ("/v2/feeds/504.json?key=x", "/feeds/504"),
            ("/feeds/504/datastreams/a.b", "/feeds/504/datastreams/a.b"),
            ("/feeds/504/datastreams/a.json", "/feeds/504/datastreams/a"), ("/feeds", nil), ("/triggers/1", nil),
            ("/feeds/1/keys/2", nil), ("", nil), ("/feeds/.json", nil), ("/feeds/1?\u{301}/2", "/feeds/1"),
        ] as [(String, String?)]
    )
    func resources(path: String, expected: String?) {
        #expect(LiveResource(path: path)?.path == expected)
    }
}
