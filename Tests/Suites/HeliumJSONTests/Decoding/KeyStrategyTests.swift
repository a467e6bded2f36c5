import Foundation
import HeliumJSON
import Testing

@Suite("Key strategies")
struct KeyStrategyTests {
    private let snakeCase = SideBySide { helium, foundation in
        helium.keyDecodingStrategy = .convertFromSnakeCase
        foundation.keyDecodingStrategy = .convertFromSnakeCase
    }

    @Test(
        "names in snake case are converted as by Foundation",
        arguments: [
            "a", "A", "", "_", "__", "___", "a_b", "a_b_c", "one_two_three", "_one_two", "one_two_", "__one_two__",
            "one__two", "one___two", "_one", "one_", "__one", "oneTwo", "oneTwo_three", "ONE_TWO", "One_Two", "one_TWO",
            "one_2_three", "one_2three", "1_2", "_1_2_", "a_", "_a", "a__", "é_é", "über_maß", "maß_straße", "i_ı_i",
            "one two_three four", "one-two_three-four", "url_of_html_page", "id", "user_id", "ǆ_ǆ", "a_é\u{301}b",
            "😀_b",
            "a.b_c.d", "_ _", "a_ _b", "İ_İ", "ﬁ_ﬁ", "o'neil_o'neil", "a_b1c", "HTTP_url", "a_\\u0062", "\\u005f",
            "x_\\n",
            "\\u0061_\\u0062", "one_twoThree", "a__b_c", "Ünïcode_Ünïcode", "日本_語", "_日本_語",
        ]
    )
    func snakeCaseNames(name: String) throws {
        let results = snakeCase.expectSameSteps("{\"\(name)\":1}") { decoder, recorder in
            recorder.step { try decoder.container(keyedBy: NameKey.self).allKeys.map(\.stringValue) }
        }
        #expect(results.count == 1)
        // And the member is found by that name, with the same path.
        let keys = try snakeCase.helium.decode(Keys.self, from: "{\"\(name)\":1}").keys
        snakeCase.expectSameSteps("{\"\(name)\":1}") { decoder, recorder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            for key in keys.map(AnyKey.init(stringValue:)) {
                recorder.step { container.contains(key) }
                recorder.step { try container.decode(Int.self, forKey: key) }
                recorder.step { try container.decode(String.self, forKey: key) }
                recorder.step { try container.decodeIfPresent(Bool.self, forKey: key) as Any }
            }
        }
    }

    private struct Keys: Decodable {
        let keys: [String]
        init(from decoder: any Decoder) throws {
            keys = try decoder.container(keyedBy: NameKey.self).allKeys.map(\.stringValue)
        }
    }

    private struct Model: Codable, Equatable {
        struct Inner: Codable, Equatable { var someValue: Int? }
        var userId: Int
        var innerModel: Inner?
        var listOfInner: [Inner]?
        var byName: [String: Inner]?
        var byLevel: [Int: Inner]?
    }

    @Test(
        "types are decoded by converted names, and dictionaries by their own",
        arguments: [
            #"{"user_id":1}"#, #"{"userId":1}"#, #"{"user_id":1,"userId":2}"#, #"{"userId":2,"user_id":1}"#, "{}",
            #"{"user_id":1,"inner_model":{"some_value":2}}"#, #"{"user_id":1,"inner_model":{"some_value":"x"}}"#,
            #"{"user_id":1,"list_of_inner":[{"some_value":2},{}]}"#,
            #"{"user_id":1,"list_of_inner":[{"some_value":2},{"some_value":true}]}"#,
            #"{"user_id":1,"by_name":{"some_key":{"some_value":2},"other_key":{}}}"#,
            #"{"user_id":1,"by_name":{"some_key":{"some_value":[]}}}"#, #"{"user_id":1,"by_name":{"some_key":3}}"#,
            #"{"user_id":1,"by_level":{"1":{"some_value":2}}}"#, #"{"user_id":1,"by_level":{"1":{"some_value":{}}}}"#,
            #"{"user_id":null}"#, #"{"user_\u0069d":7}"#,
        ]
    )
    func models(document: String) {
        snakeCase.expectSame(Model.self, document)
        snakeCase.expectSame([Model].self, "[\(document)]")
        snakeCase.expectSame([String: [Model]].self, "{\"a_b\":[\(document)]}")
        snakeCase.expectSame([String: [String: Model?]].self, "{\"a_b\":{\"c_d\":\(document)}}")
    }

