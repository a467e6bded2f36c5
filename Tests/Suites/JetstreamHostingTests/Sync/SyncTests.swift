import Foundation
import HeliumJSON
import Testing

@testable import JetstreamHosting

@Suite("Change sets on a Jetstream server")
struct SyncTests {
    private let root = id(1)
    private let card = id(2)

    private func change(_ uuid: String, _ properties: String, _ name: String = "Board") -> String {
        #"{"type":"change","uuid":"\#(uuid)","clsName":"\#(name)","properties":\#(properties)}"#
    }

    private func add(_ uuid: String, _ properties: String = "{}", _ name: String = "Card") -> String {
        #"{"type":"add","uuid":"\#(uuid)","clsName":"\#(name)","properties":\#(properties)}"#
    }

    private func list(_ fragments: String...) -> String { "[\(fragments.joined(separator: ","))]" }

    /// Whether each fragment was accepted.
    private func accepted(_ replies: [JSONValue]) -> [Bool] { replies.map { $0["error"] == nil } }

    @Test("A state has the root first, then its objects depth first, with null for unset scalars")
    func state() throws {
        var server = try TestEngine()
        server.session(1)
        let state = server.fetch(1)
        #expect(state["rootUUID"] == .string(root))
        #expect(state["scopeIndex"] == 0)
        let expected: JSONValue = [
            [
                "type": "change", "uuid": .string(root), "clsName": "Board",
                "properties": [
                    "name": "Demo", "count": 7, "done": nil, "due": nil, "kind": 0, "tags": [], "numbers": [],
                    "dates": [],
                    "marks": [], "cards": [.string(card)], "other": [],
                ],
            ],
            [
                "type": "add", "uuid": .string(card), "clsName": "Card", "properties": ["text": "first", "x": nil],
            ],
        ]
        #expect(state["fragments"] == expected)
    }

