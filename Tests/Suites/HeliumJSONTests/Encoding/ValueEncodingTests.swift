import Foundation
import HeliumJSON
import Testing

@Suite("Encoding JSON values")
struct ValueEncodingTests {
    private struct Envelope: Codable, Equatable {
        var createdAt: Int
        var more: JSONValue
        var members: JSONObject
        var number: JSONNumber
    }

    private let envelope: Envelope

    init() throws {
        envelope = Envelope(
            createdAt: 1,
            more: try JSONValue(parsing: #"{"b_c":[1.0,{"z":"a/b","a":null}],"a":1e400}"#),
            members: ["y": 2, "x": [true]],
            number: try #require(JSONNumber("123456789012345678901234567890"))
        )
    }

    @Test("JSON values are encoded with their original numbers and order of members")
    func asTheyStand() throws {
        var encoder = HeliumJSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        #expect(
            try encoder.encodeToString(envelope)
                == #"{"createdAt":1,"more":{"b_c":[1.0,{"z":"a/b","a":null}],"a":1e400},"members":{"y":2,"x":[true]},"number":123456789012345678901234567890}"#
        )
        #expect(try HeliumJSONDecoder().decode(Envelope.self, from: encoder.encode(envelope)) == envelope)
    }

    @Test("JSON values are encoded without key strategies, and with sorting, indenting and escapes")
    func formatting() throws {
        var encoder = HeliumJSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys]
        #expect(
            try encoder.encodeToString(envelope)
                == #"{"created_at":1,"members":{"x":[true],"y":2},"more":{"a":1e400,"b_c":[1.0,{"a":null,"z":"a\/b"}]},"number":123456789012345678901234567890}"#
        )
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let foundation = JSONEncoder()
        foundation.outputFormatting = [.prettyPrinted, .sortedKeys]
        let value = try JSONValue(parsing: #"{"b":[{"y":1,"x":[]}],"a":{}}"#)
        #expect(try encoder.encode(value) == foundation.encode(value))
    }
}
