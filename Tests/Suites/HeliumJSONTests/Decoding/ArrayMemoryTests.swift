import Foundation
import HeliumJSON
import Testing

/// Values that are stored into memory of their size, at the lengths at which arrays and values are stored in other ways.
@Suite("Arrays and large values")
struct ArrayMemoryTests {
    /// A value of 80 bytes that reads itself.
    private struct Wide: JSONReadable, Equatable {
        var texts: [String] { [a, b, c, d, e] }
        private let a, b, c, d, e: String

        init(_ text: String) {
            (a, b, c, d, e) = (text + "a", text + "b", text + "c", text + "d", text + "e")
        }

        init(json: borrowing JSONReader) throws {
            let texts: [String] = try json.read()
            guard texts.count == 5 else { throw json.corrupted("not five texts") }
            (a, b, c, d, e) = (texts[0], texts[1], texts[2], texts[3], texts[4])
        }

        init(from decoder: any Decoder) throws {
            Issue.record("a readable type reads itself")
            self.init("")
        }

        var json: String { "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
    }

    private struct Plain: Decodable, Equatable {
        var number: Int
        var text: String
    }

    private struct Holder: Decodable, Equatable {
        var wide: Wide
        var none: Wide?
        var all: [Wide]
    }

    /// On both sides of the number of elements up to which elements are appended.
    private static let counts = [0, 1, 2, 5, 6, 7, 8, 100]

    private func array(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    @Test("arrays of every kind of element have all elements in order", arguments: counts)
    func elements(count: Int) throws {
        let decoder = HeliumJSONDecoder()
        let plain = try decoder.decode(
            [Plain].self,
            from: array(count) { "{\"number\":\($0),\"text\":\"text \($0)\"}" }
        )
        #expect(plain == (0..<count).map { Plain(number: $0, text: "text \($0)") })
        let long = "a text that is too long to be stored inline"
        let texts = try decoder.decode([String].self, from: array(count) { "\"\($0) \(long)\"" })
        #expect(texts == (0..<count).map { "\($0) \(long)" })
        let nested = try decoder.decode([[Int128]].self, from: array(count) { number in array(number) { "\($0)" } })
        #expect(nested == (0..<count).map { (0..<$0).map { Int128($0) } })
        let dates = try decoder.decode([Date].self, from: array(count) { "\"2016-02-12T08:00:\($0 % 50 + 10)Z\"" })
        #expect(dates.map(\.timeIntervalSince1970) == (0..<count).map { 1_455_264_010 + Double($0 % 50) })
        let wide = try decoder.decode([Wide].self, from: array(count) { Wide("long text number \($0)").json })
        #expect(wide == (0..<count).map { Wide("long text number \($0)") })
    }

    @Test("a large value that reads itself is a member and an element", arguments: counts)
    func large(count: Int) throws {
        let wide = Wide("a text that is not stored inline, ")
        let document = "{\"wide\":\(wide.json),\"all\":\(array(count) { _ in wide.json })}"
        let holder = try HeliumJSONDecoder().decode(Holder.self, from: document)
        #expect(holder.wide == wide)
        #expect(holder.none == nil)
        #expect(holder.all == [Wide](repeating: wide, count: count))
        let members = try HeliumJSONDecoder().decode([String: Wide].self, from: "{\"a\":\(wide.json)}")
        #expect(members == ["a": wide])
    }

    @Test("an element with a fault is an error, and the elements before it are released", arguments: counts)
    func fault(count: Int) {
        let wide = Wide("a text that is not stored inline, ")
        let arrays = array(count) { _ in wide.json }
        let objects = array(count) { _ in "{\"number\":1,\"text\":\"\(wide.texts[0])\"}" }
        for document in [arrays, objects] {
            let faulty = String(document.dropLast()) + (count == 0 ? "[]]" : ",[]]")
            #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode([Wide].self, from: faulty) }
            #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode([Plain].self, from: faulty) }
        }
    }

    @Test("containers for the keys of many types are not mixed up")
    func keys() throws {
        struct First: Decodable { var a: Int }
        struct Second: Decodable { var a: String }
        struct Third: Decodable {
            var first: First
            var second: Second
        }
        let document = #"[{"first":{"a":1},"second":{"a":"x"}},{"first":{"a":2},"second":{"a":"y"}}]"#
        for _ in 0..<3 {
            let all = try HeliumJSONDecoder().decode([Third].self, from: document)
            #expect(all.map(\.first.a) == [1, 2])
            #expect(all.map(\.second.a) == ["x", "y"])
        }
    }
}
