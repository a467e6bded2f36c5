import HeliumJSON
import Testing

/// The cases of `Fixtures/json-cases`, and those of nst/JSONTestSuite where the machine has them.
@Suite("Cases of JSON")
struct JSONTestSuiteTests {
    @Test("a case of valid JSON is decoded", arguments: names("y_"))
    func accepted(name: String) throws {
        _ = try decode(Anything.self, name)
        _ = try decode(Everything.self, name)
    }

    @Test("a case of invalid JSON is an error with a position in the document", arguments: names("n_"))
    func refused(name: String) throws {
        let error = #expect(throws: DecodingError.self) { try decode(Anything.self, name) }
        let location = try #require(error?.jsonLocation)
        #expect(0...(try bytes(name).count) ~= location.byteOffset)
    }

    @Test("a case that RFC 8259 leaves open is decided as documented", arguments: choices.filter(\.isPresent))
    func free(choice: Choice) {
        #expect(isDecoded(Anything.self, choice.name) == choice.parses)
        #expect(isDecoded(Everything.self, choice.name) == choice.reads)
    }

    @Test("the decisions are documented for each case that RFC 8259 leaves open, and the cases are complete")
    func complete() {
        let isOriginal = !TestFiles.originalSuite.isEmpty
        let choices = isOriginal ? Self.choices : Self.choices.filter(\.isPresent)
        #expect(Set(choices.map(\.name)) == Set(Self.names("i_")))
        #expect(choices.count >= 5)
        #expect(Self.names("y_").count >= (isOriginal ? 75 : 25))
        #expect(Self.names("n_").count >= (isOriginal ? 155 : 55))
    }

    /// Our handling of a case that RFC 8259 leaves open.
    struct Choice: Sendable, CustomTestStringConvertible {
        let name: String
        /// Whether it is a document.
        let parses: Bool
        /// Whether its numbers are read as `Double`, its strings as `String`.
        let reads: Bool
        let reason: String

        init(_ name: String, parses: Bool, reads: Bool, _ reason: String) {
            self.name = "i_\(name).json"
            self.parses = parses
            self.reads = reads
            self.reason = reason
        }

        var isPresent: Bool { TestFiles.suite.contains { $0.name == name } }
        var testDescription: String { name }
    }

    static let choices: [Choice] = [
        Choice("number_above_the_largest", parses: true, reads: false, tooLarge),
        Choice("number_below_the_smallest", parses: true, reads: false, tooSmall),
        Choice("number_of_thirty_digits", parses: true, reads: true, "rounds to the nearest Double"),
        Choice("string_half_a_pair", parses: false, reads: false, loneSurrogate),
        Choice("string_in_latin_1", parses: false, reads: false, malformed),
        Choice("number_double_huge_neg_exp", parses: true, reads: false, tooSmall),
        Choice("number_huge_exp", parses: true, reads: false, tooLarge),
        Choice("number_neg_int_huge_exp", parses: true, reads: false, tooLarge),
        Choice("number_pos_double_huge_exp", parses: true, reads: false, tooLarge),
        Choice("number_real_neg_overflow", parses: true, reads: false, tooLarge),
        Choice("number_real_pos_overflow", parses: true, reads: false, tooLarge),
        Choice("number_real_underflow", parses: true, reads: false, tooSmall),
        Choice("number_very_big_negative_int", parses: true, reads: true, "rounds to the nearest Double"),
        Choice("object_key_lone_2nd_surrogate", parses: false, reads: false, loneSurrogate),
        Choice("string_1st_surrogate_but_2nd_missing", parses: false, reads: false, loneSurrogate),
        Choice("string_1st_valid_surrogate_2nd_invalid", parses: false, reads: false, loneSurrogate),
        Choice("string_incomplete_surrogate_pair", parses: false, reads: false, loneSurrogate),
        Choice("string_incomplete_surrogates_escape_valid", parses: false, reads: false, loneSurrogate),
        Choice("string_invalid_surrogate", parses: false, reads: false, loneSurrogate),
        Choice("string_inverted_surrogates_U+1D11E", parses: false, reads: false, loneSurrogate),
        Choice("string_UTF-16LE_with_BOM", parses: false, reads: false, otherEncoding),
        Choice("string_utf16LE_no_BOM", parses: false, reads: false, otherEncoding),
        Choice("string_UTF-8_invalid_sequence", parses: false, reads: false, malformed),
        Choice("string_iso_latin_1", parses: false, reads: false, malformed),
        Choice("string_lone_utf8_continuation_byte", parses: false, reads: false, malformed),
        Choice("string_truncated-utf-8", parses: false, reads: false, malformed),
        Choice("structure_500_nested_arrays", parses: true, reads: true, "the default maximumDepth is 512"),
    ]

    private static let tooLarge = "valid, and no Double: an error when it is read as one, as in Foundation"
    private static let tooSmall = "valid, and would be read as zero: an error when it is read, as in Foundation"
    private static let loneSurrogate = "names no Unicode scalar, so no String can hold it"
    private static let otherEncoding = "RFC 8259 section 8.1: JSON between systems is UTF-8"
    private static let malformed = "not UTF-8 (Unicode 16, table 3-7): to repair would be to change"

    private static func names(_ prefix: String) -> [String] {
        TestFiles.suite.map(\.name).filter { $0.hasPrefix(prefix) }
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        try #require(TestFiles.suite.first { $0.name == name }).bytes
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        try HeliumJSONDecoder().decode(type, from: bytes(name))
    }

    private func isDecoded<Value: Decodable>(_ type: Value.Type, _ name: String) -> Bool {
        (try? decode(type, name)) != nil
    }
}
