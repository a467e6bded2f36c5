import HeliumJSON
import Testing

@Suite("Escapes in strings")
struct EscapeTests {
    private func decode(_ text: String) throws -> String {
        try HeliumJSONDecoder().decode(String.self, from: "\"\(text)\"")
    }

    @Test("every escaped code unit is its scalar, and half a surrogate pair is an error")
    func units() throws {
        for unit in UInt16.min...UInt16.max {
            let digits = String(unit, radix: 16, uppercase: unit % 2 == 0)
            let text = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            if let scalar = Unicode.Scalar(unit) {
                #expect(try decode(text).unicodeScalars.elementsEqual([scalar]), "\(text)")
            } else {
                #expect(throws: DecodingError.self, "\(text)") { try decode(text) }
            }
        }
    }

    @Test(
        "escaped surrogate pairs are one scalar",
        arguments: [
            (0xD800, 0xDC00), (0xD800, 0xDFFF), (0xDBFF, 0xDC00), (0xDBFF, 0xDFFF), (0xD83D, 0xDE00), (0xD834, 0xDD1E),
        ] as [(UInt32, UInt32)]
    )
    func pairs(high: UInt32, low: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(0x10000 + (high - 0xD800) * 0x400 + (low - 0xDC00)))
        let text = "\\u\(String(high, radix: 16))\\u\(String(low, radix: 16, uppercase: true))"
        #expect(try decode("x\(text)y") == "x\(Character(scalar))y")
    }

    @Test(
        "a surrogate without a pair is an error at its position",
        arguments: [
            #"\uD800"#, #"\uDC00"#, #"\uDFFF\uD800"#, #"\uD800\uD800"#, #"\uD800x"#, #"\uD800\n"#, #"\uD800\u0041"#,
            #"\uDBFF\uE000"#, #"\uD83D\uDBFF"#, #"\uD83D\\uDE00"#, #"\uD83D \uDE00"#, #"\uD800\uD800\uDC00"#,
            #"\uDC00\uDC00"#, #"\uD83D\UDE00"#, #"\uD83D\"#,
        ]
    )
    func lone(text: String) {
        for prefix in ["", "1234567", "ü\\n"] {
            let error = #expect(throws: DecodingError.self) { try decode(prefix + text) }
            // The last backslash escapes the quote.
            if text.hasSuffix("\\") { continue }
            #expect(error?.jsonLocation?.byteOffset == 1 + prefix.utf8.count)
        }
    }

    @Test(
        "escapes of one letter are decoded",
        arguments: zip(
            [#"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#, #"\t"#],
            ["\"", "\\", "/", "\u{8}", "\u{C}", "\n", "\r", "\t"]
        )
    )
    func letters(text: String, value: String) throws {
        for count in 0...17 {
            let prefix = String(repeating: "a", count: count)
            #expect(try decode(prefix + text) == prefix + value)
            #expect(try decode(prefix + text + text + "é" + text) == prefix + value + value + "é" + value)
        }
    }

    @Test("every other letter after a backslash is an error")
    func otherLetters() {
        for byte in UInt8.min...UInt8.max where !Array("\"\\/bfnrtu".utf8).contains(byte) {
            #expect(throws: DecodingError.self, "\(byte)") {
                try HeliumJSONDecoder().decode(String.self, from: [0x22, 0x5C, byte, 0x22])
            }
        }
    }

    @Test("a control character in a string is an error, unless it is escaped")
    func controls() throws {
        for byte in UInt8(0)..<0x20 {
            for count in 0...16 {
                let prefix = Array(repeating: UInt8(0x61), count: count)
                let error = #expect(throws: DecodingError.self) {
                    try HeliumJSONDecoder().decode(String.self, from: [0x22] + prefix + [byte, 0x22])
                }
                #expect(error?.jsonLocation?.byteOffset == 1 + count)
            }
        }
    }

    @Test("an escaped NUL is a character of the string")
    func nul() throws {
        #expect(try decode("a\\u0000b") == "a\0b")
        #expect(
            try HeliumJSONDecoder().decode([String: Int].self, from: #"{"\u0000":1,"a\u0000":2}"#) == [
                "\0": 1, "a\0": 2,
            ]
        )
    }
}
