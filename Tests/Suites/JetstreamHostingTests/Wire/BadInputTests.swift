import Foundation
import HeliumJSON
import Testing

@testable import JetstreamHosting

@Suite("Invalid frames to a Jetstream server")
struct BadInputTests {
    @Test(
        "An invalid sync or fetch with a usable index gets a reply that refuses it, but not from the original server",
        arguments: [
            (#"{"type":"ScopeFetch","index":2}"#, 0), (#"{"type":"ScopeFetch","index":2,"name":5}"#, 0),
            (#"{"type":"ScopeFetch","index":2,"name":"Board","params":[]}"#, 0),
            (#"{"type":"ScopeSync","index":2,"scopeIndex":0}"#, 0),
            (#"{"type":"ScopeSync","index":2,"fragments":[1,2]}"#, 2),
            (#"{"type":"ScopeSync","index":2,"scopeIndex":-1,"fragments":[]}"#, 0),
            (#"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":{}}"#, 0),
            (#"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":[{}],"atomic":1}"#, 1),
            (#"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":[{"type":"move"}]}"#, 1),
            (
                #"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":[{"type":"change","uuid":"@","properties":{}}]}"#,
                1
            ),
            (#"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":[{"type":"add","clsName":"Card"}]}"#, 1),
            (
                #"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":[{"type":"change","uuid":"@","clsName":"Board","#
                    + #""properties":{"tags":["a",1]}}]}"#, 1
            ),
            (
                #"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":[{"type":"change","uuid":"@","clsName":"Board","#
                    + #""properties":{"tags":["a",null]}}]}"#, 1
            ),
            (
                #"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":[{"type":"change","uuid":"@","clsName":"Board","#
                    + #""properties":{"numbers":[null,1]}}]}"#, 1
            ),
            (
                #"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":[{"type":"change","uuid":"@","clsName":"Board","#
                    + #""properties":{"tags":[["a"]]}}]}"#, 1
            ),
            (
                #"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":[{"type":"change","uuid":"@","clsName":"Board","#
                    + #""properties":{"name":{}}}]}"#, 1
            ),
        ]
    )
    func answered(_ frame: String, _ count: Int) throws {
        let frame = frame.replacingOccurrences(of: "@", with: id(1))
        var server = try TestEngine()
        server.join(1)
        server.send(1, frame)
        let reply = server.only(1)
        #expect(reply["replyTo"] == 2)
        if let replies = reply["fragmentReplies"]?.arrayValue {
            #expect(replies.count == count)
            #expect(replies.allSatisfy { $0["error"] != nil })
        } else {
            #expect(reply["error"] != nil)
        }
        var original = try TestEngine.original()
        original.join(1)
        original.send(1, frame)
        #expect(original.take(1).isEmpty)
        #expect(original.received[1] == 3)
    }

    @Test("A fragment without properties changes nothing and does no harm")
    func withoutProperties() throws {
        for isOriginal in [false, true] {
            var server = try TestEngine { $0.hasOriginalRules = isOriginal }
            server.join(1)
            let fragment = #"[{"type":"change","uuid":"\#(id(1))","clsName":"Board"}]"#
            #expect(server.sync(1, index: 2, fragment) == [[:]])
            #expect(server.sync(1, index: 3, fragment, #","atomic":true,"procedure":"Board.rename""#).count == 1)
            let add = #"[{"type":"add","uuid":"\#(id(3))","clsName":"Card"}]"#
            #expect(server.sync(1, index: 4, add).compactMap { $0["error"] }.count == 1)
        }
    }

    @Test(
        "Invalid frames without a usable index are ignored",
        arguments: [
            "", "x", "[]", "{}", "1", #""text""#, "[[]]", #"{"type":"Unknown","index":1}"#,
            #"{"type":"Ping","index":0}"#,
            #"{"type":"Ping","index":0,"ack":-1}"#, #"{"type":"Ping","index":0,"ack":9007199254740992}"#,
            #"{"type":"ScopeFetch","name":"Board"}"#, #"{"type":"ScopeFetch","index":1.5,"name":"Board"}"#,
            #"{"type":"ScopeFetch","index":9007199254740992,"name":"Board"}"#, #"{"type":"ScopeFetch","index":1e400}"#,
            #"{"type":"ScopeSync","index":"2","scopeIndex":0,"fragments":[]}"#, "\u{FEFF}{}",
        ]
    )
    func ignored(_ frame: String) throws {
        var server = try TestEngine()
        server.join(1)
        server.send(1, frame)
        #expect(server.take(1).isEmpty)
        #expect(server.received[1] == 3)
        #expect(server.closes.isEmpty)
    }

    @Test("100 invalid frames in a row close with 1008, a valid one resets the count, and the original never closes")
    func hundredUnusable() throws {
        for isOriginal in [false, true] {
            var server = try TestEngine { $0.hasOriginalRules = isOriginal }
            server.join(1)
            for _ in 0..<99 { server.send(1, "x") }
            server.send(1, #"{"type":"Ping","index":0,"ack":0}"#)
            for _ in 0..<99 { server.send(1, "x") }
            #expect(server.closes.isEmpty)
            server.send(1, "x")
            #expect(server.closes[1]?.code == (isOriginal ? nil : 1008))
        }
    }

    @Test("One invalid message spoils a frame of the original server only")
    func mixedFrame() throws {
        let frame = #"[{"type":"Nonsense"},{"type":"ScopeFetch","index":2,"name":"Board"}]"#
        var server = try TestEngine()
        server.session(1)
        server.send(1, frame)
        #expect(server.take(1).count == 2)
        var original = try TestEngine.original()
        original.session(1)
        original.send(1, frame)
        #expect(original.take(1).isEmpty)
    }

    @Test("More fragments than the limit are refused")
    func tooManyFragments() throws {
        var server = try TestEngine { $0.limits.fragmentsPerMessage = 3 }
        server.join(1)
        let fragment = #"{"type":"change","uuid":"\#(id(1))","clsName":"Board","properties":{}}"#
        #expect(
            server.sync(1, index: 2, "[\(Array(repeating: fragment, count: 3).joined(separator: ","))]") == [
                [:], [:], [:],
            ]
        )
        let replies = server.sync(1, index: 3, "[\(Array(repeating: fragment, count: 4).joined(separator: ","))]")
        #expect(replies.compactMap { $0["error"] }.count == 3)
    }

    @Test("More scopes than the limit are refused, and the original's second listeners count")
    func tooManyScopes() throws {
        var server = try TestEngine.original()
        server.session(1)
        for index in 1...64 { server.fetch(1, index: index) }
        server.send(1, #"{"type":"ScopeFetch","index":65,"name":"Board"}"#)
        #expect(server.only(1)["error"] != nil)
        #expect(server.engine.hosted[0].listeners.count == 64)
    }

    @Test("A scope that is too large to be retained is refused, and the session continues")
    func tooLargeScope() throws {
        var server = try TestEngine { $0.limits.retainedBytes = 20_000 }
        server.join(1)
        let name = String(repeating: "x", count: 10_000)
        server.sync(
            1,
            index: 2,
            #"[{"type":"change","uuid":"\#(id(1))","clsName":"Board","properties":{"name":"\#(name)"}}]"#
        )
        server.session(2)
        server.send(2, #"{"type":"ScopeFetch","index":1,"name":"Board"}"#)
        #expect(server.only(2)["error"] != nil)
        #expect(server.closes.isEmpty)
    }

    @Test("Deep, long and strange documents neither end the process nor take long", .timeLimit(.minutes(5)))
    func hostile() throws {
        var server = try TestEngine()
        server.join(1)
        let sync = { (index: Int, fragments: String) in
            #"{"type":"ScopeSync","index":\#(index),"scopeIndex":0,"fragments":\#(fragments)}"#
        }
        let marks = "a" + String(repeating: "\u{301}", count: 200_000)
        let frames = [
            String(repeating: "[", count: 1_000_000), String(repeating: #"{"a":"#, count: 100_000),
            #"{"type":"\#(marks)","index":5}"#, #"{"type":"ScopeFetch","index":6,"name":"\#(marks)"}"#,
            sync(7, #"[{"type":"add","uuid":"\#(marks)","clsName":"\#(marks)"}]"#),
            sync(8, #"[{"type":"add","uuid":"\#(id(9))","clsName":"\#(marks)"}]"#),
            #"{"type":"ScopeSync","index":9,"scopeIndex":0,"atomic":true,"procedure":"\#(marks).\#(marks)","fragments":[]}"#,
            #"{"type":"ScopeFetch","index":10,"name":"\ud800"}"#,
            #"{"type":"ScopeFetch","index":11,"name":"Board","params":"#
                + String(repeating: "[", count: 300) + String(repeating: "]", count: 300) + "}",
        ]
        for frame in frames { server.send(1, frame) }
        #expect(server.received[1] == 2 + frames.count)
        // The fetches 6 and 10, the syncs 7 to 9; the others were of no use.
        #expect(server.take(1).compactMap { $0["replyTo"]?.intValue } == [6, 7, 8, 9, 10])
    }

    @Test(
        "Huge, deep, mixed and duplicate values get a reply, and others see the state",
        .timeLimit(.minutes(5)),
        arguments: [
            (#"{"count":1e400}"#, false), (#"{"count":-1e400}"#, false), (#"{"numbers":[1e400]}"#, false),
            (#"{"due":1e400}"#, false), (#"{"count":1e-400}"#, true),
            (#"{"count":123456789012345678901234567890}"#, true),
            (#"{"kind":1e400}"#, false), (#"{"kind":null}"#, false), (#"{"done":1}"#, false),
            (#"{"name":"\u0000\ud83d\ude00"}"#, true), (#"{"name":[]}"#, false), (#"{"name":{"name":"x"}}"#, false),
            (#"{"tags":["a","a","a"]}"#, true), (#"{"tags":["a",null]}"#, false), (#"{"tags":[["a"]]}"#, false),
            (#"{"cards":["@","@","@"]}"#, true), (#"{"cards":["@",1]}"#, false), (#"{"cards":null}"#, false),
            (#"{"cards":[["@"]]}"#, false), (#"{"card":["@"]}"#, false),
            (#"{"tags":\#(String(repeating: "[", count: 100))\#(String(repeating: "]", count: 100))}"#, false),
            (#"{"name":"a","name":"b","name":1}"#, true),
        ]
    )
    func values(_ properties: String, _ isAccepted: Bool) throws {
        var server = try TestEngine()
        server.join(1)
        server.join(2)
        let properties = properties.replacingOccurrences(of: "@", with: id(2))
        let before = server.object(id(1))
        let fragment = #"{"type":"change","uuid":"\#(id(1))","clsName":"Board","properties":\#(properties)}"#
        let replies = server.sync(1, index: 2, "[\(fragment)]")
        #expect(replies.map { $0["error"] == nil } == [isAccepted])
        let after = server.object(id(1))
        guard isAccepted else {
            #expect(after == before && server.take(2).isEmpty)
            return
        }
        let seen = server.only(2)["fragments"]?.arrayValue?.first?["properties"]?.objectValue
        #expect(seen?.isEmpty == false)
        for (name, value) in seen ?? [:] { #expect(after?["properties"]?.objectValue?[name] == value) }
    }

    @Test(
        "An array of null is refused with a reply, and accepted by the original server unless null is not a value",
        arguments: [
            (#"{"tags":[null]}"#, true), (#"{"tags":[null,null]}"#, true), (#"{"numbers":[null]}"#, true),
            (#"{"dates":[null]}"#, true), (#"{"marks":[null]}"#, false), (#"{"cards":[null]}"#, false),
            (#"{"name":[null]}"#, false), (#"{"none":[null]}"#, false),
        ]
    )
    func nullElements(_ properties: String, _ isAcceptedByOriginal: Bool) throws {
        let fragment = #"[{"type":"change","uuid":"\#(id(1))","clsName":"Board","properties":\#(properties)}]"#
        for isOriginal in [false, true] {
            var server = try isOriginal ? TestEngine.original() : TestEngine()
            server.join(1)
            server.join(2)
            let replies = server.sync(1, index: 2, fragment)
            let isAccepted = isOriginal && isAcceptedByOriginal
            #expect(replies.map { $0["error"] == nil } == [isAccepted])
            guard isAccepted else { continue }
            let sent = try JSONValue(parsing: Array(properties.utf8))
            #expect(server.take(2).last?["fragments"]?.arrayValue?.first?["properties"] == sent)
            for (name, value) in sent.objectValue ?? [:] {
                #expect(server.object(id(1))?["properties"]?.objectValue?[name] == value)
            }
        }
    }

    @Test("A chain of 20,000 objects is added and removed in one message each", .timeLimit(.minutes(5)))
    func longChain() throws {
        var server = try TestEngine { $0.limits.fragmentsPerMessage = 200_000 }
        server.join(1)
        let count = 20_000
        let chain = (0..<count).map { number in
            let next = number + 1 < count ? #""next":"\#(id(number + 11))""# : ""
            return #"{"type":"add","uuid":"\#(id(number + 10))","clsName":"Card","properties":{\#(next)}}"#
        }
        let change = #"{"type":"change","uuid":"\#(id(1))","clsName":"Board","properties":{"card":"\#(id(10))"}}"#
        // The last comes first: none of them is reached by the root before the others.
        server.sync(1, index: 2, "[\((chain.reversed() + [change]).joined(separator: ","))]")
        #expect(server.engine.hosted[0].scope.graph.count == count + 2)
        server.sync(
            1,
            index: 3,
            #"[{"type":"change","uuid":"\#(id(1))","clsName":"Board","properties":{"card":null}}]"#
        )
        #expect(server.engine.hosted[0].scope.graph.count == 2)
    }
}
