import Foundation
import HeliumJSON
import Testing

@Suite("Decoding with a configuration, at a path, and from other memory")
struct ConfigurationTests {
    private struct Scaled: DecodableWithConfiguration, Equatable {
        struct Factor { var factor: Int }
        var value: Int

        init(from decoder: any Decoder, configuration: Factor) throws {
            value = try decoder.singleValueContainer().decode(Int.self) * configuration.factor
        }
    }

    private struct Holder: DecodableWithConfiguration, Equatable {
        var one: Scaled
        var other: Scaled?
        var list: [Scaled]

        private enum CodingKeys: CodingKey { case one, other, list }

        init(from decoder: any Decoder, configuration: Scaled.Factor) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            one = try container.decode(Scaled.self, forKey: .one, configuration: configuration)
            other = try container.decodeIfPresent(Scaled.self, forKey: .other, configuration: configuration)
            list = try container.decode([Scaled].self, forKey: .list, configuration: configuration)
        }
    }

    @Test(
        "a decoding configuration reaches nested values",
        arguments: [
            #"{"one":1,"list":[2,3]}"#, #"{"one":1,"other":4,"list":[]}"#, #"{"one":1,"other":null,"list":[]}"#, "{}",
            #"{"one":"x","list":[]}"#, #"{"one":1,"list":[1,"x"]}"#, #"{"one":1,"list":null}"#, "null", "[", "1",
        ]
    )
    func configuration(document: String) {
        let data = Data(document.utf8)
        let helium = Outcome {
            try HeliumJSONDecoder().decode(Holder.self, from: data, configuration: Scaled.Factor(factor: 10))
        }
        let foundation = Outcome {
            try JSONDecoder().decode(Holder.self, from: data, configuration: Scaled.Factor(factor: 10))
        }
        #expect(helium.isSame(as: foundation, comparing: .all), "\(helium), Foundation: \(foundation)")
    }

    @Test("a document decodes the same from bytes, text, data and raw memory")
    func sources() throws {
        let text = #"{"a":[1,"é"]}"#
        let decoder = HeliumJSONDecoder()
        let expected = try decoder.decode(Everything.self, from: text)
        #expect(try decoder.decode(Everything.self, from: Data(text.utf8)) == expected)
        #expect(try decoder.decode(Everything.self, from: Array(text.utf8)) == expected)
        let slice = Data("xx\(text)yy".utf8)[2..<(2 + text.utf8.count)]
        #expect(try decoder.decode(Everything.self, from: slice) == expected)
        #expect(try Array(text.utf8).withUnsafeBytes { try decoder.decode(Everything.self, from: $0) } == expected)
        for empty in [Data(), Data("x".utf8).dropFirst()] {
            #expect(throws: DecodingError.self) { try decoder.decode(Everything.self, from: empty) }
        }
        #expect(throws: DecodingError.self) { try decoder.decode(Everything.self, from: [UInt8]()) }
        #expect(throws: DecodingError.self) { try decoder.decode(Everything.self, from: "") }
        #expect(try decoder.decode(String.self, from: String(text.reversed().prefix(0)) + "\"x\"") == "x")
    }

    @Test("a path selects the nested value that is decoded")
    func paths() throws {
        let data = Data(#"{"a":{"b":{"c":[1,2]},"n":null,"a\u002fb":3},"x":4}"#.utf8)
        let decoder = HeliumJSONDecoder()
        #expect(try decoder.decode([Int].self, from: data, at: ["a", "b", "c"]) == [1, 2])
        #expect(try decoder.decode(Int.self, from: data, at: ["a", "a/b"]) == 3)
        #expect(try decoder.decode(Int.self, from: data, at: ["x"]) == 4)
        #expect(try decoder.decode(Int.self, from: data, at: ["y"]) == nil)
        #expect(try decoder.decode(Int.self, from: data, at: ["a", "n", "c"]) == nil)
        #expect(try decoder.decode(Everything.self, from: data, at: []) != nil)
        #expect(throws: DecodingError.self) { try decoder.decode(Int.self, from: data, at: ["x", "y"]) }
        #expect(throws: DecodingError.self) { try decoder.decode(String.self, from: data, at: ["x"]) }
        #expect(throws: DecodingError.self) { try decoder.decode(Int.self, from: Data("[]".utf8), at: ["x"]) }
    }
}
