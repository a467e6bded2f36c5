import Foundation
import HeliumJSON
import Testing

@Suite("Types of the standard library and Foundation")
struct StandardTypeTests {
    private let both = SideBySide()

    private enum Color: String, Codable, CodingKeyRepresentable, CaseIterable { case red, green }
    private enum Level: Int, Codable, CodingKeyRepresentable { case low = 1, high = 2 }
    private enum Plain: Codable, Equatable { case a, b }

    private enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
        case square(Int)
        case box(Int, height: Int?, Color)
        indirect case group([Shape])
    }

    private struct Identifier: RawRepresentable, Codable, Hashable {
        var rawValue: String
        init(rawValue: String) { self.rawValue = rawValue }
    }

    private struct Tags: OptionSet, Codable { let rawValue: UInt8 }

    @Test(
        "enumerations are decoded by their raw values",
        arguments: [
            "\"red\"", "\"blue\"", "1", "3", "2.0", "null", "{}", "{\"a\":{}}", "{\"b\":{},\"a\":{}}", "{\"c\":{}}",
            "{\"a\":null}", "{\"a\":1}", "[]", "\"a\"", "[\"red\"]",
        ]
    )
    func enumerations(document: String) {
        both.expectSame(Color.self, document)
        both.expectSame(Level.self, document)
        both.expectSame(Color?.self, document)
        both.expectSame(Plain.self, document)
        both.expectSame([Color].self, document)
        both.expectSame(Identifier.self, document)
        both.expectSame(Tags.self, document)
        both.expectSame([Color].self, "[\(document)]")
        both.expectSame([Level?].self, "[\(document)]")
        both.expectSame([String: Identifier].self, "{\"a\":\(document)}")
    }

    @Test(
        "enumerations with associated values are decoded",
        arguments: [
            #"{"point":{}}"#, #"{"circle":{"radius":1.5}}"#, #"{"square":{"_0":4}}"#, #"{"circle":{}}"#,
            #"{"box":{"_0":1,"height":null,"_2":"red"}}"#, #"{"box":{"_0":1,"_2":"green"}}"#, #"{"box":{"_0":1}}"#,
            #"{"group":{"_0":[{"point":{}},{"group":{"_0":[]}}]}}"#, #"{"group":{"_0":[{"point":{}},{"x":{}}]}}"#,
            #"{"point":{},"square":{"_0":1}}"#, #"{"square":1}"#, #"{"square":null}"#, #"{"x":{}}"#, "{}", "null", "[]",
            #"{"square":{"_0":"4"}}"#, #"{"square":{"_0":4},"square":{"_0":5}}"#, #"{"squ\u0061re":{"\u005f0":4}}"#,
        ]
    )
    func enumerationsWithValues(document: String) {
        both.expectSame(Shape.self, document)
        both.expectSame([Shape?].self, "[\(document)]")
    }

    @Test(
        "dictionaries by names are decoded",
        arguments: [
            "{}", #"{"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":null}"#, #"{"":1,"é":2,"\u0000":3}"#, "[]", "null", "1",
            #"{"a":1,"\u0061":2}"#, "{\"é\":1,\"e\u{301}\":2}", "{\"e\u{301}\":1,\"é\":2}", #"{"red":1,"green":2}"#,
            #"{"1":1,"2":2}"#, #"{"01":2}"#, #"{"-1":1}"#, #"{"x":1}"#, #"{"9223372036854775808":1}"#,
            #"["a",1]"#,
            #"["red",1,"green",2]"#, "[1,1,2,2]", #"["red",1,"green"]"#, #"{"1":{}}"#, #"{"1":1,"1":2}"#,
            "{\"\u{212A}\":1,\"K\":2}",
        ]
    )
    func dictionaries(document: String) {
        both.expectSame([String: Int].self, document)
        both.expectSame([String: Int?].self, document)
        both.expectSame([String: Everything].self, document)
        both.expectSame([Int: Int].self, document, comparing: .kind)
        both.expectSame([Color: Int].self, document, comparing: .kind)
        both.expectSame([Level: Int].self, document, comparing: .kind)
        both.expectSame([Identifier: Int].self, document)
        both.expectSame([Double: Int].self, document)
        both.expectSame([UInt8: Int].self, document)
        both.expectSame([String: [String: Int]].self, "{\"a\":\(document)}")
        both.expectSame([String: [Int: Int]?].self, "{\"a\":\(document)}", comparing: .kind)
    }

    @Test(
        "nested optionals and sequences are decoded",
        arguments: ["null", "1", "[]", "[null]", "[1,null]", "[[null],null]", "[1,1,2]", "{\"a\":null}", "\"a\""]
    )
    func optionals(document: String) {
        both.expectSame(Int?.self, document)
        both.expectSame(Int??.self, document)
        both.expectSame(Int???.self, document)
        both.expectSame([Int??].self, document)
        both.expectSame([Int?]?.self, document)
        both.expectSame([[Int?]?]??.self, document)
        both.expectSame([String: Int??].self, document)
        both.expectSame(Set<Int>.self, document)
        both.expectSame(ContiguousArray<Int>.self, document)
        both.expectSame(Everything?.self, document)
    }

    @Test(
        "ranges, UUIDs and other types of the standard library are decoded",
        arguments: [
            "[1,2]", "[2,1]", "[1]", "[1,2,3]", "[1.5,2.5]", "[]", "null", #"["a","b"]"#, "[0.25,0.75,0.5,1]",
            "[[1,2],[3,4]]",
            #""6BA7B810-9DAD-11D1-80B4-00C04FD430C8""#, #""6ba7b810""#, #"{"identifier":"de_DE"}"#, #""a""#, "7",
            #"{"value":1.5,"unit":{"symbol":"m"}}"#, #"{"identifier":"Europe/Berlin"}"#, #"{"length":2,"location":1}"#,
            #"{"indexes":[{"location":1,"length":2}]}"#, #"{"year":2016,"month":2}"#, #"{"start":0,"duration":3600}"#,
        ]
    )
    func others(document: String) {
        both.expectSame(Range<Int>.self, document)
        both.expectSame(ClosedRange<Double>.self, document)
        both.expectSame(UUID.self, document)
        both.expectSame(Locale.self, document)
        both.expectSame(TimeZone.self, document)
        both.expectSame(IndexSet.self, document)
        both.expectSame(DateInterval.self, document)
        both.expectSame(SIMD4<Float>.self, document)
        both.expectSame(DateComponents.self, document)
    }

    @Test(
        "URLs are decoded",
        arguments: [
            "https://example.com/a?b=c#d", "", " ", "a b", "ü", "https://bücher.example/ü?q=ä", "http://[::1]/", "%",
            "mailto:a@b.example", "//a", "/a/../b", "http://a:99999999/", "\\\\", "http://exa mple.com", "a\\u0000b",
            "https:\\/\\/example.com\\/", "data:,x", "file:///tmp", "%zz", "[", "http://[",
        ]
    )
    func urls(text: String) {
        both.expectSame(URL.self, "\"\(text)\"")
        both.expectSame([String: URL?].self, "{\"a\":\"\(text)\"}")
    }
}
