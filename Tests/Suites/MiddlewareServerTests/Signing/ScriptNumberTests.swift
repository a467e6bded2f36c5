import HeliumServer
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("Timestamps of keys as JavaScript reads them")
struct ScriptNumberTests {
    @Test(
        "the timestamp of a key is a number where JavaScript reads one",
        arguments: [
            ("", 0), ("  ", 0), ("1455264007", 1_455_264_007), (" 12 ", 12), ("1e3", 1000), ("0x10", 16), ("0b11", 3),
            ("0o17", 15), ("-5", -5), ("+5", 5), (".5", 0.5), ("\u{FEFF}5\u{A0}", 5), ("\t\u{B}5\r\n\u{2028}", 5),
            ("Infinity", Double.infinity), ("-Infinity", -.infinity),
        ] as [(String, Double)]
    )
    func numbers(_ text: String, _ expected: Double) {
        #expect(ScriptNumber.parse(text) == expected)
    }

    @Test(
        "the timestamp of a key is invalid where JavaScript reads no number",
        arguments: [
            "x", "12a", "1 2", "nan", "inf", "infinity", "0x", "0x-1", "0x1p4", "1e", "--1", ".", "\u{85}5",
            " \u{301}5", "5 \u{301}",
        ]
    )
    func others(_ text: String) {
        #expect(ScriptNumber.parse(text) == nil)
    }
}
