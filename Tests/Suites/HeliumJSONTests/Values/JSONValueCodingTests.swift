import Foundation
import HeliumJSON
import Testing

@Suite("JSON values in Codable types") struct JSONValueCodingTests {
    struct Model: Codable, Equatable {
        var someValue: JSONValue
        var someObject: JSONObject
        var someNumber: JSONNumber
        var optional: JSONValue?
        var list: [JSONValue]
    }

    static let text =
        #"{"some_value":{"under_score":[1.0,1e400,null,"é\n"]},"some_object":{"z_z":1,"a_a":{"b_b":2}},"some_number":-0,"optional":null,"list":[1,"2"]}"#

    @Test("JSON values in Codable types are decoded unchanged")
    func areReadAsTheyStand() throws {
        var decoder = HeliumJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let model = try decoder.decode(Model.self, from: Self.text)
        #expect(model.someValue.text() == #"{"under_score":[1.0,1e400,null,"é\n"]}"#)
        #expect(model.someObject.description == #"{"z_z":1,"a_a":{"b_b":2}}"#)
        #expect(model.someNumber.description == "-0")
        #expect(model.optional == nil)
        #expect(model.list == [1, "2"])
    }

    @Test("wrappers of JSON values decode them in their initializer")
    func wrappersReadThemByInit() throws {
        struct Wrapper: Decodable {
            let value: JSONValue
            let number: JSONNumber?
            let object: JSONObject?
            init(from decoder: any Decoder) throws {
                value = try JSONValue(from: decoder)
                number = try? JSONNumber(from: decoder)
                object = try? JSONObject(from: decoder)
            }
        }
        let wrappers = try HeliumJSONDecoder().decode([Wrapper].self, from: #"[1.0,{"b":1,"a":2}]"#)
        #expect(wrappers[0].value.text() == "1.0")
        #expect(wrappers[0].number?.description == "1.0")
        #expect(wrappers[0].object == nil)
        #expect(wrappers[1].object?.description == #"{"b":1,"a":2}"#)
        #expect(wrappers[1].number == nil)
    }

    @Test("JSON values are encoded and decoded by Foundation's coders")
    func goThroughFoundationsCodersBothWays() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        var model = try decoder.decode(Model.self, from: Data(Self.text.replacing("1e400", with: "4").utf8))
        #expect(model.someValue == ["under_score": [1, 4, nil, "é\n"]])
        #expect(model.someObject == ["z_z": 1, "a_a": ["b_b": 2]])
        #expect(model.someNumber == 0)
        model.optional = true
        #expect(try decoder.decode(Model.self, from: encoder.encode(model)) == model)
    }

    @Test(
        "numbers of JSON values are as exact with Foundation's coders as these allow",
        arguments: [
            "0", "-1", "9223372036854775807", "18446744073709551615", "0.1", "-3.141592653589793", "1e300", "5e-324",
            "123456789012345678901234567890", "0.12345678901234567890123456789", "1e-130", "1.7976931348623157e308",
            "-9223372036854775809",
        ]
    )
    func numbers(text: String) throws {
        let number = try #require(JSONNumber(text))
        #expect(try JSONDecoder().decode([JSONNumber].self, from: Data("[\(text)]".utf8)) == [number])
        let written = try JSONEncoder().encode([number])
        #expect(try HeliumJSONDecoder().decode([JSONNumber].self, from: written) == [number])
    }

    @Test("numbers that Foundation's encoder cannot write are errors")
    func numbersThatNoEncoderWritesAreErrors() throws {
        let value = try JSONValue(parsing: #"{"n":1e400}"#)
        let error = #expect(throws: EncodingError.self) { _ = try JSONEncoder().encode(["deep": value]) }
        guard case .invalidValue(_, let context) = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["deep", "n"])
    }

    @Test("JSON values are encoded and decoded as property lists")
    func goThroughPropertyLists() throws {
        let value: JSONValue = ["a": [1, 1.5, "x", true, ["b": [:]]], "large": 18_446_744_073_709_551_615]
        let data = try PropertyListEncoder().encode(value)
        #expect(try PropertyListDecoder().decode(JSONValue.self, from: data) == value)
    }

    @Test("members that Foundation's decoder reads are sorted")
    func membersFromFoundationComeSorted() throws {
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(#"{"c":1,"a":2,"b":3}"#.utf8))
        #expect(value.text() == #"{"a":2,"b":3,"c":1}"#)
    }

    @Test("types without a JSON value are errors")
    func otherTypesAreErrors() {
        for text in ["[1]", "\"1\"", "null", "true"] {
            #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(JSONObject.self, from: text) }
            #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(JSONNumber.self, from: text) }
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONObject.self, from: Data(text.utf8)) }
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONNumber.self, from: Data(text.utf8)) }
        }
    }

    @Test("invalid JSON for a JSON value is an error with a position")
    func documentsThatAreNoneAreErrorsWithAPlace() {
        for limits in [JSONLimits(), JSONLimits(maximumDepth: 2), JSONLimits(duplicateMembers: .refused)] {
            let error = #expect(throws: DecodingError.self) {
                _ = try JSONValue(parsing: "{\"a\":[],\n \"a\":[[]],}", limits: limits)
            }
            #expect(error?.jsonLocation?.line == 2)
        }
        #expect(throws: DecodingError.self) { try JSONValue(parsing: Data()) }
        #expect(throws: DecodingError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        #expect(throws: Never.self) { try JSONValue(parsing: [0x22, 0x61, 0x22]) }
    }
}
