import Foundation
import HeliumJSON
import Testing

@Suite("Positions of errors in JSON")
struct ErrorLocationTests {
    private func location<Value: Decodable>(_ type: Value.Type, _ document: String) -> JSONLocation? {
        #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(type, from: document) }?.jsonLocation
    }

    @Test(
        "syntax errors in JSON have line, column and byte",
        arguments: [
            ("", 1, 1, 0), ("x", 1, 1, 0), (" x", 1, 2, 1), ("\nx", 2, 1, 1), ("\n\n  x", 3, 3, 4),
            ("[\n1,\n]", 3, 1, 5),
            ("\r\nx", 2, 1, 2), ("\rx", 1, 2, 1), ("[\"é\",x]", 1, 6, 6), ("[\"🎏\",x]", 1, 6, 8),
            ("[\"日本\",\nx]", 2, 1, 11),
            ("\u{FEFF}x", 1, 2, 3), ("[1,\n2", 2, 2, 5), ("{\"a\":\n\n\ttru}", 3, 2, 8), ("\"a\nb\"", 1, 3, 2),
            ("[\"é\\q\"]", 1, 4, 4), ("[\n\"e\u{301}\", 01]", 2, 7, 9), ("1\n", 0, 0, 0), ("1\n2", 2, 1, 2),
        ]
    )
    func syntax(document: String, line: Int, column: Int, byte: Int) throws {
        if line == 0 {
            #expect(throws: Never.self) { try HeliumJSONDecoder().decode(Anything.self, from: document) }
        } else {
            let expected = JSONLocation(line: line, column: column, byteOffset: byte)
            #expect(location(Anything.self, document) == expected)
        }
    }

    @Test("errors of a wrong type have the position of the value's first byte")
    func values() {
        #expect(location([Int].self, "[1,\n \"é\"]") == JSONLocation(line: 2, column: 2, byteOffset: 5))
        #expect(location([Int].self, "[\"é\",\"\\n\"]") == JSONLocation(line: 1, column: 2, byteOffset: 1))
        #expect(location([String: Int].self, "{\"é\":\n{}}") == JSONLocation(line: 2, column: 1, byteOffset: 7))
        #expect(location([[Int]].self, "[[],\n[],\n null]") == JSONLocation(line: 3, column: 2, byteOffset: 10))
        #expect(location([String].self, " {}") == JSONLocation(line: 1, column: 2, byteOffset: 1))
        #expect(location(Int8.self, "\n128") == JSONLocation(line: 2, column: 1, byteOffset: 1))
        #expect(location(Named.self, "\n {\"nam\":1}") == JSONLocation(line: 2, column: 2, byteOffset: 2))
        #expect(location(Named.self, "{\"name\": 1}") == JSONLocation(line: 1, column: 10, byteOffset: 9))
    }

    private struct Named: Decodable { var name: String }

    /// Places are remembered by the 256 bytes.
    @Test("positions of errors far into a document are right, in any order")
    func far() throws {
        let lines = (0..<1500).map { "\"\(String(repeating: "é", count: $0 % 13))\"" }
        let document = "[" + lines.joined(separator: ",\n") + "]"
        let places = try HeliumJSONDecoder().decode(Places.self, from: document).places
        #expect(places.count == 1500)
        for (index, place) in places {
            #expect(place.line == index + 1)
            #expect(place.column == (index == 0 ? 2 : 1))
        }
        #expect(Set(places.map(\.1.byteOffset)).count == 1500)
    }

    /// The places of all elements, by failing at each: every other on the way there, the others on the way back.
    private struct Places: Decodable {
        var places: [(Int, JSONLocation)] = []

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            var elements: [any Decoder] = []
            while !container.isAtEnd { elements.append(try container.superDecoder()) }
            for index in Array(stride(from: 0, to: elements.count, by: 2))
                + stride(from: 1, to: elements.count, by: 2).reversed()
            {
                do {
                    _ = try Int(from: elements[index])
                } catch let error as DecodingError {
                    if let place = error.jsonLocation { places.append((index, place)) }
                }
            }
        }
    }

    @Test("descriptions of errors have the position, and quote at most a character")
    func descriptions() {
        let secret = "hunter2hunter2"
        for document in ["[\"\(secret)\",]", "{\"\(secret)\":\(secret)}", "\"\(secret)", "[\"\(secret)\"]"] {
            do {
                _ = try HeliumJSONDecoder().decode([Int].self, from: document)
                Issue.record("no error")
            } catch DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context) {
                let error = context.underlyingError as? JSONError
                #expect(error?.description.contains(secret) == false)
                #expect(error?.description.contains("line 1, column ") == true)
                #expect(context.debugDescription.contains(secret) == false)
                #expect(context.debugDescription.contains("line 1, column ") == true)
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    @Test("errors that other types throw have no position")
    func others() {
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Int.self, from: Data("x".utf8)) }
        #expect(error?.jsonLocation == nil)
    }
}
