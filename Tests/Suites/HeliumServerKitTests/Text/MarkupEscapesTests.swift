import Testing

@testable import HeliumServerKit

@Suite("Escapes of markup")
struct MarkupEscapesTests {
    private static let text = "a<b>&\"'\t\n\r\u{1}\u{7F}é\u{FFFE}🍵"

    @Test(
        "escapes of markup replace the characters that they name and no others",
        arguments: [
            ([], "a&lt;b&gt;&amp;\"'\t\n\r\u{1}\u{7F}é\u{FFFE}🍵"),
            ([.quotes], "a&lt;b&gt;&amp;&quot;'\t\n\r\u{1}\u{7F}é\u{FFFE}🍵"),
            ([.quotes, .apostrophes], "a&lt;b&gt;&amp;&quot;&#39;\t\n\r\u{1}\u{7F}é\u{FFFE}🍵"),
            ([.quotes, .carriageReturns, .controls], "a&lt;b&gt;&amp;&quot;'\t\n&#13;\u{7F}é🍵"),
            (
                [.lineBreaks, .carriageReturns, .nonASCII],
                "a&lt;b&gt;&amp;\"'\t<br>&#13;\u{1}&#127;&#233;&#65534;&#127861;"
            ),
        ] as [(MarkupEscapes, String)]
    )
    func escapes(_ escapes: MarkupEscapes, _ expected: String) {
        #expect(escapes.escaped(Self.text) == expected)
        var out = "<"
        escapes.write(Array(Self.text.unicodeScalars)[...], to: &out)
        #expect(out == "<" + expected)
    }
}
