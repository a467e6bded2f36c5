import HeliumJSON
import HeliumServer
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("Selection parameter")
struct FieldSelectionTests {
    static let document: JSONValue = [
        "totalCount": 2,
        "data": [
            ["id": "1", "titles": ["default": "A", "short": "a"], "images": [["url": "u", "subType": "cover"]]],
            ["id": "2", "titles": ["default": "B"], "images": []],
        ],
    ]

    @Test(
        "the selection parameter takes names, children and arguments",
        arguments: [
            ("{totalCount}", #"{"totalCount":2}"#),
            ("totalCount", #"{"totalCount":2}"#),
            ("{data{id}}", #"{"data":[{"id":"1"},{"id":"2"}]}"#),
            (
                #"{totalCount,data{id,titles{default},images(subType:"cover,}logo"){url}}}"#,
                #"{"totalCount":2,"data":[{"id":"1","titles":{"default":"A"},"images":[{"url":"u"}]},"#
                    + #"{"id":"2","titles":{"default":"B"},"images":[]}]}"#
            ),
            ("{data { titles } }", #"{"data":[{"titles":{"default":"A","short":"a"}},{"titles":{"default":"B"}}]}"#),
            ("{totalCount{deeper}}", #"{"totalCount":2}"#),
            ("{nothing}", "{}"),
        ]
    )
    func applies(_ text: String, _ expected: String) throws {
        let selection = try #require(FieldSelection(text))
        #expect(selection.apply(to: Self.document).text() == expected)
    }

    @Test(
        "a selection parameter with unmatched braces, without a name or beyond a limit is refused",
        arguments: [
            "", "{", "{}", "{a", "a}", "{a,}", "{a}}", "{a(b}", "{,a}", "a(b))",
            String(repeating: "a{", count: 40) + "a" + String(repeating: "}", count: 40),
            String(repeating: "a", count: 9000),
        ]
    )
    func refuses(_ text: String) {
        #expect(FieldSelection(text) == nil)
    }
}