    @Test("The documented exchange: the sender gets replies, and the others the fragments")
    func example() throws {
        var server = try TestEngine()
        server.join(1)
        server.join(2)
        let fragments = list(add(id(9), #"{"x":9}"#), change(root, #"{"cards":["\#(card)","\#(id(9))"]}"#))
        #expect(server.sync(1, index: 2, fragments) == [[:], [:]])
        let sync = server.only(2)
        #expect(sync["type"] == "ScopeSync")
        #expect(sync["index"] == 3)
        #expect(sync["scopeIndex"] == 0)
        #expect(try sync["fragments"] == JSONValue(parsing: Array(fragments.utf8)))
        #expect(sync["atomic"] == nil)
        #expect(server.objects().count == 3)
    }

    @Test(
        "A value of another kind than the property's is refused",
        arguments: [
            (#"{"name":"x"}"#, true), (#"{"name":null}"#, true), (#"{"name":1}"#, false), (#"{"name":["x"]}"#, false),
            (#"{"count":1.5}"#, true), (#"{"count":"1"}"#, false), (#"{"count":true}"#, false),
            (#"{"count":1e400}"#, false),
            (#"{"done":true}"#, true), (#"{"done":1}"#, false), (#"{"done":0}"#, false), (#"{"done":null}"#, true),
            (#"{"due":100.5}"#, true), (#"{"due":"2020-01-02T03:04:05.250Z"}"#, true), (#"{"due":"soon"}"#, false),
            (#"{"due":null}"#, true), (#"{"kind":1}"#, true), (#"{"kind":1.0}"#, true), (#"{"kind":2}"#, false),
            (#"{"kind":null}"#, false), (#"{"kind":"1"}"#, false), (#"{"tags":["a","a"]}"#, true),
            (#"{"tags":[]}"#, true),
            (#"{"tags":null}"#, false), (#"{"tags":"a"}"#, false), (#"{"tags":[1]}"#, false),
            (#"{"numbers":[1,2.5]}"#, true),
            (#"{"marks":["b","a"]}"#, true), (#"{"marks":["c"]}"#, false), (#"{"dates":[1]}"#, true),
            (#"{"dates":["2020-01-01T00:00:00Z"]}"#, true), (#"{"card":null}"#, true), (#"{"card":"@2"}"#, true),
            (#"{"card":"@7"}"#, false), (#"{"card":2}"#, false), (#"{"card":"x"}"#, false),
            (#"{"cards":["@2","@2"]}"#, true),
            (#"{"cards":null}"#, false), (#"{"cards":["@7"]}"#, false), (#"{"cards":[]}"#, true),
            (#"{"cards":["@1"]}"#, false),
            (#"{"other":["@2"]}"#, false), (#"{"card":"@1"}"#, false), (#"{"unknown":1}"#, false),
            (#"{"name":"x","unknown":1}"#, false), ("{}", true),
        ]
    )
    func values(_ properties: String, _ isAccepted: Bool) throws {
        var properties = properties
        for number in [1, 2, 7] { properties = properties.replacingOccurrences(of: "@\(number)", with: id(number)) }
        var server = try TestEngine()
        server.join(1)
        server.join(2)
        let before = server.objects()
        #expect(accepted(server.sync(1, index: 2, list(change(root, properties)))) == [isAccepted])
        #expect(server.take(2).count == (isAccepted ? 1 : 0))
        if !isAccepted { #expect(server.objects() == before) }
    }

    @Test("Identifiers and references are read in either case and sent in lower case")
    func letterCase() throws {
        let upper = "ABCDEF00-0000-4000-8000-00000000000A"
        var server = try TestEngine()
        server.join(1)
        server.join(2)
        let fragments = list(add(upper), change(root, #"{"cards":["\#(upper)"],"card":"\#(upper)"}"#))
        #expect(accepted(server.sync(1, index: 2, fragments)) == [true, true])
        let sent = server.only(2)["fragments"]
        #expect(sent?[0]?["uuid"] == .string(upper.lowercased()))
        #expect(
            sent?[1]?["properties"] == ["cards": [.string(upper.lowercased())], "card": .string(upper.lowercased())]
        )
    }

    @Test("Dates are seconds, and text becomes seconds in a state, but the original takes milliseconds")
    func dates() throws {
        for (isOriginal, expected) in [(false, 1500.75), (true, 1.5)] as [(Bool, Double)] {
            var server = try TestEngine { $0.hasOriginalRules = isOriginal }
            server.join(1)
            server.join(2)
            server.sync(1, index: 2, list(change(root, #"{"due":1500.75,"dates":["1970-01-01T00:00:01.5Z"]}"#)))
            let sent = server.only(2)["fragments"]?[0]?["properties"]
            #expect(sent == ["due": 1500.75, "dates": ["1970-01-01T00:00:01.5Z"]])
            #expect(server.object(root)?["properties", "due"]?.doubleValue == expected)
            #expect(server.object(root)?["properties", "dates"] == [1.5])
        }
    }

    @Test("Fragments are accepted or refused by themselves, and one invalid property refuses its fragment")
    func independent() throws {
        var server = try TestEngine()
        server.join(1)
        server.join(2)
        let fragments = list(change(root, #"{"name":"new","done":1}"#), change(card, #"{"text":"new"}"#, "Card"))
        #expect(accepted(server.sync(1, index: 2, fragments)) == [false, true])
        #expect(server.object(root)?["properties", "name"] == "Demo")
        #expect(server.object(card)?["properties", "text"] == "new")
        #expect(server.only(2)["fragments"]?.arrayValue?.count == 1)
    }

    @Test(
        "An add of a known object, of an unknown class, without a parent, or of a refused reference is refused"
    )
    func refusedAdds() throws {
        var server = try TestEngine()
        server.join(1)
        let cases: [(String, [Bool])] = [
            (list(add(card)), [false]),
            (list(add(id(5)), add(id(5)), change(root, #"{"card":"\#(id(5))"}"#)), [true, false, true]),
            (list(add(id(6), "{}", "Nobody"), change(root, #"{"card":"\#(id(6))"}"#)), [false, false]),
            (list(add(id(6), "{}", "Other"), change(root, #"{"card":"\#(id(6))"}"#)), [false, false]),
            (list(add(id(7))), [false]),
            (list(add(id(7), #"{"next":"\#(id(8))"}"#), add(id(8))), [false, false]),
            (
                list(
                    add(id(7), #"{"next":"\#(id(8))"}"#),
                    add(id(8), #"{"text":1}"#),
                    change(root, #"{"cards":["\#(id(7))"]}"#)
                ), [false, false, false]
            ),
        ]
        for (number, (fragments, expected)) in cases.enumerated() {
            #expect(accepted(server.sync(1, index: number + 2, fragments)) == expected, "case \(number)")
        }
        #expect(Set(server.objects().compactMap { $0["uuid"]?.stringValue }) == [root, card, id(5)])
    }

    @Test("Adds may refer to later ones, to cycles and to shared objects")
    func cycles() throws {
        var server = try TestEngine()
        server.join(1)
        let fragments = list(
            change(root, #"{"card":"\#(id(3))","cards":["\#(card)","\#(id(4))"]}"#),
            add(id(3), #"{"next":"\#(id(4))","board":"\#(root)"}"#),
            add(id(4), #"{"next":"\#(id(3))"}"#)
        )
        #expect(accepted(server.sync(1, index: 2, fragments)) == [true, true, true])
        #expect(server.objects().compactMap { $0["uuid"]?.stringValue } == [root, id(3), id(4), card])
    }

    @Test("A change of an object that is added in the same message is refused, as is one of an unknown object")
    func refusedChanges() throws {
        var server = try TestEngine()
        server.join(1)
        let fragments = list(
            add(id(3)),
            change(root, #"{"card":"\#(id(3))"}"#),
            change(id(3), #"{"text":"x"}"#, "Card"),
            change(id(4), #"{"text":"x"}"#, "Card")
        )
        #expect(accepted(server.sync(1, index: 2, fragments)) == [true, true, false, false])
    }

    @Test("An object of a subclass is accepted as a superclass, and not the other way")
    func subclasses() throws {
        var server = try TestEngine()
        server.join(1)
        let fragments = list(
            add(id(3), #"{"extra":"more","text":"inherited"}"#, "Special"),
            change(root, #"{"card":"\#(id(3))"}"#)
        )
        #expect(accepted(server.sync(1, index: 2, fragments)) == [true, true])
        #expect(server.object(id(3))?["clsName"] == "Special")
    }

    @Test(
        "An object that loses its last parent is removed with those below, and may be added again"
    )
    func orphans() throws {
        var server = try TestEngine()
        server.join(1)
        server.sync(
            1,
            index: 2,
            list(add(id(3)), change(card, #"{"next":"\#(id(3))"}"#, "Card"))
        )
        #expect(server.objects().count == 3)
        server.sync(1, index: 3, list(change(root, #"{"cards":[],"card":"\#(card)"}"#)))
        #expect(server.objects().count == 3)
        server.sync(1, index: 4, list(change(root, #"{"card":null}"#), change(root, #"{"cards":["\#(id(3))"]}"#)))
        #expect(server.objects().compactMap { $0["uuid"]?.stringValue } == [root, id(3)])
        #expect(accepted(server.sync(1, index: 5, list(change(root, #"{"card":"\#(card)"}"#)))) == [false])
        let back = list(add(card), change(root, #"{"card":"\#(card)"}"#))
        #expect(accepted(server.sync(1, index: 6, back)) == [true, true])
    }

    @Test("A cycle that the root does not reach is removed, and an add restores it")
    func unreachableCycle() throws {
        var server = try TestEngine()
        server.join(1)
        let cycle = [
            add(id(3), #"{"next":"\#(id(4))","board":"\#(root)"}"#), add(id(4), #"{"next":"\#(id(3))"}"#),
            change(root, #"{"card":"\#(id(3))"}"#),
        ].joined(separator: ",")
        for index in [2, 4] {
            #expect(accepted(server.sync(1, index: index, "[\(cycle)]")) == [true, true, true])
            #expect(server.engine.hosted[0].scope.graph.count == 4)
            server.sync(1, index: index + 1, list(change(root, #"{"card":null}"#)))
            #expect(server.engine.hosted[0].scope.graph.count == 2)
        }
    }

    @Test("All orphans of a diamond of references are removed")
    func diamond() throws {
        var server = try TestEngine()
        server.join(1)
        let fragments = list(
            add(id(3), #"{"next":"\#(id(5))"}"#),
            add(id(4), #"{"next":"\#(id(5))"}"#),
            add(id(5)),
            change(root, #"{"cards":["\#(id(3))","\#(id(4))"]}"#)
        )
        server.sync(1, index: 2, fragments)
        #expect(server.objects().count == 4)
        server.sync(1, index: 3, list(change(root, #"{"cards":["\#(id(4))"]}"#)))
        #expect(server.objects().count == 3)
        server.sync(1, index: 4, list(change(root, #"{"cards":[]}"#)))
        #expect(server.engine.hosted[0].scope.graph.count == 1)
    }

    @Test("An atomic set is applied as a whole or not at all, but not by the original")
    func atomic() throws {
        let fragments = list(
            add(id(3)),
            change(root, #"{"name":"new","card":"\#(id(3))"}"#),
            change(root, #"{"done":1}"#)
        )
        var server = try TestEngine()
        server.join(1)
        server.join(2)
        let before = server.objects()
        let replies = server.sync(1, index: 2, fragments, #","atomic":true"#)
        #expect(accepted(replies) == [false, false, false])
        #expect(replies.allSatisfy { $0["error", "type"] == "could-not-apply-sync-message" })
        #expect(server.objects() == before)
        #expect(server.engine.hosted[0].scope.graph.count == 2)
        #expect(server.take(2).isEmpty)
        #expect(accepted(server.sync(1, index: 3, fragments, #","atomic":false"#)) == [true, true, false])

        var original = try TestEngine.original()
        original.join(1)
        #expect(accepted(original.sync(1, index: 2, fragments, #","atomic":true"#)) == [true, true, false])
    }

    @Test(
        "A set that is refused as a whole is not broadcast, except by the original"
    )
    func emptyBroadcast() throws {
        let fragments = list(change(root, #"{"done":1}"#))
        var server = try TestEngine()
        server.join(1)
        server.join(2)
        server.sync(1, index: 2, fragments)
        #expect(server.take(2).isEmpty)
        var original = try TestEngine.original()
        original.join(1)
        original.join(2)
        original.sync(1, index: 2, fragments)
        let sync = original.only(2)
        #expect(sync["fragments"] == [])
        #expect(sync["index"] == 3)
    }

    @Test("A second fetch returns the same index and a new state, and the original listens twice")
    func secondFetch() throws {
        for (isOriginal, count) in [(false, 1), (true, 2)] {
            var server = try TestEngine { $0.hasOriginalRules = isOriginal }
            server.join(1)
            server.join(2)
            server.sync(1, index: 2, list(change(root, #"{"name":"x"}"#)))
            _ = server.take(2)
            server.send(2, #"{"type":"ScopeFetch","index":2,"name":"Board"}"#)
            let messages = server.take(2)
            #expect(messages.map { $0["scopeIndex"] } == [0, 0])
            #expect(messages[1]["fragments"]?[0]?["properties", "name"] == "x")
            server.sync(1, index: 3, list(change(root, #"{"name":"y"}"#)))
            #expect(server.take(2).count == count)
        }
    }

    @Test("An unknown scope and an unknown scope index are refused")
    func unknownScopes() throws {
        var server = try TestEngine()
        server.session(1)
        server.send(1, #"{"type":"ScopeFetch","index":1,"name":"Nothing"}"#)
        let reply = server.only(1)
        #expect(reply["error", "message"] == "No such scope")
        #expect(reply["replyTo"] == 1)
        let replies = server.sync(1, index: 2, list(change(root, "{}"), change(card, "{}")))
        #expect(replies.map { $0["error", "type"] } == ["scope-index-not-found", "scope-index-not-found"])
    }

    @Test("A closure decides on each property, and its refusal reaches the client")
    func writes() throws {
        var server = try TestEngine {
            $0.write = { write in
                guard write.session.parameters["user"] != "guest" || write.property == "text" else {
                    throw JetstreamRefusal("guests change texts only", type: "mine")
                }
                if write.value == "secret" { throw CancellationError() }
            }
        }
        server.session(1, #"{"user":"guest"}"#)
        server.fetch(1)
        let fragments = list(change(root, #"{"name":"x"}"#), change(card, #"{"text":"x"}"#, "Card"))
        let replies = server.sync(1, index: 2, fragments)
        #expect(replies == [["error": ["message": "guests change texts only", "type": "mine"]], [:]])
        let refused = server.sync(1, index: 3, list(change(card, #"{"text":"secret"}"#, "Card")))
        #expect(refused == [["error": ["message": "refused", "type": "rejected"]]])
    }

    @Test("A change is checked by the class of its object, whatever class it names, but not by the original")
    func writeClass() throws {
        for isOriginal in [false, true] {
            var server = try TestEngine {
                $0.hasOriginalRules = isOriginal
                $0.write = { write in if write.className == "Board" { throw JetstreamRefusal("no boards") } }
            }
            server.join(1)
            server.join(2)
            let fragments = list(change(root, #"{"name":"x"}"#, "Card"))
            #expect(accepted(server.sync(1, index: 2, fragments)) == [isOriginal])
            server.sync(1, index: 3, list(change(card, #"{"text":"x"}"#, "Other")))
            let broadcast = server.take(2).last?["fragments", 0]
            #expect(broadcast?["clsName"] == (isOriginal ? "Other" : "Card"))
        }
    }

    @Test("A closure decides on fetches, and later messages wait in order")
    func fetchWaits() throws {
        var server = try TestEngine { $0.questions = [.fetch] }
        server.session(1)
        server.send(
            1,
            #"[{"type":"ScopeFetch","index":1,"name":"Board","params":{"key":1}},"#
                + #"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":\#(list(change(root, #"{"name":"x"}"#)))}]"#
        )
        server.send(1, #"{"type":"ScopeFetch","index":3,"name":"Board"}"#)
        #expect(server.take(1).isEmpty)
        guard case .fetch(let fetch)? = server.questions.first?.question else {
            Issue.record("no question about the fetch")
            return
        }
        #expect(fetch.scope == "Board")
        #expect(fetch.parameters == ["key": 1])
        server.answer()
        #expect(server.take(1).map { $0["type"] } == ["ScopeFetchReply", "ScopeState", "ScopeSyncReply"])
        #expect(server.received[1] == 2)
        server.answer(JetstreamRefusal("not again"))
        #expect(server.only(1)["error"] == ["message": "not again"])
        #expect(server.received[1] == 3)
    }

    @Test("Objects beyond the limit are refused, and the bytes of a scope are limited")
    func ceilings() throws {
        var server = try TestEngine {
            $0.limits.objectsPerScope = 3
            $0.limits.bytesPerScope = 1000
        }
        server.join(1)
        let fragments = list(
            add(id(3)),
            add(id(4)),
            change(root, #"{"cards":["\#(card)","\#(id(3))"]}"#)
        )
        #expect(accepted(server.sync(1, index: 2, fragments)) == [true, false, true])
        let long = String(repeating: "x", count: 1000)
        #expect(accepted(server.sync(1, index: 3, list(change(root, #"{"name":"\#(long)"}"#)))) == [false])
        #expect(accepted(server.sync(1, index: 4, list(change(root, #"{"name":"short"}"#)))) == [true])
    }
}

@Suite("Procedures of Jetstream")
struct ProcedureTests {
    private func board(_ properties: String) -> String {
        #"{"type":"change","uuid":"\#(id(1))","clsName":"Board","properties":\#(properties)}"#
    }

    private let card = #"{"type":"add","uuid":"\#(id(3))","clsName":"Card","properties":{"text":"x"}}"#

    private func isAccepted(_ fragments: String, _ procedure: String, isOriginal: Bool = false) throws -> Bool {
        var server = try TestEngine { $0.hasOriginalRules = isOriginal }
        server.join(1)
        server.join(2)
        let replies = server.sync(1, index: 2, fragments, #","atomic":true,"procedure":"\#(procedure)""#)
        let errors = replies.compactMap { $0["error", "type"] }
        #expect(errors.isEmpty || errors.count == replies.count)
        #expect(errors.allSatisfy { $0 == "could-not-apply-sync-message" })
        #expect(server.take(2).count == (errors.isEmpty || isOriginal ? 1 : 0))
        return errors.isEmpty
    }

    @Test("Each fragment of a procedure has to match a constraint")
    func matches() throws {
        #expect(try isAccepted("[\(board(#"{"name":"x"}"#))]", "Board.rename"))
        #expect(try isAccepted("[\(board(#"{"name":null}"#))]", "Board.rename"))
        #expect(try !isAccepted("[\(board(#"{"name":"x","done":true}"#))]", "Board.rename"))
        #expect(try !isAccepted("[\(board(#"{"done":true}"#))]", "Board.rename"))
        #expect(try !isAccepted("[\(board("{}"))]", "Board.rename"))
        #expect(try !isAccepted("[\(board(#"{"name":"x"}"#)),\(board(#"{"done":true}"#))]", "Board.rename"))
        #expect(try !isAccepted("[\(board(#"{"name":"x"}"#))]", "Board.unknown"))
        #expect(try !isAccepted("[\(board(#"{"name":"x"}"#))]", "Card.rename"))
    }

    @Test("A value has to be the constraint's, and other properties may be allowed")
    func value() throws {
        #expect(try isAccepted("[\(board(#"{"name":null,"done":true}"#))]", "Board.clear"))
        #expect(try !isAccepted("[\(board(#"{"name":"x"}"#))]", "Board.clear"))
    }

    @Test("A change matches a constraint by the class of its object, but not in the original")
    func storedClass() throws {
        let disguised = #"[{"type":"change","uuid":"\#(id(2))","clsName":"Board","properties":{"text":"x"}}]"#
        let text = ScopeFile.boardText.replacing(
            #""rename": [{"type": "change", "class": "Board", "properties": {"name": "$new"}}]"#,
            with: #""rename": [{"type": "change", "class": "Board", "additional": true}]"#
        )
        let file = try ScopeFile(parsing: Data(text.utf8))
        for isOriginal in [false, true] {
            var server = try TestEngine(file) { $0.hasOriginalRules = isOriginal }
            server.join(1)
            let replies = server.sync(1, index: 2, disguised, #","atomic":true,"procedure":"Board.rename""#)
            #expect(replies.compactMap { $0["error"] }.isEmpty == isOriginal)
        }
    }

    @Test("$insert requires a longer array than the stored one")
    func insertion() throws {
        let grown = board(#"{"cards":["\#(id(2))","\#(id(3))"]}"#)
        #expect(try isAccepted("[\(card),\(grown)]", "Board.grow"))
        #expect(try !isAccepted("[\(board(#"{"cards":["\#(id(2))"]}"#))]", "Board.grow"))
        #expect(try !isAccepted("[\(board(#"{"cards":[]}"#))]", "Board.grow"))
    }

    @Test("$remove requires a shorter array, but by mistake a longer one in the original")
    func removal() throws {
        let shrunk = "[\(board(#"{"cards":[]}"#))]"
        let grown = "[\(board(#"{"cards":["\#(id(2))","\#(id(2))"]}"#))]"
        #expect(try isAccepted(shrunk, "Board.shrink"))
        #expect(try !isAccepted(grown, "Board.shrink"))
        #expect(try !isAccepted(shrunk, "Board.shrink", isOriginal: true))
        #expect(try isAccepted(grown, "Board.shrink", isOriginal: true))
    }

    @Test(
        "A procedure without atomic, or without exactly one dot, is refused, and ignored by the original"
    )
    func invalid() throws {
        let fragments = "[\(board(#"{"name":"x"}"#))]"
        for more in [
            #","procedure":"Board.rename""#, #","atomic":true,"procedure":"rename""#,
            #","atomic":true,"procedure":"a.b.c""#,
        ] {
            var server = try TestEngine()
            server.join(1)
            #expect(server.sync(1, index: 2, fragments, more).compactMap { $0["error"] }.count == 1)
            var original = try TestEngine.original()
            original.join(1)
            #expect(original.sync(1, index: 2, fragments, more).isEmpty)
        }
        var server = try TestEngine()
        server.join(1)
        #expect(server.sync(1, index: 2, fragments, #","atomic":false,"procedure":"Board.rename""#) == [[:]])
    }
}
