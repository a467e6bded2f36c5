import HeliumJSON
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Texts as App.net stores and answers them", .timeLimit(.minutes(5)))
struct StoredTextTests {
    private static let marks = String(repeating: "\u{301}", count: 128)

    /// Two valid runs of marks, which are one run that is too long without the Markdown between them.
    private static func joined() -> String { "[\(marks)](http://\(marks))\(marks)" }

    @Test(
        "a text whose marks exceed the limit without its Markdown is 400, and nothing is stored",
        arguments: [
            ("PATCH", "users/me", "description"), ("POST", "posts", nil), ("POST", "channels/1/messages", nil),
            ("POST", "text/process", nil),
        ] as [(String, String, String?)]
    )
    func marks(method: String, path: String, member: String?) async throws {
        try await withAppNet { alice async throws in
            _ = try await alice.createChannel()
            let text: TestJSON = [
                "text": .string(Self.joined()), "entities": ["parse_markdown_links": .bool(true)],
            ]
            let body: TestJSON = member.map { .object([$0: text]) } ?? text
            let answer = try await alice.send(method, path, body.text)
            #expect(answer.status == 400 && answer.message.contains("combining marks"), "\(answer.text)")
            for path in ["users/me", "posts/stream/global", "channels/1/messages", "users/search?q=alice"] {
                #expect(try await alice.send("GET", path).status == 200, "\(path)")
            }
        }
    }

    @Test(
        "links are bounded: a URL, a host that is written into the text, and all URLs together",
        arguments: [
            ("http://a.example/", "b", 4_080, 1, "4096 bytes"), ("http://", "h", 300, 1, "255 bytes"),
            ("http://a.example/", "b", 4_000, 5, "16384 bytes"),
        ] as [(String, String, Int, Int, String)]
    )
    func links(root: String, part: String, length: Int, count: Int, reason: String) async throws {
        let url = root + String(repeating: part, count: length)
        try await withAppNet { alice async throws in
            let links = (0..<count).map { index -> TestJSON in
                ["pos": .count(index), "len": .count(1), "url": .string(url)]
            }
            let body: TestJSON = [
                "text": .string(String(repeating: "x", count: count)), "entities": ["links": .array(links)],
            ]
            let answer = try await alice.send("POST", "posts", body.text)
            #expect(answer.status == 400 && answer.message.contains(reason), "\(answer.text.prefix(300))")
        }
    }

    @Test("a text is bounded before its Markdown is parsed")
    func written() throws {
        let long = String(repeating: "[", count: TextLimits.writtenBytes + 1)
        let entities: JSONValue = ["parse_markdown_links": .bool(true)]
        #expect(throws: AppNetFailure.self) { try WrittenText(text: long, entities: entities) }
    }

    @Test("a page ends at 4 MiB and can be continued, forwards and backwards", arguments: [false, true])
    func pages(isForward: Bool) async throws {
        try await withAppNet { alice async throws in
            let channel = try await alice.createChannel()
            let count = 120
            // Some 40 KB in an answer: the text is also in the HTML and in the link.
            let path = String(repeating: "\u{1F600}", count: 2_000)
            let expected = try await alice.running.appNet.fillChannel(channel, count: count, by: "alice") { _ in
                AppNetControl.MessageDraft(text: "http://a.example/\(path)")
            }
            var found: [String] = []
            var pages = 0
            var bound = isForward ? "since_id=0&count=-200" : "count=200"
            while true {
                let answer = try await alice.send("GET", "channels/\(channel)/messages?\(bound)")
                #expect(answer.status == 200 && answer.text.utf8.count < AnswerLimits.bytes + 65_536)
                found += isForward ? answer.ids.reversed() : answer.ids
                pages += 1
                guard answer.meta["more"] == .bool(true), pages < 10 else { break }
                let next = answer.meta[isForward ? "max_id" : "min_id"]?.stringValue ?? ""
                bound = isForward ? "since_id=\(next)&count=-200" : "before_id=\(next)&count=200"
            }
            #expect(pages > 1)
            #expect(found == (isForward ? expected : expected.reversed()))
        }
    }
}
