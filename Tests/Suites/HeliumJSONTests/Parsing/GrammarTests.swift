import HeliumJSON
import Testing

@Suite("JSON grammar")
struct GrammarTests {
    @Test(
        "documents of the JSON grammar are accepted",
        arguments: [
            "null", "true", "false", "0", "-0", "1", "-1", "10", "1.5", "-0.0", "0e0", "1e5", "1E+05", "1e-0",
            "0.10e1", "\"\"", "\"a\"", "[]", "{}", "[[]]", "[{}]", "{\"\":{}}", "{\"a\":[]}", "[1,2]", "[null,true]",
            "{\"a\":1,\"a\":2}", " \t\n\r1\r\n\t ", "[ ]", "{ }", " [ 1 , 2 ] ", " { \"a\" : 1 , \"b\" : 2 } ",
            "\"\\u0000\"", "\"\u{7F}\"", "\"\u{2028}\u{2029}\u{FEFF}\"", "\u{FEFF}[]", "\u{FEFF} 1",
            "[1,[2,[3,{\"a\":[]}],4],5]", "\"/\"", "\"'\"",
        ]
    )
    func accepted(document: String) {
        #expect(throws: Never.self) { try HeliumJSONDecoder().decode(Anything.self, from: document) }
    }

    @Test(
        "a document outside of the JSON grammar is an error at its first wrong byte",
        arguments: [
            // Not a value, or more than one.
            Fault("", 0), Fault(" \n", 2), Fault("\u{FEFF}", 3), Fault("\u{FEFF}\u{FEFF}1", 3), Fault(" \u{FEFF}1", 1),
            Fault("1 1", 2), Fault("[] []", 3), Fault("{}}", 2), Fault("1,", 1), Fault("null\0", 4), Fault("\0", 0),
            Fault("\0null", 0), Fault("[1]\0", 3), Fault("nil", 0), Fault("True", 0), Fault("NULL", 0), Fault("NaN", 0),
            Fault("Infinity", 0), Fault("-Infinity", 1), Fault("undefined", 0), Fault("'a'", 0), Fault("a", 0),
            Fault("nul", 0), Fault("nulll", 4), Fault("truefalse", 4), Fault("tru\u{65}\u{301}", 4),
            Fault("// c\n1", 0),
            Fault("1 // c", 2), Fault("1 /* c */", 2), Fault("\u{A0}1", 0), Fault("\u{2003}1", 0), Fault("\u{0B}1", 0),
            Fault("\u{0C}1", 0), Fault("1\u{85}", 1), Fault("\u{7F}", 0),
            // Numbers.
            Fault("+1", 0), Fault("-", 1), Fault("-a", 1), Fault("- 1", 1), Fault("--1", 1), Fault("01", 0),
            Fault("00", 0), Fault("-01", 1), Fault("0123", 0), Fault("1.", 2), Fault(".5", 0), Fault("-.5", 1),
            Fault("1.e1", 2), Fault("1.5.5", 3), Fault("1e", 2), Fault("1e+", 3), Fault("1E-", 3), Fault("1e1.5", 3),
            Fault("1e 5", 2), Fault("1ee5", 2), Fault("0x10", 1), Fault("1_000", 1), Fault("1a", 1), Fault("١", 0),
            Fault("0e", 2), Fault("1.2e", 4), Fault("[1.]", 3), Fault("[-]", 2), Fault("[1e]", 3), Fault("[01]", 1),
            // Arrays.
            Fault("[", 1), Fault("]", 0), Fault("[1", 2), Fault("[1,", 3), Fault("[,", 1), Fault("[,1]", 1),
            Fault("[1,]", 3), Fault("[1,,2]", 3), Fault("[1 2]", 3), Fault("[1}", 2), Fault("[1;2]", 2),
            Fault("[1:2]", 2), Fault("[\"a\":1]", 4), Fault("[[]", 3), Fault("[[1]", 4), Fault("[]]", 2),
            Fault("[\"a\"\"b\"]", 4), Fault("(1)", 0),
            // Objects.
            Fault("{", 1), Fault("}", 0), Fault("{\"a\"", 4), Fault("{\"a\":", 5), Fault("{\"a\":1", 6),
            Fault("{\"a\":1,", 7), Fault("{,}", 1), Fault("{\"a\":1,}", 7), Fault("{\"a\" 1}", 5), Fault("{\"a\":}", 5),
            Fault("{\"a\"::1}", 5), Fault("{\"a\",1}", 4), Fault("{:1}", 1), Fault("{1:1}", 1), Fault("{a:1}", 1),
            Fault("{'a':1}", 1), Fault("{null:1}", 1), Fault("{[]:1}", 1), Fault("{\"a\":1 \"b\":2}", 7),
            Fault("{\"a\":1,,\"b\":2}", 7), Fault("{\"a\":1]", 6), Fault("{\"a\":1;}", 6), Fault("{\"a\":1:2}", 6),
            Fault("{\"a\"}", 4), Fault("{{}:1}", 1), Fault("{\"a\":{\"b\":1}", 12), Fault("{\"a\":[}]", 6),
            // Strings.
            Fault("\"", 1), Fault("\"a", 2), Fault("\"abcdefgh", 9), Fault("\"a\nb\"", 2), Fault("\"\0\"", 1),
            Fault("\"\u{1F}\"", 1), Fault("\"a\tb\"", 2), Fault("\"1234567\u{1}\"", 8), Fault("\"12345678\u{1}\"", 9),
            Fault("\"\\", 2), Fault("\"\\\"", 3), Fault("\"\\a\"", 1), Fault("\"\\x41\"", 1), Fault("\"\\'\"", 1),
            Fault("\"\\0\"", 1), Fault("\"\\U0041\"", 1), Fault("\"\\N\"", 1), Fault("\"\\\n\"", 1),
            Fault("\"\\é\"", 1),
            Fault("\"\\u\"", 1), Fault("\"\\u1\"", 1), Fault("\"\\u12\"", 1), Fault("\"\\u123\"", 1),
            Fault("\"\\u123g\"", 1), Fault("\"\\u+123\"", 1), Fault("\"\\u 123\"", 1), Fault("\"\\u{41}\"", 1),
            Fault("\"\\u００41\"", 1), Fault("\"\\u004", 6), Fault("\"\\u", 3), Fault("\"\\u0041", 7),
            Fault("\"ab\\u00\\u0041\"", 3), Fault("{\"a\\\":1}", 8), Fault("{\"\\q\":1}", 2),
        ]
    )
    func refused(fault: Fault) {
        let error = #expect(throws: DecodingError.self) {
            try HeliumJSONDecoder().decode(Anything.self, from: fault.document)
        }
        #expect(error?.jsonLocation?.byteOffset == fault.offset)
    }

    /// Every value is read, as Foundation looks at a number's text no earlier. It lets a comma pass before a closing
    /// bracket, which we don't.
    @Test("every combination of JSON tokens is accepted or refused as by Foundation")
    func combinations() {
        let pieces = ["[", "]", "{", "}", ",", ":", "1", "-", ".", "e", "\"a\"", " ", "null"]
        let both = SideBySide()
        var accepted = 0
        for length in 1...4 {
            for number in 0..<power(pieces.count, length) {
                var (rest, document) = (number, "")
                for _ in 0..<length {
                    document += pieces[rest % pieces.count]
                    rest /= pieces.count
                }
                let (helium, foundation) = both.outcomes(Everything.self, document.utf8)
                if helium.value != nil { accepted += 1 }
                if document.contains(",]") { continue }
                if (helium.value == nil) != (foundation.value == nil) { Issue.record("\(document): \(helium)") }
            }
        }
        #expect(accepted > 100)
    }

    private func power(_ base: Int, _ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * base } }

    /// A document and the byte at which it goes wrong.
    struct Fault: Sendable, CustomTestStringConvertible {
        let document: String
        let offset: Int

        init(_ document: String, _ offset: Int) {
            self.document = document
            self.offset = offset
        }

        var testDescription: String { document.debugDescription }
    }
}
