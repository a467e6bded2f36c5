import FuzzSupport
import HeliumCore
import TestSupport
import Testing

@Suite("URL references", .timeLimit(.minutes(5)))
struct ReferenceTests {
    /// RFC 3986 section 5.4, with an `http` base, and without what has no place there.
    private static let ofTheRFC = [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
        ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
        ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
        ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("http://a/../x", "http://a/x"), ("HTTP://A:80/x", "http://a/x"), ("https://a/x", "https://a/x"),
    ]

    @Test("URL references are resolved by RFC 3986", arguments: ofTheRFC)
    func rfc(reference: String, expected: String) throws {
        #expect(try RequestURL("http://a/b/c/d;p?q").resolving(reference).absoluteString == expected)
    }

    @Test(
        "a resolved URL reference keeps its encoding",
        arguments: [
            "/a%2Fb/%7ex?q=%zz&c=a+b%20c,'!*()&e=%2e%2E", "/%2e%2e/x", "/a//b?x=//..//",
            "/?cursor=eyJhIjoxfQ%3D%3D&=&&",
        ]
    )
    func encoding(target: String) throws {
        let base = try RequestURL("https://api.example.com/v1?page=1")
        #expect(try base.resolving(target).target == target)
        #expect(try base.resolving("https://api.example.com" + target).target == target)
    }

    @Test(
        "a URL reference that cannot be requested is refused",
        arguments: [
            "ftp://a/x", "mailto:a@b", "javascript:alert(1)", "http:x", "http:", "https://", "https://u:p@a/", "//u@a/",
            "/a b", "/ä", "/a\r\nX: y", "//", "https://a:0/", "https://a:99999/", "/a\u{0}", "https://[::1/",
        ]
    )
    func refused(reference: String) throws {
        let base = try RequestURL("https://api.example.com/")
        #expect(throws: InvalidURL.self) { try base.resolving(reference) }
    }

    @Test("random URL references are refused or can be requested", .tags(.random))
    func random() async throws {
        var input = FuzzInput(seed: ProofLength.seed(3986), pieces: PaginationFuzz.referencePieces)
        for number in ProofLength.rounds(2000) {
            // Others wait for the few threads that there are.
            if number.isMultiple(of: 500) { await Task.yield() }
            try PaginationFuzz.reference(input.next(upTo: 8))
        }
    }
}
