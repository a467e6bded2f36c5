import Foundation
import HeliumCore
import Testing

@Suite("Hosts in other scripts")
struct InternationalHostTests {
    private static let hosts = [
        "bücher.example", "BÜCHER.Example", "bu\u{308}cher.example", "例え.テスト", "müller.bücher.example.",
        "straße.example",
        "مثال.إختبار", "ΒΌΛΟΣ.gr", "xn--bcher-kva.ü.example", "a-ü.example",
    ]

    @Test("an international host has the A-label that Foundation makes", arguments: hosts)
    func aLabels(host: String) throws {
        let foundation = try #require(URL(string: "http://\(host)/")?.host(percentEncoded: false))
        #expect(try RequestURL("http://\(host)/").origin.host == foundation)
    }

    @Test(
        "an international host whose A-label would be another host is refused",
        arguments: [
            "a／b.de", "ü..de", "..ü", "ü@b.de", "ü／", "ü？x", "ü＃x", "ü：80", "ü b.de", "ü%2fb.de", "ü\u{0}.de",
            "%C3%BC.de",
            "\u{AD}", "ü\u{202E}.de", String(repeating: "ü", count: 64) + ".de", "ü[.de", "[ü]", "ü:port", "ü:65536",
        ]
    )
    func refusals(host: String) {
        #expect(throws: InvalidURL.self) { try RequestURL("http://\(host)/") }
    }

    @Test("a host that Foundation refuses has no A-label", arguments: ["a／b.de", "ü..de", "ü b.de"])
    func refusedByFoundation(host: String) {
        #expect(URL(string: "http://\(host)/") == nil)
        #expect(throws: InvalidURL.self) { try RequestURL("http://\(host)/") }
    }

    @Test("port, path and query of a URL with an international host are kept")
    func rest() throws {
        let url = try RequestURL("HTTP://Bücher.example:8080/ä?q=é#ü")
        #expect(url.origin.urlString == "http://xn--bcher-kva.example:8080" && url.target == "/%C3%A4?q=%C3%A9")
        #expect(try RequestURL("http://ü.example").target == "/")
        #expect(try RequestURL("http://ü.example?x").target == "/?x")
    }

    @Test("an international host of a URL value is that of its text")
    func foundationURL() throws {
        let url = try #require(URL(string: "https://bücher.example/a"))
        #expect(try Origin(url).urlString == "https://xn--bcher-kva.example")
    }

    @Test("a combining mark hides no user name, port or path of a URL")
    func combiningMarks() throws {
        #expect(throws: InvalidURL.self) { try RequestURL("http://user@\u{301}host.example/") }
        #expect(throws: InvalidURL.self) { try RequestURL("http://host.example:\u{301}80/") }
        #expect(try RequestURL("http://host.example/\u{301}").target == "/%CC%81")
    }
}
