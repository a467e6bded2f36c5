import Foundation
import HeliumJSON
import TestSupport
import Testing

@Suite("Limits of documents")
struct LimitTests {
    private func decoder(_ limits: JSONLimits) -> HeliumJSONDecoder {
        var decoder = HeliumJSONDecoder()
        decoder.limits = limits
        return decoder
    }

    private func nested(_ depth: Int, _ open: String = "[", _ close: String = "]") -> [UInt8] {
        Array((String(repeating: open, count: depth) + String(repeating: close, count: depth)).utf8)
    }

    private func error(_ limits: JSONLimits, _ document: [UInt8]) -> JSONError? {
        do {
            _ = try decoder(limits).decode(Anything.self, from: document)
            return nil
        } catch DecodingError.dataCorrupted(let context) {
            return context.underlyingError as? JSONError
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test("512 nested arrays are read, as by Foundation, and one more is refused")
    func defaultDepth() {
        #expect(error(JSONLimits(), nested(512)) == nil)
        #expect(error(JSONLimits(), nested(512, "{\"a\":[", "]}"))?.location.byteOffset == 6 * 256)
        #expect(error(JSONLimits(), nested(256, "{\"a\":[", "]}")) == nil)
        let fault = error(JSONLimits(), nested(513))
        #expect(fault?.location == JSONLocation(line: 1, column: 513, byteOffset: 512))
        #expect(fault?.reason.contains("maximumDepth") == true)

        let both = SideBySide()
        for depth in [511, 512, 513] {
            let (helium, foundation) = both.outcomes(Anything.self, nested(depth))
            #expect((helium.value == nil) == (foundation.value == nil))
        }
    }

    @Test("the depth of a document counts open arrays and objects only", arguments: [0, 1, 2, 3])
    func depth(limit: Int) {
        let limits = JSONLimits(maximumDepth: limit)
        #expect(error(limits, Array("1".utf8)) == nil)
        for depth in 1...4 {
            #expect((error(limits, nested(depth)) == nil) == (depth <= limit))
            #expect((error(limits, nested(depth, "{\"a\":[", "]}")) == nil) == (2 * depth <= limit))
        }
        let flat = Array(("[" + String(repeating: "[],{},", count: 100) + "1]").utf8)
        #expect((error(limits, flat) == nil) == (limit >= 2))
    }

    @Test("hundreds of thousands of brackets use no stack", .tags(.random), arguments: ["[", "{\"a\":"])
    func manyBrackets(open: String) {
        let (unclosed, closed) = brackets(ProofLength.count(200_000, full: 1_000_000), open)
        #expect(error(JSONLimits(), unclosed)?.location.byteOffset == 512 * open.utf8.count)
        let unlimited = JSONLimits(maximumDepth: .max)
        #expect(error(unlimited, closed) == nil)
        #expect(error(unlimited, unclosed)?.location.byteOffset == unclosed.count)
    }

    @Test("brackets without a limit are counted", arguments: ["[", "{\"a\":"])
    func unlimitedDepth(open: String) throws {
        let (_, closed) = brackets(10_000, open)
        let unlimited = JSONLimits(maximumDepth: .max)
        #expect(error(JSONLimits(maximumDepth: 10_000, duplicateMembers: .refused), closed) == nil)
        #expect(error(JSONLimits(maximumDepth: 9999), closed) != nil)
        #expect(error(unlimited, Array(closed.dropLast()))?.location.byteOffset == closed.count - 1)
        #expect(error(unlimited, closed + [0x5D])?.location.byteOffset == closed.count)
        if open != "[" {
            let value = try decoder(unlimited).decode([String: Anything].self, from: Data(closed), at: ["a", "a", "a"])
            #expect(value?.keys.sorted() == ["a"])
        }
    }

    private func brackets(_ count: Int, _ open: String) -> (unclosed: [UInt8], closed: [UInt8]) {
        let unclosed = Array(String(repeating: open, count: count).utf8)
        return (unclosed, unclosed + [0x31] + Array(repeating: open == "[" ? 0x5D : 0x7D, count: count))
    }

    @Test("a document of the maximum length is read, and a longer one is refused")
    func bytes() {
        let document = Array("[1, 22]".utf8)
        #expect(error(JSONLimits(maximumBytes: document.count), document) == nil)
        let fault = error(JSONLimits(maximumBytes: document.count - 1), document)
        #expect(fault?.location.byteOffset == document.count - 1)
        #expect(fault?.reason.contains("maximumBytes") == true)
        #expect(error(JSONLimits(maximumBytes: 0), document) != nil)
        #expect(error(JSONLimits(maximumBytes: -1), document) != nil)
        #expect(error(JSONLimits(maximumBytes: 0), []) != nil)
    }

    @Test(
        "the number of values counts names, arrays and objects",
        arguments: [
            ("1", 1), ("[]", 1), ("[1,2,3]", 4), ("{\"a\":1,\"b\":[true]}", 6), ("[[],[]]", 3), ("[[[[1]]]]", 5),
            ("[" + String(repeating: "1,", count: 999) + "1]", 1001),
        ]
    )
    func values(document: String, count: Int) {
        #expect(error(JSONLimits(maximumValues: count), Array(document.utf8)) == nil)
        for less in [count - 1, count / 2, 0, -1, .min] where less < count {
            let fault = error(JSONLimits(maximumValues: less), Array(document.utf8))
            #expect(fault?.reason.contains("maximumValues") == true, "\(less)")
        }
    }

    @Test(
        "a name has up to 256 combining marks in a row, and a value any number",
        arguments: ["\u{301}\u{316}", "\\u0301\\u0316"]
    )
    func nameMarks(pair: String) throws {
        func document(_ pairs: Int, _ after: String = "") -> [UInt8] {
            Array(
                #"{"x":"\#(String(repeating: pair, count: 1000))","a\#(String(repeating: pair, count: pairs))\#(after)":1}"#
                    .utf8
            )
        }
        #expect(error(JSONLimits(), document(128, "b" + pair)) == nil)
        let fault = error(JSONLimits(), document(129))
        #expect(fault?.reason.contains("maximumNameMarks") == true)
        #expect(fault?.location.byteOffset == document(0).count - #""a":1}"#.utf8.count)
        #expect(error(JSONLimits(maximumNameMarks: 2000), document(1000)) == nil)
        #expect(error(JSONLimits(maximumNameMarks: .max), document(1000)) == nil)
        for limit in [0, -1, .min] {
            #expect(error(JSONLimits(maximumNameMarks: limit), document(0)) == nil)
            #expect(error(JSONLimits(maximumNameMarks: limit), document(1)) != nil)
        }
    }

    @Test("negative limits refuse every document and do not trap")
    func negative() {
        for depth in [-1, .min] {
            #expect(error(JSONLimits(maximumDepth: depth), Array("1".utf8)) == nil)
            #expect(error(JSONLimits(maximumDepth: depth), Array("[]".utf8)) != nil)
        }
        #expect(error(JSONLimits(maximumBytes: .min), Array("1".utf8)) != nil)
    }
}

@Suite("Repeated members")
struct DuplicateMemberTests {
    private func decoder() -> HeliumJSONDecoder {
        var decoder = HeliumJSONDecoder()
        decoder.limits.duplicateMembers = .refused
        return decoder
    }

    @Test(
        "repeated members are refused at the second, wherever they are",
        arguments: [
            (#"{"a":1,"a":2}"#, 7), (#"{"a":1,"b":2,"a":1}"#, 13), (#"[{"a":{"b":1,"b":2}}]"#, 13),
            (#"{"":1,"":2}"#, 6), (#"{"a":1,"\u0061":2}"#, 7), (#"{"\u0061":1,"a":2}"#, 12),
            (#"{"\u0061\u00e9":1,"aé":2}"#, 18), (#"{"\/":1,"/":2}"#, 8), (#"{"\ud83d\ude00":1,"😀":2}"#, 18),
            (#"{"a":{"a":1},"a":2}"#, 13), (#"{"\u0000":1,"\u0000":2}"#, 12),
        ]
    )
    func refused(document: String, offset: Int) {
        let error = #expect(throws: DecodingError.self) { try decoder().decode(Anything.self, from: document) }
        #expect(error?.jsonLocation?.byteOffset == offset)
        #expect(throws: Never.self) { try HeliumJSONDecoder().decode(Anything.self, from: document) }
    }

    @Test(
        "members with names that only look equal are not repeated",
        arguments: [
            #"{"a":1,"b":2}"#, #"{"a":1,"A":2}"#, #"{"a":{"a":{"a":1}}}"#, #"[{"a":1},{"a":1}]"#, #"{"":1," ":2}"#,
            "{\"\u{E9}\":1,\"e\u{301}\":2}", #"{"K":1,"\u212a":2}"#, #"{"a\u0000":1,"a":2}"#, #"{"a":"a","b":"a"}"#,
        ]
    )
    func accepted(document: String) {
        #expect(throws: Never.self) { try decoder().decode(Anything.self, from: document) }
    }

    @Test("a repeated name is found as the last of many members")
    func many() {
        let members = (0..<10_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        #expect(throws: Never.self) { try decoder().decode(Anything.self, from: "{\(members)}") }
        #expect(throws: DecodingError.self) { try decoder().decode(Anything.self, from: "{\(members),\"k77\":0}") }
    }
}