    @Test("a custom key strategy gets the coding path with the name last")
    func custom() {
        let both = SideBySide { helium, foundation in
            let convert: @Sendable ([any CodingKey]) -> any CodingKey = { path in
                let last = path.last?.stringValue ?? ""
                return AnyKey(stringValue: "\(path.count)-\(last.lowercased())")
            }
            helium.keyDecodingStrategy = .custom(convert)
            foundation.keyDecodingStrategy = .custom(convert)
        }
        let document = #"{"A":{"B":[{"C":1}]},"a":2,"SUPER":{"X":1},"D":{"E":null}}"#
        both.expectSameSteps(document) { decoder, recorder in
            let container = try decoder.container(keyedBy: NameKey.self)
            recorder.step { container.allKeys.map(\.stringValue).sorted() }
            recorder.step { try container.decode(Int.self, forKey: "1-a") }
            recorder.step { container.contains("A") }
            let a = try container.nestedContainer(keyedBy: NameKey.self, forKey: "1-a")
            recorder.path(a.codingPath)
            recorder.step { a.allKeys.map(\.stringValue) }
            var b = try a.nestedUnkeyedContainer(forKey: "2-b")
            recorder.path(b.codingPath)
            let c = try b.nestedContainer(keyedBy: NameKey.self)
            recorder.step { c.allKeys.map(\.stringValue) }
            recorder.step { try c.decode(String.self, forKey: "4-c") }
            recorder.step { try c.decode(String.self, forKey: "none") }
            recorder.step { try container.decode([String: Int].self, forKey: "1-d") }
            recorder.step { try container.decode([String: Int?].self, forKey: "1-d") }
            recorder.step { try container.superDecoder().singleValueContainer().decodeNil() }
            recorder.step { try container.superDecoder(forKey: "1-super").singleValueContainer().decodeNil() }
        }
        let toSuper = SideBySide { helium, foundation in
            let convert: @Sendable ([any CodingKey]) -> any CodingKey = { path in
                path.last?.stringValue == "parent" ? AnyKey("super") : path.last ?? AnyKey("")
            }
            helium.keyDecodingStrategy = .custom(convert)
            foundation.keyDecodingStrategy = .custom(convert)
        }
        toSuper.expectSameSteps(#"{"parent":7}"#) { decoder, recorder in
            recorder.step { try Int(from: decoder.container(keyedBy: Few.self).superDecoder()) }
            recorder.step { try Int(from: decoder.container(keyedBy: NameKey.self).superDecoder()) }
        }
        both.expectSame([String: Int].self, #"{"A":1,"B":2}"#)
        both.expectSame([Everything].self, #"[{"A":1,"B":[{"C":null}]}]"#)
    }

    private enum Few: CodingKey { case a }

    @Test("the first of two names that become one counts")
    func collisions() {
        let both = SideBySide { helium, foundation in
            helium.keyDecodingStrategy = .custom { _ in AnyKey("same") }
            foundation.keyDecodingStrategy = .custom { _ in AnyKey("same") }
        }
        both.expectSameSteps(#"{"a":1,"b":2}"#) { decoder, recorder in
            let container = try decoder.container(keyedBy: NameKey.self)
            recorder.step { container.allKeys.map(\.stringValue) }
            recorder.step { try container.decode(Int.self, forKey: "same") }
        }
        snakeCase.expectSameSteps(#"{"a_b":1,"aB":2}"#) { decoder, recorder in
            recorder.step { try decoder.container(keyedBy: NameKey.self).decode(Int.self, forKey: "aB") }
        }
    }

    @Test("names of enumeration cases with values are converted too")
    func enumerations() {
        snakeCase.expectSame(Shape.self, #"{"big_circle":{"outer_radius":1.5}}"#)
        snakeCase.expectSame(Shape.self, #"{"bigCircle":{"outerRadius":1.5}}"#)
        snakeCase.expectSame(Shape.self, #"{"big_circle":{"outer_radius":"x"}}"#)
        snakeCase.expectSame([Shape].self, #"[{"big_circle":{}}]"#)
    }

    private enum Shape: Codable, Equatable { case bigCircle(outerRadius: Double) }
}
