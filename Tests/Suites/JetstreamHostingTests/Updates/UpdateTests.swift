import Foundation
import HeliumJSON
import Testing

@testable import JetstreamHosting

@Suite("Updates by a Jetstream server")
struct UpdateTests {
    /// A server with a client, and after the update the client's fragments.
    private func updated(
        _ operators: JSONObject,
        where query: JSONObject = [:],
        before: [JSONObject] = []
    ) throws -> (server: TestEngine, result: JetstreamUpdateResult, fragments: [JSONValue]) {
        var server = try TestEngine()
        server.join(1)
        for operators in before { _ = server.update([:], operators) }
        _ = server.take(1)
        let result = server.update(query, operators)
        let messages = server.take(1)
        #expect(messages.count < 2)
        return (server, result, messages.first?["fragments"]?.arrayValue ?? [])
    }

    @Test("$set changes a scalar for all sessions")
    func setScalar() throws {
        var (server, result, fragments) = try updated(["$set": ["name": "new", "done": true]])
        #expect(result.matched == 1)
        #expect(result.modified == [UUID(uuidString: id(1))])
        #expect(result.writeErrors.isEmpty)
        #expect(
            fragments == [
                [
                    "type": "change", "uuid": .string(id(1)), "clsName": "Board",
                    "properties": ["name": "new", "done": true],
                ]
            ]
        )
        #expect(server.object(id(1))?["properties", "name"] == "new")
    }

    @Test("An update that changes nothing is not sent")
    func nothing() throws {
        let (_, result, fragments) = try updated(["$set": ["name": "Demo"]])
        #expect(result.matched == 1)
        #expect(result.modified.isEmpty)
        #expect(fragments.isEmpty)
    }

    @Test("Inline objects of an update become adds after the changes that refer to them")
    func inline() throws {
        let new: JSONValue = ["$uuid": .string(id(5)), "text": "new", "next": ["$cls": "Special", "extra": "more"]]
        let (_, result, fragments) = try updated(["$set": ["cards": [new, .string(id(2))]]])
        #expect(result.created.count == 2)
        #expect(fragments.map { $0["type"] } == ["change", "add", "add"])
        #expect(fragments[0]["properties"] == ["cards": [.string(id(5)), .string(id(2))]])
        #expect(fragments[1]["uuid"] == .string(id(5)))
        #expect(fragments[1]["properties", "next"] == fragments[2]["uuid"])
        #expect(fragments[2]["clsName"] == "Special")
        #expect(fragments[2]["properties", "extra"] == "more")
    }

    @Test("$push adds new and known objects, and may change known ones")
    func push() throws {
        var (server, result, _) = try updated([
            "$push": [
                "cards": ["$each": [["text": "new"], .string(id(2)), ["$uuid": .string(id(2)), "text": "changed"]]]
            ]
        ])
        #expect(result.created.count == 1)
        #expect(server.object(id(1))?["properties", "cards"]?.arrayValue?.count == 4)
        #expect(server.object(id(2))?["properties", "text"] == "changed")
        #expect(server.objects().count == 3)
    }

    @Test("$addToSet does not duplicate")
    func addToSet() throws {
        var (server, _, _) = try updated(
            ["$addToSet": ["cards": .string(id(2)), "tags": ["$each": ["a", "b", "a"]]]],
            before: [["$set": ["tags": ["a"]]]]
        )
        #expect(server.object(id(1))?["properties", "cards"] == [.string(id(2))])
        #expect(server.object(id(1))?["properties", "tags"] == ["a", "b"])
    }

    @Test("$pull removes all occurrences by $uuid and by value")
    func pull() throws {
        var (server, _, _) = try updated(
            ["$pull": ["cards": ["$uuid": .string(id(2))], "tags": "a"]],
            before: [["$set": ["tags": ["a", "b", "a"]]]]
        )
        #expect(server.object(id(1))?["properties", "cards"] == [])
        #expect(server.object(id(1))?["properties", "tags"] == ["b"])
        #expect(server.objects().count == 1)
    }

    @Test(
        "Paths of an update lead through references and arrays, with negative indexes from the end",
        arguments: [
            "cards[0].text", "cards.0.text", "cards[-1].text", "cards.-1.text", "card.text", "card.board.card.text",
            "cards[0].next.text",
        ]
    )
    func paths(_ path: String) throws {
        var (server, result, _) = try updated(
            ["$set": [path: "reached"]],
            before: [
                ["$set": ["card": .string(id(2))]],
                ["$set": ["card.board": .string(id(1)), "card.next": ["$uuid": .string(id(2))]]],
            ]
        )
        #expect(result.writeErrors.isEmpty)
        #expect(server.object(id(2))?["properties", "text"] == "reached")
    }

    @Test("A path of an update may end at an element")
    func elements() throws {
        var (server, result, _) = try updated(
            ["$set": ["cards.0": ["text": "replaced"], "numbers[-1]": 5, "cards[0].text": "again"]],
            before: [["$set": ["numbers": [1, 2]]]]
        )
        #expect(result.writeErrors.isEmpty)
        #expect(server.object(id(1))?["properties", "numbers"] == [1, 5])
        #expect(server.objects()[1]["properties", "text"] == "again")
        #expect(server.object(id(2)) == nil)
    }

    @Test("A reference may be cleared by null through a path")
    func null() throws {
        var (server, _, _) = try updated(
            ["$set": ["cards[0].next": nil]],
            before: [["$set": ["cards[0].next": ["text": "next"]]]]
        )
        #expect(server.objects().count == 2)
    }

    @Test(
        "Invalid steps of an update are write errors, and the others are applied",
        arguments: [
            ("$set", "unknown", 1), ("$set", "name.x", "a"), ("$set", "card.text", "a"), ("$set", "cards[7].text", "a"),
            ("$set", "cards.text", "a"), ("$set", "", "a"), ("$set", "a..b", "a"), ("$set", "cards[-9]", ["text": "x"]),
            ("$set", "count", "five"), ("$set", "kind", nil), ("$set", "kind", 9), ("$set", "cards", nil),
            ("$set", "cards", [["text": "lost"], ["unknown": 1]]), ("$set", "card", ["$cls": "Other"]),
            ("$set", "card", "x"),
            ("$set", "card", ["$uuid": 5]), ("$push", "name", "x"), ("$push", "tags", 5),
            ("$push", "cards", ["$each": 5]),
            ("$pull", "cards", 5), ("$addToSet", "other", .string(id(2))), ("$rename", "name", "x"),
        ] as [(String, String, JSONValue)]
    )
    func failures(_ name: String, _ path: String, _ value: JSONValue) throws {
        var operators: JSONObject = [name: .object(JSONObject([(path, value)]))]
        operators[name == "$push" ? "$set" : "$push"] = name == "$push" ? ["name": "made"] : ["tags": "made"]
        var (server, result, fragments) = try updated(operators)
        #expect(result.writeErrors.count == 1)
        #expect(result.writeErrors.first?.hasPrefix(name) == true)
        #expect(result.created.isEmpty)
        #expect(fragments.count == 1)
        #expect(server.objects().count == 2)
    }

    @Test("A query of an update finds an object by $uuid and $cls, or the root")
    func queries() throws {
        #expect(try updated(["$set": ["text": "x"]], where: ["$uuid": .string(id(2))]).result.matched == 1)
        #expect(try updated(["$set": ["name": "x"]], where: ["$cls": "Board"]).result.matched == 1)
        for query: JSONObject in [
            ["$uuid": .string(id(9))], ["$uuid": .string(id(2)), "$cls": "Other"], ["$cls": "Nobody"], ["$uuid": 1],
        ] {
            let (_, result, fragments) = try updated(["$set": ["text": "x"]], where: query)
            #expect(result.matched == 0)
            #expect(fragments.isEmpty)
        }
    }
}
