import HeliumServer
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

/// The time limit is the test where the time would grow with a power of the length.
@Suite("Work of texts for App.net made to be slow", .timeLimit(.minutes(5)))
struct CostlyTextTests {
    @Test(
        "a text of punctuation only is searched for links in time that grows with its length",
        arguments: [")", "}", "(", "a)", "{}"]
    )
    func links(part: String) {
        let scalars = Array(String(repeating: part, count: 2048 / part.count).unicodeScalars)
        #expect(LinkDetector(scalars).links(outside: []).isEmpty)
    }

    @Test("a text of brackets only has no Markdown links")
    func markdown() {
        let texts = [
            String(repeating: "[", count: 200_000),
            String(repeating: "[", count: 20_000) + "](http:/" + String(repeating: "x", count: 60_000) + ")",
            String(repeating: "[a](http:/", count: 20_000) + ")",
        ]
        for text in texts {
            let found = MarkdownLinks(text)
            #expect(found.links.isEmpty && found.text == text)
        }
        let last = MarkdownLinks(String(repeating: "[a](http://b", count: 20_000) + ")")
        #expect(last.links.map(\.url).allSatisfy { $0.hasSuffix("http://b") } && last.links.count == 1)
        let found = MarkdownLinks("[[a](http://b.example/) [c](x) [](http://d.example) [e](http://f.example/g) ]")
        #expect(found.text == "[a [c](x) [](http://d.example) e ]")
        #expect(found.links.map(\.url) == ["http://b.example/", "http://f.example/g"])
    }
}
