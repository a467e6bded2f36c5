import Cosm
import Foundation
import HeliumKit
import Testing

@testable import HeliumCLI

@Suite("Printable text of servers")
struct PrintableTextTests {
    @Test(
        "text of a server is escaped if it could control a terminal or a log",
        arguments: [
            ("plain \u{1F95B} né\u{301}e", "plain \u{1F95B} né\u{301}e"), ("\u{1B}[31mred", "\\u{1b}[31mred"),
            ("FAKE\nlog\r\nline\t", "FAKE\\nlog\\r\\nline\\t"), ("\u{7}\u{9B}31m\u{7F}", "\\u{7}\\u{9b}31m\\u{7f}"),
            ("a\u{202E}b\u{2028}c", "a\\u{202e}b\\u{2028}c"),
            ("\u{1F468}\u{200D}\u{1F469}", "\u{1F468}\u{200D}\u{1F469}"), ("", ""),
        ]
    )
    func line(text: String, shown: String) { #expect(PrintableText.line(text) == shown) }

    @Test("text of a server keeps its line breaks where they are wanted")
    func lines() {
        #expect(PrintableText.lines("a\r\nb\tc\n\rd\u{1B}") == "a\nb\tc\n\\rd\\u{1b}")
    }

    @Test("escaped JSON and XML are the same documents, and CSV has no escapes")
    func documents() throws {
        let text = "\u{9B}31m\u{7F}\u{202E}\u{E0001}"
        let json = PrintableText.json("{\"a\":\"\(text)\"}\n")
        #expect(json == "{\"a\":\"\\u009b31m\\u007f\\u202e\\udb40\\udc01\"}\n")
        #expect(try JSONValue(parsing: Data(json.utf8))["a"]?.stringValue == text)
        let feed = Feed(title: text)
        for (format, isExact) in [(CosmFormat.json, false), (.xml, false)] {
            let shown = CosmUpdates.shown(try feed.encoded(as: format).data, as: format)
            #expect(
                String(decoding: shown, as: UTF8.self).unicodeScalars.allSatisfy {
                    $0 == "\n" || !PrintableText.isUnsafe($0)
                }
            )
            #expect(try format.decode(Feed.self, from: shown).title == text, "\(format) \(isExact)")
        }
        let csv = Data("a,\u{1B}[31m\n".utf8)
        #expect(CosmUpdates.shown(csv, as: .csv) == csv)
    }

    @Test("text of a server is printed in chunks, wherever they are cut", arguments: [1, 2, 3, 100])
    func chunks(size: Int) throws {
        let body = Data("\u{1F95B}é\r\nx\u{1B}[0m\r".utf8) + Data([0xFF, 0xC3])
        func printed(isTerminal: Bool) throws -> Data {
            let out = Written()
            var output = BodyOutput(isTerminal: isTerminal) { out.data += $0 }
            for start in stride(from: 0, to: body.count, by: size) {
                try output.append(body[start..<min(start + size, body.count)])
            }
            try output.finish()
            return out.data
        }
        #expect(try printed(isTerminal: false) == body)
        let shown = String(decoding: try printed(isTerminal: true), as: UTF8.self)
        #expect(shown == "\u{1F95B}é\nx\\u{1b}[0m\\r\u{FFFD}\u{FFFD}")
    }

    private final class Written { var data = Data() }

    @Test("a usage error does not quote an argument that may be secret")
    func commandLine() {
        let secrets = CommandLineSecrets([
            "request", "-H", "Authorization:", "Bearer", "abc", "--timeout", "soon", "--param=x",
        ])
        #expect(secrets.masked("'Bearer', 'abc', 'soon', 'x'") == "[redacted], [redacted], 'soon', [redacted]")
    }
}
