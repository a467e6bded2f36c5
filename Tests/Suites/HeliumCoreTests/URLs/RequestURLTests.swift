import HeliumCore
import Testing

@Suite("Request URL")
struct RequestURLTests {
    @Test(
        "the target of a request URL is kept as written",
        arguments: [
            ("http://localhost", "/"), ("http://localhost?", "/?"), ("http://localhost/?", "/?"),
            ("http://localhost/a/../b/./c", "/a/../b/./c"), ("http://localhost/%7e%2F%c3%a4", "/%7e%2F%c3%a4"),
            ("http://localhost/a?q={x}", "/a?q={x}"), ("http://localhost/a#b?c", "/a"), ("http://h//x//", "//x//"),
        ]
    )
    func target(text: String, target: String) throws {
        #expect(try RequestURL(text).target == target)
    }

    @Test(
        "characters that cannot be sent in a request URL are refused",
        arguments: ["http://h/a b", "http://h/a\u{0}b", "http://h/a\nb"]
    )
    func refusals(text: String) {
        #expect(throws: InvalidURL.self) { try RequestURL(text) }
    }

    @Test("a host that is too long for DNS is refused before its A-label is made", arguments: ["e", "\u{301}\u{316}"])
    func longHost(letter: String) throws {
        let error = try #require(throws: InvalidURL.self) {
            try RequestURL("http://é\(String(repeating: letter, count: 260))/")
        }
        #expect(error.description.contains("too long"))
        #expect(
            try RequestURL("http://bücher.example/\(String(repeating: "a", count: 400))").origin.host
                == "xn--bcher-kva.example"
        )
    }

    @Test("the description of a request URL shows names in the query, and no values")
    func redaction() throws {
        let url = try RequestURL("http://h/path?name=Alice&flag&empty=&token=abc")
        #expect(url.redacted == "http://h/path?name=***&***&empty=***&token=***")
        #expect("\(url)" == url.redacted)
        #expect(String(reflecting: url) == url.redacted)
        #expect(url.absoluteString == "http://h/path?name=Alice&flag&empty=&token=abc")
    }
}
