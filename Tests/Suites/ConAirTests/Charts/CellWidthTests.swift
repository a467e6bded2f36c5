import Testing

@testable import ConAir

@Suite("Width of text in cells")
struct CellWidthTests {
    @Test(
        "wide characters, emoji and flags take two cells, and marks none",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("温度計", 6), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("ｆｕｌｌ", 8), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("\u{1F1E9}", 1), ("😀", 2), ("👍🏽", 2), ("👩\u{200D}👩\u{200D}👧", 2),
            ("❤\u{FE0F}", 2), ("❤", 1), ("1\u{FE0F}\u{20E3}", 2), ("हि", 2), ("\u{301}", 0), ("\u{200B}a", 1),
            ("a\u{AD}b", 2), ("12\u{301}", 2),
        ]
    )
    func widths(_ text: String, _ width: Int) { #expect(CellWidth.of(text) == width) }
}
