import HeliumJSON
import TestSupport
import Testing

@Suite("JSON objects") struct JSONObjectTests {
    /// Sizes on both sides of where members get an index.
    static let counts = [0, 1, 2, 7, 23, 24, 25, 26, 50, 300]

    private func object(_ count: Int) -> JSONObject {
        JSONObject((0..<count).map { ("member number \($0)", JSONValue.number(JSONNumber($0))) })
    }

    @Test("an empty JSON object takes one word of memory")
    func anEmptyOneIsAWord() {
        #expect(MemoryLayout<JSONObject>.size == MemoryLayout<Int>.size)
    }

    @Test("JSON objects find every member and no other", arguments: counts) func find(count: Int) {
        let object = object(count)
        #expect(object.count == count)
        #expect(object.names.map { $0 } == (0..<count).map { "member number \($0)" })
        for index in 0..<count {
            #expect(object["member number \(index)"]?.intValue == index)
            #expect(object[index].value.intValue == index)
        }
        #expect(object["member number \(count)"] == nil)
        #expect(object[""] == nil)
    }

    @Test("changing a copy of a JSON object does not change the original", arguments: counts) func copyOnWrite(
        count: Int
    ) {
        let original = object(count)
        var copy = original
        copy["new"] = true
        if count > 0 { copy["member number 0"] = "changed" }
        #expect(original == object(count))
        #expect(copy.count == count + 1)
        #expect(copy["new"] == true)
        #expect(copy.names.last == "new")
        copy.removeValue(named: "new")
        if count > 0 { copy["member number 0"] = 0 }
        #expect(copy == original)
        #expect(copy.hashValue == original.hashValue)
    }

    @Test("JSON objects behave as a list of pairs", .tags(.random), arguments: ProofLength.seeds(5))
    func model(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var object = JSONObject()
        var pairs: [(String, Int)] = []
        for step in 0..<400 {
            let name = "n\(Int.random(in: 0..<60, using: &random))"
            let position = pairs.firstIndex { $0.0 == name }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                #expect(object.removeValue(named: name)?.intValue == position.map { pairs[$0].1 })
                if let position { pairs.remove(at: position) }
            case 1:
                object[name]?[0] = .number(JSONNumber(step))  // No array: nothing changes.
            default:
                object[name] = .number(JSONNumber(step))
                if let position { pairs[position].1 = step } else { pairs.append((name, step)) }
            }
            #expect(object[name]?.intValue == pairs.first { $0.0 == name }?.1)
        }
        #expect(object.map(\.name) == pairs.map(\.0))
        #expect(object.map(\.value.intValue) == pairs.map(\.1))
    }

    @Test("JSON objects are equal for any order of members", arguments: counts) func order(count: Int) {
        let members = (0..<count).map { ("n\($0)", JSONValue.number(JSONNumber($0))) }
        let object = JSONObject(members)
        let reversed = JSONObject(members.reversed())
        #expect(object == reversed)
        #expect(object.hashValue == reversed.hashValue)
        guard count > 0 else { return }
        var other = object
        other["n0"] = -1
        #expect(other != object)
        other["n0"] = nil
        #expect(other != object)
        other["m0"] = 0
        #expect(other != object)
    }

    @Test("the first member of a repeated name counts in a JSON object")
    func theFirstOfARepeatedNameCounts() throws {
        let literal: JSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(literal.description == #"{"a":1,"b":2}"#)
        #expect(try JSONValue(parsing: #"{"a":1,"b":2,"\u0061":3,"a":4}"#).text() == #"{"a":1,"b":2}"#)
        let many = (0..<100).map { "\"n\($0 % 40)\":\($0)" }.joined(separator: ",")
        let object = try #require(JSONValue(parsing: "{\(many)}").objectValue)
        #expect(object.count == 40)
        #expect(object["n39"] == 39)
    }

    @Test("names in a JSON object are compared by their bytes")
    func namesAreToldApartByTheirBytes() throws {
        let text = "{\"\u{E9}\":1,\"e\u{301}\":2}"
        let object = try #require(JSONValue(parsing: text).objectValue)
        #expect(object["\u{E9}"] == 1)
        #expect(object["e\u{301}"] == 2)
        #expect(object.description.utf8.elementsEqual(text.utf8))
        // The same number of bytes, and equal as strings.
        let marks: JSONObject = ["a\u{323}\u{307}": 1, "a\u{307}\u{323}": 2]
        #expect(marks.count == 2)
    }

    @Test("JSON objects are merged in order")
    func mergeInOrder() {
        let left: JSONObject = ["a": 1, "b": 2]
        let right: JSONObject = ["c": 3, "a": 4]
        let merged = left.merging(right) { old, new in [old, new] }
        #expect(merged.description == #"{"a":[1,4],"b":2,"c":3}"#)
        #expect(left.count == 2)
    }

    @Test("merging JSON objects throws the closure's error")
    func mergeThrowsWhatTheClosureThrows() {
        struct Refused: Error {}
        var object: JSONObject = ["a": 1]
        #expect(throws: Refused.self) { try object.merge(["b": 2, "a": 3]) { _, _ in throw Refused() } }
        #expect(object["a"] == 1)
    }
}
