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
            .target(
                template: template,
                isPlain: TargetBuilder.isPlain(template),
                replacements: replacements,
                parameters: parameters,
                listStyle: lists
            )
    }

    @Test(
        "the paths of base URL and request are joined with one slash",
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
        "a plain path has the same target as if it were parsed",
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
        "a path with template characters is not plain",
        arguments: [
            "", "a", ":id", "/:id", "/.", "/..", "/a/../b", "/a/.b", "/%41", "/a b", "/a?x", "/a#x", "/\u{E4}", "/a;b",
        ]
    )
    func otherPath(path: String) { #expect(!TargetBuilder.isPlain(path)) }

    @Test(
        "a value in a path is escaped and stays in its segment",
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

    @Test("every placeholder of a path is replaced, with and without the colon in its key")
    func placeholders() throws {
        #expect(try target("/:a/:b/:a", replacements: [":a": 1, "b": true]) == "/1/true/1")
    }

    @Test(
        "a missing, unused or invalid replacement is an error with its name",
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
        "valid escapes of a template are kept, and dot segments do not leave the base path",
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

    @Test("query parameters are sorted, escaped, and left out if nil")
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

    @Test("a date in a query is RFC 3339 in UTC with milliseconds")
    func dates() throws {
        let result = try target("/", parameters: ["since": Date(timeIntervalSince1970: 1_455_264_007.25)])
        #expect(result == "/?since=2016-02-12T08%3A00%3A07.250Z")
    }

    @Test(
        "a list in a query is written in the chosen style",
        arguments: [
            (QueryParameters.ListStyle.repeated, "/?ids=a%2Cb&ids=c"), (.commaSeparated, "/?ids=a%2Cb,c"),
            (.brackets, "/?ids%5B%5D=a%2Cb&ids%5B%5D=c"),
        ]
    )
    func lists(style: QueryParameters.ListStyle, expected: String) throws {
        #expect(try target("/", parameters: ["ids": ["a,b", "c"]], lists: style) == expected)
    }

    @Test("parameters are added to the query of a template")
    func templateQuery() throws {
        #expect(try target("/a?x=1", parameters: ["y": 2]) == "/a?x=1&y=2")
        #expect(try target("/a?", parameters: ["y": 2]) == "/a?y=2")
    }

    @Test("a number that is not finite is refused with its name")
    func notFinite() {
        let error = #expect(throws: InvalidRequest.self) { try target("/", parameters: ["ratio": Double.nan]) }
        #expect(error?.message.contains("ratio") == true)
    }

    // The tests of the original's request builder (middleware.md section 7), in its literal mode.
    @Test("literal mode replaces placeholders as the original library did")
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
