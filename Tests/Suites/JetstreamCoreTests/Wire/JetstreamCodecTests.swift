import Foundation
import HeliumJSON
import JetstreamCore
import TestSupport
import Testing

@Suite("Frames of Jetstream")
struct JetstreamCodecTests {
    private let codec = JetstreamCodec()
    private static let root = "0a5f0f6e-0c5c-4d9a-8f5e-aa0000000001"

    private func message(_ json: String) throws -> JetstreamMessage {
        let messages = try codec.messages(in: json)
        #expect(messages.count == 1)
        return try #require(messages.first)
    }

    @Test("each message of the sample exchanges is equal after decoding and encoding")
    func exchanges() throws {
        var count = 0
        for document in SharedDocuments.fixtures("jetstream") where document.name.hasSuffix(".json") {
            let json = try JSONValue(parsing: document.contents)
            for step in try #require(json["steps"]?.arrayValue) {
                // What clients send is partly wrong on purpose.
                for message in step["receives"]?.arrayValue ?? [] {
                    let read = try codec.messages(in: message.text())
                    let written = try JSONValue(parsing: codec.text(of: try #require(read.first)))
                    #expect(written == message, "\(document)")
                    count += 1
                }
                guard document.name == "exchange.json", let sent = step["sends"] else { continue }
                let read = try #require(codec.messages(in: sent.text()).first)
                #expect(try JSONValue(parsing: codec.text(of: read)) == sent)
                count += 1
            }
        }
        #expect(count > 20)
    }

    @Test("a frame is one object or an array of them, as text or bytes")
    func forms() throws {
        let ping = #"{"type":"Ping","index":0,"ack":3,"resendMissing":true}"#
        let expected = JetstreamMessage.ping(.init(ack: 3, resendMissing: true))
        #expect(try codec.messages(in: ping) == [expected])
        #expect(try codec.messages(in: "[\(ping),\(ping)]") == [expected, expected])
        #expect(try codec.messages(in: Data(ping.utf8)) == [expected])
        #expect(try codec.messages(in: "[]").isEmpty)
    }

    @Test(
        "half of a surrogate pair is read as U+FFFD, and whole pairs remain",
        arguments: [
            (#"a\ud800"#, "a\u{FFFD}"), (#"\uDC00b"#, "\u{FFFD}b"), (#"\ud83d\ude00"#, "\u{1F600}"),
            (#"\ud83d\ud83d\ude00"#, "\u{FFFD}\u{1F600}"), (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"),
            (#"\ud83d\n\ud83dx"#, "\u{FFFD}\n\u{FFFD}x"), (#"\\ud800 \ud800"#, "\\ud800 \u{FFFD}"),
            (#"\ud800\\udc00"#, "\u{FFFD}\\udc00"),
        ]
    )
    func loneSurrogates(escaped: String, text: String) throws {
        let json = #"{"type":"Later\ud800","index":7},{"type":"\#(escaped)","index":8}"#
        let expected = [
            JetstreamMessage.unusable(.init(index: 7, type: "Later\u{FFFD}")), .unusable(.init(index: 8, type: text)),
        ]
        #expect(try codec.messages(in: "[\(json)]") == expected)
        #expect(try codec.messages(in: Data("[\(json)]".utf8)) == expected)
        // What is no JSON for another reason remains refused.
        #expect(throws: DecodingError.self) { try codec.messages(in: "[\(json)") }
        #expect(throws: DecodingError.self) { try codec.messages(in: #"[{"type":"\ud8"}]"#) }
    }

    @Test(
        "an invalid message keeps its index, and does not affect others",
        arguments: [
            (#"{"type":"Later","index":7}"#, 7, "Later"),
            (#"{"index":7}"#, 7, nil),
            (#"{"type":7,"index":7}"#, 7, nil),
            (#"{"type":"Ping"}"#, nil, "Ping"),
            (#"{"type":"Ping","index":0}"#, 0, "Ping"),
            (#"{"type":"Ping","index":0,"ack":-1}"#, 0, "Ping"),
            (#"{"type":"Ping","index":0,"ack":9007199254740992}"#, 0, "Ping"),
            (#"{"type":"Later","index":9007199254740992}"#, nil, "Later"),
            (#"{"type":"Later","index":1.5}"#, nil, "Later"),
            (#"{"type":"Later","index":"1"}"#, nil, "Later"),
            (#"{"type":"SessionCreateReply","index":0}"#, 0, "SessionCreateReply"),
            (#"{"type":"ScopeFetchReply","index":1,"scopeIndex":0}"#, 1, "ScopeFetchReply"),
            (#"{"type":"ScopeState","index":2,"scopeIndex":0,"rootUUID":"r","fragments":[]}"#, 2, "ScopeState"),
            (#"{"type":"ScopeState","index":2,"rootUUID":"\#(root)","fragments":[]}"#, 2, "ScopeState"),
            (#"{"type":"ScopeSync","index":2,"scopeIndex":0}"#, 2, "ScopeSync"),
            (#"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":[],"atomic":1}"#, 2, "ScopeSync"),
            (#"{"type":"ScopeSyncReply","index":2,"fragmentReplies":[]}"#, 2, "ScopeSyncReply"),
            (#""text""#, nil, nil),
        ] as [(String, Int?, String?)]
    )
    func unusable(json: String, index: Int?, type: String?) throws {
        let frame = #"[\#(json),{"type":"Ping","index":0,"ack":1,"resendMissing":false}]"#
        #expect(try codec.messages(in: frame) == [.unusable(.init(index: index, type: type)), .ping(.init(ack: 1))])
    }

    @Test("a frame that is not JSON, too large or no message is an error", arguments: ["", "{", "[1,]", "nope"])
    func noFrame(text: String) {
        #expect(throws: DecodingError.self) { try codec.messages(in: text) }
        let small = JetstreamCodec(maximumFrameBytes: 10)
        #expect(throws: DecodingError.self) { try small.messages(in: #"{"type":"Ping","index":0}"#) }
    }

    @Test("the type of a message may follow its other members, and unknown members are ignored")
    func order() throws {
        let json = """
            {"fragments":[{"properties":{"a":[1,2]},"later":{},"clsName":"Shape","uuid":"\(Self.root.uppercased())",\
            "type":"add"}],"scopeIndex":3,"later":[{}],"index":9,"type":"ScopeSync"}
            """
        let uuid = try #require(UUID(uuidString: Self.root))
        let fragment = SyncFragment(.add, uuid: uuid, className: "Shape", properties: ["a": [1, 2]])
        #expect(try message(json) == .scopeSync(.init(index: 9, scopeIndex: 3, fragments: [fragment])))
    }

    @Test(
        "an invalid fragment is left out",
        .original("testSerializationFailure"),
        arguments: [
            #"{"uuid":"\#(root)","clsName":"A","properties":{}}"#,
            #"{"type":"remove","uuid":"\#(root)","clsName":"A","properties":{}}"#,
            #"{"type":"Add","uuid":"\#(root)","clsName":"A","properties":{}}"#,
            #"{"type":"add","clsName":"A","properties":{}}"#,
            #"{"type":"add","uuid":"\#(root)0","clsName":"A","properties":{}}"#,
            #"{"type":"add","uuid":"0a5f0f6e-0c5c-4d9a-8f5e-aa000000000g","clsName":"A","properties":{}}"#,
            #"{"type":"add","uuid":"\#(root)","properties":{}}"#,
            #"{"type":"add","uuid":"\#(root)","clsName":"A","properties":[]}"#,
            "7",
        ]
    )
    func badFragment(json: String) throws {
        let good = #"{"type":"change","uuid":"\#(Self.root)","clsName":"A"}"#
        let frame = #"{"type":"ScopeSync","index":1,"scopeIndex":0,"fragments":[\#(json),\#(good)]}"#
        guard case .scopeSync(let sync) = try message(frame) else { return #expect(Bool(false), "no sync") }
        #expect(sync.fragments.map(\.className) == ["A"] && sync.fragments.first?.properties == [:])
        #expect(sync.index == 1)
    }

    @Test(
        "the error of a reply has a message and perhaps a type",
        arguments: [
            (#"{"message":"no","type":"rejected"}"#, ErrorObject(message: "no", type: "rejected")),
            (#"{"message":"no","code":1}"#, ErrorObject(message: "no")),
            ("{}", ErrorObject(message: "Unknown error")),
            ("true", ErrorObject(message: "Unknown error")),
            ("null", nil),
        ] as [(String, ErrorObject?)]
    )
    func errors(json: String, expected: ErrorObject?) throws {
        let frame = #"{"type":"ScopeSyncReply","index":1,"replyTo":2,"fragmentReplies":[{"error":\#(json)}]}"#
        #expect(
            try message(frame)
                == .scopeSyncReply(.init(index: 1, replyTo: 2, fragmentReplies: [FragmentReply(error: expected)]))
        )
        let fetch = #"{"type":"ScopeFetchReply","index":1,"replyTo":2,"error":\#(json)}"#
        #expect(try message(fetch) == .scopeFetchReply(.init(index: 1, replyTo: 2, error: expected)))
    }

    @Test("modifications of a reply are decoded, and an invalid one is left out")
    func replies() throws {
        let frame = #"{"type":"ScopeSyncReply","index":1,"replyTo":2,"fragmentReplies":[{},{"modifications":{"x":1}}]}"#
        let replies = [FragmentReply(), FragmentReply(modifications: ["x": 1])]
        #expect(try message(frame) == .scopeSyncReply(.init(index: 1, replyTo: 2, fragmentReplies: replies)))
        for bad in ["[1]", "{}", "null"] {
            let frame = #"{"type":"ScopeSyncReply","index":1,"replyTo":2,"fragmentReplies":\#(bad)}"#
            #expect(try message(frame) == .scopeSyncReply(.init(index: 1, replyTo: 2, fragmentReplies: [])))
        }
    }

    @Test("identifiers are written in lower case, properties always, atomic only when true")
    func writing() throws {
        let uuid = try #require(UUID(uuidString: Self.root))
        let fragment = SyncFragment(.add, uuid: uuid, className: "Shape")
        let plain = codec.text(of: .scopeSync(.init(index: 1, scopeIndex: 0, fragments: [fragment])))
        let written = #"{"type":"add","uuid":"\#(Self.root)","clsName":"Shape","properties":{}}"#
        #expect(plain == #"{"type":"ScopeSync","index":1,"scopeIndex":0,"fragments":[\#(written)]}"#)
        let atomic = codec.text(of: .scopeSync(.init(index: 1, scopeIndex: 0, fragments: [], isAtomic: true)))
        #expect(atomic == #"{"type":"ScopeSync","index":1,"scopeIndex":0,"fragments":[],"atomic":true}"#)
        let procedure = codec.text(of: .scopeSync(.init(index: 1, scopeIndex: 0, fragments: [], procedure: "A.b")))
        #expect(try JSONValue(parsing: procedure)["atomic"] == true)
        #expect(codec.text(of: .sessionCreate(.init())).contains(#""version":"0.2.0""#))
    }

    @Test("the description of a reply does not show the token")
    func token() {
        let reply = JetstreamMessage.SessionCreateReply(sessionToken: "secret-token")
        #expect(!"\(reply)".contains("secret") && !String(reflecting: reply).contains("secret"))
        #expect(!"\(JetstreamMessage.sessionCreateReply(reply))".contains("secret"))
    }

    @Test(
        "a property's value that a server would drop is reported",
        arguments: [
            ([1, 2], true), (["a", "b"], true), ([true], true), ([], true), (nil, true), ("x", true),
            ([1, "a"], false), ([[1]], false), ([nil], false), (["a", nil], false), ([["a": 1]], false),
            (["a": 1], false),
        ] as [(JSONValue, Bool)]
    )
    func sendable(value: JSONValue, isSendable: Bool) {
        let fragment = SyncFragment(.change, uuid: UUID(), className: "A", properties: ["good": 1, "key": value])
        #expect(fragment.unsendableProperty == (isSendable ? nil : "key"))
    }
}
