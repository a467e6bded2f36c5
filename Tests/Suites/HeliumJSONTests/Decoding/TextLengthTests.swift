import HeliumJSON
import Testing

/// Texts and names of every length around those at which they are copied and compared in another way.
@Suite("Texts and names of every length")
struct TextLengthTests {
    private static let lengths = Array(0...40)

    private func text(_ length: Int) -> String { String("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH".prefix(length)) }

    @Test("a text has its value, as a value and as a name", arguments: lengths)
    func texts(length: Int) throws {
        let decoder = HeliumJSONDecoder()
        for text in [text(length), text(length) + "é", "日" + text(length), text(length) + "\u{7F}"] {
            #expect(try decoder.decode([String].self, from: "[\"\(text)\"]") == [text])
            #expect(try decoder.decode([String: Int].self, from: "{\"\(text)\":1}") == [text: 1])
            #expect(try decoder.decode(String.self, from: "\"\(text)\"") == text)
            // The last text of a document, so that there are no bytes after it to be read.
            #expect(try decoder.decode([String].self, from: "[\"\(text)\"]\n") == [text])
        }
    }

    @Test("an escaped text has its value", arguments: lengths)
    func escapes(length: Int) throws {
        let document = "[\"\(text(length))\\n\",\"\\u0041\(text(length))\"]"
        let texts = try HeliumJSONDecoder().decode([String].self, from: document)
        #expect(texts == [text(length) + "\n", "A" + text(length)])
    }

    @Test(
        "an escaped text around the length that is decoded on the stack has its value",
        arguments: [1, 8, 1020, 1024, 1030]
    )
    func longEscapes(length: Int) throws {
        let filler = String(repeating: "a", count: length)
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        for (escaped, value) in [
            ("\\/", "/"), ("\\u00e9", composed), ("\\ne\u{301}", "\n" + decomposed), ("\\ud83d\\ude00", "😀"),
        ] {
            for (text, expected) in [(filler + escaped, filler + value), (escaped + filler, value + filler)] {
                let found = try HeliumJSONDecoder().decode(String.self, from: "\"\(text)\"")
                #expect(found.utf8.elementsEqual(expected.utf8))
                // Whether a text is ASCII decides how it is compared and hashed.
                #expect(found == expected && found.hashValue == expected.hashValue)
            }
        }
        let composedText = try HeliumJSONDecoder().decode(String.self, from: "\"\(filler)\\u00e9\"")
        #expect(composedText == filler + decomposed)
    }

    private struct Names: JSONReadable, Decodable {
        var found: [Int] = []

        init(json: borrowing JSONReader) throws {
            var found: [Int] = []
            try json.forEachMember { name, value in
                let number: Int = try value.read()
                switch name {
                case "": found.append(number)
                case "a": found.append(number + 1)
                case "abc": found.append(number + 3)
                case "abcd": found.append(number + 4)
                case "abcdefg": found.append(number + 7)
                case "abcdefgh": found.append(number + 8)
                case "abcdefghijklmnop": found.append(number + 16)
                case "abcdefghijklmnopq": found.append(number + 17)
                default: break
                }
            }
            self.found = found
        }

        init(from decoder: any Decoder) throws { Issue.record("a readable type reads itself") }
    }

    private static let known = [0, 1, 3, 4, 7, 8, 16, 17]

    @Test("a name is found among names of other lengths, and among names that differ in one byte", arguments: lengths)
    func names(length: Int) throws {
        let name = text(length)
        let isKnown = Self.known.contains(length)
        let plain = try HeliumJSONDecoder().decode(Names.self, from: "{\"\(name)\":0}")
        #expect(plain.found == (isKnown ? [length] : []))
        for index in 0..<length {
            var bytes = Array(name.utf8)
            bytes[index] = UInt8(ascii: "-")
            let other = String(decoding: bytes, as: UTF8.self)
            let different = try HeliumJSONDecoder().decode(Names.self, from: "{\"\(other)\":0,\"\(name)\":100}")
            #expect(different.found == (isKnown ? [100 + length] : []), "\(other)")

            let character = format(bytes: Array(name.utf8), escaping: index)
            let escaped = try HeliumJSONDecoder().decode(Names.self, from: "{\"\(character)\":0,\"\(name)\":100}")
            #expect(escaped.found == (isKnown ? [length] : []), "the second member has the same name: \(character)")
        }
    }

    /// Writes one byte of a name as an escape.
    private func format(bytes: [UInt8], escaping index: Int) -> String {
        let digits = String(bytes[index], radix: 16)
        return String(decoding: bytes[..<index], as: UTF8.self) + "\\u00" + (digits.count < 2 ? "0" : "") + digits
            + String(decoding: bytes[(index + 1)...], as: UTF8.self)
    }

    @Test("of names that occur twice the first counts, however many share the bit of their hash")
    func repeated() throws {
        let names = (0..<200).map { "name\($0)" }
        let members = (names + names.reversed()).enumerated().map { "\"\($1)\":\($0)" }
        let values = try HeliumJSONDecoder().decode([String: Int].self, from: "{\(members.joined(separator: ","))}")
        #expect(values == Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) }))
    }
}
