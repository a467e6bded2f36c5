import TestSupport
import Testing

@testable import ConAir

@Suite("Text in cells")
struct DisplayTextTests {
    static let texts: [(text: String, cells: Int, shown: String, width: Int)] = [
        ("", 5, "", 0), ("short", 5, "short", 5), ("longer", 5, "long…", 5), ("longer", 1, "l", 1),
        ("longer", 0, "", 0),
        ("longer", -1, "", 0), ("温度計", 6, "温度計", 6), ("温度計", 5, "温度…", 5),
        ("温度計", 4, "温…", 3), ("\u{1F321}\u{FE0F} 21", 5, "\u{1F321} 21", 5),
        // A family is three people.
        ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 6, "\u{1F468}\u{1F469}\u{1F467}", 6),
        ("e\u{301}e", 2, "e\u{301}e", 2), ("\u{301}a", 2, "a", 1),
        ("a\u{301}\u{302}\u{303}\u{304}\u{305}b", 2, "a\u{301}\u{302}\u{303}b", 2),
        ("a\tb\r\nc", 9, "a b  c", 6), ("\u{1B}[2J\u{9B}\u{7F}", 9, "?[2J??", 6),
        ("a\u{202E}b\u{2066}c\u{2028}d", 9, "abc?d", 5),
    ]

    @Test("text in terminal cells fits its width, without control characters", arguments: texts)
    func unicode(text: (text: String, cells: Int, shown: String, width: Int)) {
        let result = DisplayText(text.text, cells: text.cells)
        #expect(Array(result.text.unicodeScalars) == Array(text.shown.unicodeScalars))
        #expect(result.cells == text.width)
    }

    @Test("text in terminal cells has substitutes for unit signs in ASCII")
    func ascii() {
        #expect(DisplayText("21.5 °C", cells: 20, isASCII: true).text == "21.5 C")
        #expect(DisplayText("3 µg/m³", cells: 20, isASCII: true).text == "3 ug/m3")
        #expect(DisplayText("温度計 e\u{301}", cells: 20, isASCII: true).text == "??? e")
        #expect(DisplayText("a long title", cells: 8, isASCII: true).text == "a lon...")
        #expect(DisplayText("a long title", cells: 5, isASCII: true).text == "a lon")
    }

    @Test("text in terminal cells costs no more than its length")
    func cost() {
        let marks = "e" + String(repeating: "\u{301}", count: 500_000)
        let time = processorTime {
            #expect(DisplayText(marks, cells: 80).text.unicodeScalars.count == 4)
            #expect(DisplayText(String(repeating: "\u{200B}", count: 500_000), cells: 80).text.isEmpty)
            #expect(DisplayText(String(repeating: "long ", count: 100_000), cells: 80).cells == 80)
        }
        #expect(time < .seconds(5))
    }
}
