import Foundation
import Testing

@testable import HeliumCore

@Suite("Request target")
struct TargetBuilderTests {
    private func target(
        _ template: String,
        base: String = "",
        replacements: PathReplacements = [:],
        literal: Bool = false,
        parameters: QueryParameters = [:],
        lists: QueryParameters.ListStyle = .repeated
    ) throws -> String {
        var replacements = replacements
        if literal { replacements.mode = .literal }
        return try TargetBuilder(basePath: base)
            .target(template: template, replacements: replacements, parameters: parameters, listStyle: lists)
    }

    @Test(
        "joins the base URL's path and the request's with one slash",
        arguments: [
            ("", "", "/"), ("", "/", "/"), ("/", "", "/"), ("/", "/", "/"), ("", "get", "/get"), ("/api", "", "/api"),
            ("/api/", "", "/api"), ("/api", "/", "/api/"), ("/api/", "/todo", "/api/todo"),
            ("/api", "todo", "/api/todo"),
            ("/a%20b", "/todo/", "/a%20b/todo/"), ("/api", "?x=1", "/api?x=1"), ("", "?x=1", "/?x=1"),
        ]
    )
    func joining(base: String, path: String, expected: String) throws {
        #expect(try target(path, base: base) == expected)
    }

    @Test(
        "a path that stands for itself becomes what taking it apart makes of it",
        arguments: ["/", "//", "/a", "/a/", "/a//b", "/a.b/c..d", "/a-b_c~d.json", "/A1/2"],
        ["", "/", "/api", "/a%20b/"]
    )
    func plainPath(path: String, base: String) throws {
        #expect(TargetBuilder.isPlain(path))
        // With a lone question mark, which says nothing, it is taken apart.
        #expect(try target(path, base: base) == target(path + "?", base: base))
        #expect(try target(path, base: base, parameters: ["x": 1]) == target(path + "?", base: base) + "?x=1")
    }

    @Test(
        "a path in which something has to be done does not stand for itself",
        arguments: [
            "", "a", ":id", "/:id", "/.", "/..", "/a/../b", "/a/.b", "/%41", "/a b", "/a?x", "/a#x", "/\u{E4}", "/a;b",
        ]
    )
    func otherPath(path: String) { #expect(!TargetBuilder.isPlain(path)) }

    @Test(
        "escapes a value so that it can't leave its segment",
        arguments: [
            ("42", "42"), ("a/b", "a%2Fb"), ("a?b=c&d", "a%3Fb%3Dc%26d"), ("a#b", "a%23b"), ("100%", "100%25"),
            ("%2F", "%252F"), ("../x", "..%2Fx"), ("a b+c", "a%20b%2Bc"), ("\u{E4}\u{20AC}", "%C3%A4%E2%82%AC"),
            (":id", "%3Aid"), (";v=1", "%3Bv%3D1"), ("a\r\nb", "a%0D%0Ab"), ("-._~", "-._~"),
        ]
    )
    func escaping(value: String, expected: String) throws {
        let result = try target("/tv/:id/images", base: "/v1", replacements: ["id": value])
        #expect(result == "/v1/tv/\(expected)/images")
    }

    @Test("fills every placeholder, the same one twice, with keys written with or without the colon")
    func placeholders() throws {
        #expect(try target("/:a/:b/:a", replacements: [":a": 1, "b": true]) == "/1/true/1")
    }

    @Test(
        "names the replacement that is missing, unused or no value",
        arguments: [
            ("/tv/:id", [:] as [String: String], ":id"), ("/tv", ["id": "1"], "\"id\""), ("/tv/:id", ["id": ""], ":id"),
            ("/tv/:id", ["id": ".."], ":id"), ("/tv/:id", ["id": "."], ":id"), ("/tv/:", [:], "placeholder"),
            ("/tv/:a b", ["a b": "1"], "placeholder"), ("/a#b", [:], "fragment"),
            ("/tv/:id", ["id": "1", "ID": "2"], "\"ID\""),
        ]
    )
    func refusals(path: String, replacements: [String: String], named: String) {
        let error = #expect(throws: InvalidRequest.self) {
            try target(path, replacements: PathReplacements(replacements))
        }
        #expect(error?.message.contains(named) == true)
    }

