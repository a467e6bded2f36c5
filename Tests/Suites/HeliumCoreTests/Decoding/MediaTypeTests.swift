import HeliumCore
import Testing

@Suite("Media types")
struct MediaTypeTests {
    @Test(
        "media types are parsed by RFC 9110",
        arguments: [
            ("text/html", "text/html", nil), ("Text/HTML;Charset=UTF-8", "text/html", "utf-8"),
            ("application/problem+json; charset=\"ISO-8859-1\"", "application/problem+json", "iso-8859-1"),
            (" text/plain ;\t charset = x", "text/plain", nil), ("text/plain;;; charset=a", "text/plain", "a"),
            ("text/plain; a=\"x;charset=b\"; charset=c", "text/plain", "c"),
            ("text/plain; charset=\"a\\\"b\"", "text/plain", "a\"b"), ("text/plain; charset=\"a", "text/plain", nil),
            ("text/plain; charset=a; charset=b", "text/plain", "a"), ("text/plain; charset=\"\\", "text/plain", nil),
        ] as [(String, String, String?)]
    )
    func read(text: String, essence: String, charset: String?) {
        let type = MediaType(text)
        #expect(type?.essence == essence && type?.charset == charset)
    }

    @Test(
        "invalid media types are refused",
        arguments: ["", "/", "text", "text/", "/html", "text html/x", "te\u{E4}xt/html", "a/b c"]
    )
    func refused(text: String) {
        #expect(MediaType(text) == nil)
    }
}
