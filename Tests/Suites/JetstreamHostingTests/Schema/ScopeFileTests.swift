import Foundation
import HeliumJSON
import Testing

@testable import JetstreamHosting

@Suite("Scope files")
struct ScopeFileTests {
    private func read(_ text: String) throws -> ScopeFile { try ScopeFile(parsing: Data(text.utf8)) }

    @Test("A scope file with all parts is equal after writing and reading")
    func roundTrip() throws {
        let file = try read(ScopeFile.boardText)
        #expect(file.classes.map(\.name) == ["Board", "Card", "Special", "Other"])
        #expect(file.classes[2].superclass == "Card")
        #expect(file.enumerations.map(\.name) == ["Kind", "Mark"])
        #expect(file.classes[0].properties.map(\.name).prefix(3) == ["name", "count", "done"])
        #expect(file.classes[0].procedures.map(\.name) == ["rename", "grow", "shrink", "clear"])
        #expect(file.refusals == ScopeFile.Refusals(connection: ["deny"], session: ["deny"], fetch: ["deny"]))
        #expect(try ScopeFile(parsing: file.data()) == file)
        #expect(try ScopeFile(parsing: ScopeFile.canvas.data()) == .canvas)
    }

    @Test("The example scope file is read")
    func example() throws {
        let file = try read(
            #"""
            {"enumerations":{"Kind":{"type":"number","values":[0,1]}},"classes":{"Card":{"properties":{"due":"date",
            "kind":{"type":"Kind","default":0},"tags":["string"],"name":"string","next":"Card"},"procedures":{"rename":[
            {"type":"change","class":"Card","properties":{"name":"$new"},"additional":false}]}}},"scopes":{"Board":{"root":
            "Card","initial":{"due":"2020-01-01T00:00:00Z","next":{"name":"second"}}}},"refuse":{"connection":["deny"],
            "session":["deny"],"fetch":["deny"]}}
            """#
        )
        var server = try TestEngine(file)
        server.session(1)
        let fragments = server.fetch(1)["fragments"]
        #expect(fragments?[0]?["properties", "due"] == 1_577_836_800)
        #expect(fragments?[1]?["properties", "name"] == "second")
        #expect(fragments?[0]?["properties", "next"] == fragments?[1]?["uuid"])
    }

    @Test("Inline objects of a scope file may be referred to by their identifiers")
    func references() throws {
        let file = try read(
            #"""
            {"classes":{"A":{"properties":{"list":["A"],"one":"A"}}},"scopes":{"S":{"root":"A","initial":{
            "one":"\#(id(3))","list":[{"$uuid":"\#(id(3))","one":"\#(id(1))"}],"$uuid":"\#(id(1))"}}}}
            """#
        )
        var server = try TestEngine(file)
        let objects = server.objects("S")
        #expect(objects.count == 2)
        #expect(objects[0]["uuid"] == .string(id(1)))
        #expect(objects[0]["properties", "one"] == .string(id(3)))
        #expect(objects[1]["properties", "one"] == .string(id(1)))
    }

    /// A file with one class, and one scope of it.
    private static func file(properties: String = "{}", more: String = "", initial: String = "{}") -> String {
        #"{"classes":{"A":{"properties":\#(properties)\#(more)}},"scopes":{"S":{"root":"A","initial":\#(initial)}}}"#
    }

    @Test(
        "Faults of a scope file are reported with their position",
        arguments: [
            ("", ""), ("[]", ""), ("{}", "scopes"), (#"{"classes":{},"classes":{}}"#, ""), (#"{"x":1}"#, "x"),
            (#"{"classes":[]}"#, "classes"), (#"{"classes":{"A":{}},"scopes":{"S":{}}}"#, "scopes.S.root"),
            (#"{"classes":{"A":{}},"scopes":{"S":{"root":"B"}}}"#, "scopes.S.root"),
            (#"{"classes":{"A":{"inherits":"B"}},"scopes":{"S":{"root":"A"}}}"#, "classes.A.inherits"),
            (
                #"{"classes":{"A":{"inherits":"B"},"B":{"inherits":"A"}},"scopes":{"S":{"root":"A"}}}"#,
                "classes.A.inherits"
            ),
            (#"{"classes":{"string":{}},"scopes":{"S":{"root":"string"}}}"#, "classes.string"),
            (#"{"enumerations":{"A":{"type":"number","values":[1]}},"classes":{"A":{}},"scopes":{}}"#, "classes.A"),
            (#"{"enumerations":{"E":{"type":"date","values":[1]}}}"#, "enumerations.E.type"),
            (#"{"enumerations":{"E":{"type":"number","values":[1,"a"]}}}"#, "enumerations.E.values[1]"),
            (
                #"{"enumerations":{"E":{"type":"string","values":[]}},"classes":{},"scopes":{}}"#,
                "enumerations.E.values"
            ),
            (file(properties: #"{"p":"nothing"}"#), "classes.A.properties.p"),
            (file(properties: #"{"p":5}"#), "classes.A.properties.p"),
            (file(properties: #"{"p":["string","string"]}"#), "classes.A.properties.p"),
            (file(properties: #"{"p":{"type":[["string"]]}}"#), "classes.A.properties.p.type"),
            (file(properties: #"{"p":{"default":1}}"#), "classes.A.properties.p.type"),
            (file(properties: #"{"p":{"type":"number","default":"x"}}"#), "classes.A.properties.p.default"),
            (file(properties: #"{"p":{"type":"A","default":null}}"#), "classes.A.properties.p.default"),
            (file(properties: #"{"$p":"string"}"#), "classes.A.properties.$p"),
            (file(more: #","procedures":{"f":{}}"#), "classes.A.procedures.f"),
            (file(more: #","procedures":{"f.g":[]}"#), "classes.A.procedures.f.g"),
            (file(more: #","procedures":{"f":[{"type":"remove","class":"A"}]}"#), "classes.A.procedures.f[0].type"),
            (file(more: #","procedures":{"f":[{"type":"add","class":"B"}]}"#), "classes.A.procedures.f[0].class"),
            (
                file(more: #","procedures":{"f":[{"type":"add","class":"A","properties":{"x":1}}]}"#),
                "classes.A.procedures.f[0].properties.x"
            ),
            (
                file(
                    properties: #"{"x":"string"}"#,
                    more: #","procedures":{"f":[{"type":"change","class":"A","properties":{"x":"$insert"}}]}"#
                ), "classes.A.procedures.f[0].properties.x"
            ),
            (
                file(
                    properties: #"{"x":"string"}"#,
                    more: #","procedures":{"f":[{"type":"change","class":"A","properties":{"x":{"a":1}}}]}"#
                ), "classes.A.procedures.f[0].properties.x"
            ),
            (file(initial: "[]"), "scopes.S.initial"), (file(initial: #"{"p":1}"#), "scopes.S.initial.p"),
            (file(properties: #"{"p":"number"}"#, initial: #"{"p":"1"}"#), "scopes.S.initial.p"),
            (file(properties: #"{"p":["A"]}"#, initial: #"{"p":[{},{"p":5}]}"#), "scopes.S.initial.p[1].p"),
            (file(properties: #"{"p":["A"]}"#, initial: #"{"p":[{},"x"]}"#), "scopes.S.initial.p[1]"),
            (file(properties: #"{"p":"A"}"#, initial: #"{"p":"\#(id(5))"}"#), "scopes.S.initial.p"),
            (file(properties: #"{"p":"A"}"#, initial: #"{"p":{"$cls":"B"}}"#), "scopes.S.initial.p.$cls"),
            (file(properties: #"{"p":"A"}"#, initial: #"{"p":{"$uuid":"x"}}"#), "scopes.S.initial.p.$uuid"),
            (#"{"classes":{"A":{}},"scopes":{"S":{"root":"A"}},"refuse":{"all":[]}}"#, "refuse.all"),
            (#"{"classes":{"A":{}},"scopes":{"S":{"root":"A"}},"refuse":{"fetch":[1]}}"#, "refuse.fetch[0]"),
        ]
    )
    func faults(_ text: String, _ path: String) throws {
        do {
            _ = try read(text)
            Issue.record("was read")
        } catch let error as ScopeFileError {
            #expect(error.path == path)
            #expect(!error.reason.isEmpty)
            #expect(error.description.hasPrefix(path))
        }
    }

    @Test("A scope file that could not be read again unchanged is a fault")
    func ambiguous() throws {
        var file = try read(Self.file(properties: #"{"x":"string"}"#))
        #expect(throws: Never.self) { try file.validate() }
        let constraint = { (value: JSONValue) in
            ScopeFile.Constraint(
                isAdd: false,
                className: "A",
                conditions: [ScopeFile.NamedCondition("x", .value(value))]
            )
        }
        file.classes[0].procedures = [ScopeFile.Procedure(name: "f", constraints: [constraint("$new")])]
        #expect(throws: ScopeFileError.self) { try file.validate() }
        file.classes[0].procedures = [ScopeFile.Procedure(name: "f", constraints: [constraint("new")])]
        #expect(try ScopeFile(parsing: file.data()) == file)
        file.classes[0].properties.append(ScopeFile.Property(name: "y", type: .named("string")))
        #expect(throws: ScopeFileError.self) { try file.validate() }
    }

    @Test("Deep and long scope files are refused in time", .timeLimit(.minutes(5)))
    func hostile() {
        let marks = String(repeating: "\u{301}", count: 100_000)
        let deep = String(repeating: #"{"p":"#, count: 200) + "{}" + String(repeating: "}", count: 200)
        for text in [
            String(repeating: "[", count: 1_000_000),
            #"{"classes":{"a\#(marks)":{}},"scopes":{}}"#,
            #"{"classes":{"A":{"inherits":"\#(marks)"}},"scopes":{}}"#,
            Self.file(properties: #"{"p":"\#(marks)"}"#),
            String(repeating: deep, count: 3),
        ] {
            #expect(throws: ScopeFileError.self) { try read(text) }
        }
        #expect(throws: Never.self) { try read(Self.file(properties: #"{"p":"A"}"#, initial: deep)) }
    }
}