    @Test(
        "keeps valid escapes of the template, escapes the rest, and resolves dot segments below the base path",
        arguments: [
            ("/a%20b/%c3%a4", "/v/a%20b/%c3%a4"), ("/a b/\u{E4}", "/v/a%20b/%C3%A4"), ("/100%/x", "/v/100%25/x"),
            ("/a/./b/../c", "/v/a/c"), ("/../../etc", "/v/etc"), ("/a/..", "/v/"), ("/a/%2e%2E/b", "/v/b"),
            ("/a/.", "/v/a/"), ("/a//b", "/v/a//b"), ("/x;v=1,2@3!", "/v/x;v=1,2@3!"), ("/[a]", "/v/%5Ba%5D"),
            ("/a?b=c d&e=%41", "/v/a?b=c%20d&e=%41"),
        ]
    )
    func templates(path: String, expected: String) throws {
        #expect(try target(path, base: "/v") == expected)
    }

    @Test("sorts parameters by name, escapes both sides, leaves nil out, and keeps the order of lists")
    func parameters() throws {
        let none: String? = nil
        let result = try target(
            "/todo",
            parameters: [
                "skip": 5, "limit": 100, "name": "\u{C4}pfel & Birnen", "a=b": "c&d", "on": true, "ratio": 0.5,
                "missing": none, "gone": nil, "ids": [3, 1, 2],
            ]
        )
        #expect(
            result
                == "/todo?a%3Db=c%26d&ids=3&ids=1&ids=2&limit=100&name=%C3%84pfel%20%26%20Birnen&on=true&ratio=0.5&skip=5"
        )
    }

    @Test("writes a date as RFC 3339 in UTC with milliseconds")
    func dates() throws {
        let result = try target("/", parameters: ["since": Date(timeIntervalSince1970: 1_455_264_007.25)])
        #expect(result == "/?since=2016-02-12T08%3A00%3A07.250Z")
    }

    @Test(
        "writes lists as asked",
        arguments: [
            (QueryParameters.ListStyle.repeated, "/?ids=a%2Cb&ids=c"), (.commaSeparated, "/?ids=a%2Cb,c"),
            (.brackets, "/?ids%5B%5D=a%2Cb&ids%5B%5D=c"),
        ]
    )
    func lists(style: QueryParameters.ListStyle, expected: String) throws {
        #expect(try target("/", parameters: ["ids": ["a,b", "c"]], lists: style) == expected)
    }

    @Test("adds parameters to a query that the template carries")
    func templateQuery() throws {
        #expect(try target("/a?x=1", parameters: ["y": 2]) == "/a?x=1&y=2")
        #expect(try target("/a?", parameters: ["y": 2]) == "/a?y=2")
    }

    @Test("refuses a number that is not finite, by name")
    func notFinite() {
        let error = #expect(throws: InvalidRequest.self) { try target("/", parameters: ["ratio": Double.nan]) }
        #expect(error?.message.contains("ratio") == true)
    }

    // The tests of the original's request builder (middleware.md section 7), in its literal mode.
    @Test("replaces literally as the original did, when asked to")
    func literalMode() throws {
        #expect(
            try target("/:id/:test", replacements: [":id": "1234", ":test": "wuuuus"], literal: true) == "/1234/wuuuus"
        )
        #expect(try target("/tvshows/:id", replacements: ["id": "1032808"], literal: true) == "/tvshows/:1032808")
        #expect(try target("/video/:id", replacements: ["id": "1032808"], literal: true) == "/v1032808eo/:id")
        #expect(try target("/x/ID", replacements: ["id": "a/b"], literal: true) == "/x/a/b")
        #expect(
            try target("get/&/:/?/#/test=#/[=]", literal: true) == "/get/&/:/%3F/%23/test=%23/%5B=%5D"
        )
    }
}
