import HeliumJSON
import Testing

@Suite("JSON values") struct JSONValueTests {
    static let message: JSONValue = [
        "data": [["id": "12", "pins": [1, 2.5, nil, true]], ["id": "13"]], "user": ["name": "mira", "followers": 7],
        "meta": nil,
    ]

    @Test("JSON values are created by literals")
    func areWrittenAsLiterals() {
        let name = "mira"
        let value: JSONValue = ["text": "by \(name)", "n": [nil, false, -7, 1.5, [], [:]], "n": 2]
        #expect(value.description == #"{"text":"by mira","n":[null,false,-7,1.5,[],{}]}"#)
        let large: JSONValue = 18_446_744_073_709_551_615
        #expect(large.description == "18446744073709551615")
        #expect(JSONValue(floatLiteral: .infinity) == .null)
    }

    @Test("JSON values have an accessor for each kind")
    func tellWhatTheyAre() {
        let value = Self.message
        #expect(value["meta"]?.isNull == true)
        #expect(value["user"]?.isNull == false)
        #expect(value["data", 0, "pins", 3]?.boolValue == true)
        #expect(value["user", "name"]?.stringValue == "mira")
        #expect(value["user", "followers"]?.intValue == 7)
        #expect(value["data", 0, "pins", 1]?.doubleValue == 2.5)
        #expect(value["data", 0, "pins", 1]?.intValue == nil)
        #expect(value["data", 0, "pins", 0]?.numberValue == 1)
        #expect(value["data"]?.arrayValue?.count == 2)
        #expect(value["user"]?.objectValue?.count == 2)
        for other in [JSONValue.null, true, 1, "s", [], [:]] {
            let found = [
                other.isNull, other.boolValue != nil, other.intValue != nil, other.stringValue != nil,
                other.arrayValue != nil, other.objectValue != nil,
            ]
            #expect(found.count { $0 } == 1, "\(other)")
        }
    }

    @Test("parts of JSON values are read by their path")
    func givePartsByPath() {
        let value = Self.message
        let row = 1
        #expect(value["data", .index(row), "id"] == "13")
        #expect(value["data"]?[0]?["id"] == "12")
        #expect(value[path: []] == value)
        #expect(value[path: ["user", .name("name")]] == "mira")
        for path: [JSONPathElement] in [
            ["none"], ["data", 2], ["data", -1], ["data", "id"], ["user", 0], ["meta", "x"], ["data", 0, "id", "x"],
            ["data", .index(.max)], ["data", .index(.min)],
        ] {
            #expect(value[path: path] == nil, "\(path)")
        }
    }

    @Test("a missing part of a JSON value is nil, and not null")
    func nilIsNotNull() {
        // JSONValue has a nil literal of its own: an optional one must not take it.
        var value: JSONValue = ["null": nil]
        let (null, none) = (value["null"], value["none"])
        #expect(null != nil)
        #expect(none == nil)
        #expect(null == .null)
        value["null"] = nil
        #expect(value.objectValue?.isEmpty == true)
        value["null"] = .null
        #expect(value.objectValue?.count == 1)
    }

    @Test("parts of JSON values are read by a coding path")
    func arePointedAtByACodingPath() throws {
        struct Row: Decodable { var id: Int }
        let text = #"{"data":[{"id":1},{"id":"2"}]}"#
        let error = #expect(throws: DecodingError.self) {
            _ = try HeliumJSONDecoder().decode([String: [Row]].self, from: text)
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("another error")
            return
        }
        let path = context.codingPath.map { JSONPathElement($0) }
        #expect(path == ["data", 1, "id"])
        #expect(try JSONValue(parsing: text)[path: path] == "2")
    }

    @Test("JSON values are changed by name and index")
    func areChangedByNameAndIndex() {
        var value: JSONValue = [:]
        value["a"] = 1
        value["b"] = [1, 2]
        value["b"]?[0] = "x"
        value["b"]?[2] = 3
        value["b"]?[9] = 4
        value["b"]?[-1] = 4
        value["a"]?["no object"] = 4
        value["none"]?["x"] = 4
        value["n"] = .null
        #expect(value.description == #"{"a":1,"b":["x",2,3],"n":null}"#)
        value["a"] = nil
        value["none"] = nil
        value["b"]?[1] = nil
        value["b"]?[7] = nil
        #expect(value.description == #"{"b":["x",3],"n":null}"#)
        value["n"]?["made"] = true
        value["n"]?["none"] = nil
        #expect(value["n"] == ["made": true])
    }

    @Test("JSON values are changed by a path")
    func areChangedByPath() {
        var value: JSONValue = .null
        value["a", "b", "c"] = 1
        value["a", "list"] = []
        value["a", "list", 0] = ["id": 1]
        value["a", "list", 0, "id"] = 2
        value["a", "b", "c", "d"] = "a number has no members"
        value["x", 0] = "nothing to index"
        value["a", "list", 5, "id"] = "beyond"
        #expect(value.description == #"{"a":{"b":{"c":1},"list":[{"id":2}]}}"#)
        value["a", "none", "x"] = nil
        value["a", "b", "c"] = nil
        value["a", "list", 0] = nil
        #expect(value.description == #"{"a":{"b":{},"list":[]}}"#)
        value[path: []] = nil
        #expect(value["a"] != nil)
        value[path: []] = 7
        #expect(value == 7)
    }

    @Test("JSON values are changed in place")
    func changeInPlace() {
        // Were the array copied by each change, this would take minutes.
        var value: JSONValue = ["rows": .array(Array(repeating: ["n": 0], count: 100_000))]
        for index in 0..<100_000 {
            value["rows"]?[index]?["n"] = 1
            value["rows", .index(index), "m"] = 2
        }
        #expect(value["rows"]?.arrayValue?.allSatisfy { $0 == ["n": 1, "m": 2] } == true)
    }

    @Test("JSON values are compared by their meaning")
    func compareByMeaning() {
        #expect([1.0, "a", ["x": 1, "y": nil]] == [1, "a", ["y": nil, "x": 1e0]] as JSONValue)
        let distinct: [JSONValue] = [nil, false, true, 0, 1, "", "0", [], [nil], [[]], [:], ["a": nil]]
        #expect(Set(distinct).count == distinct.count)
    }
}
