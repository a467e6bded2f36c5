import Foundation
import HeliumCore
import Testing

@Suite("Origin")
struct OriginTests {
    @Test(
        "the Host field of an origin has no default port",
        arguments: [
            ("http://localhost", "localhost", "http://localhost"),
            ("http://localhost:80/a", "localhost", "http://localhost"),
            ("https://api.example.com:443/x?y", "api.example.com", "https://api.example.com"),
            ("https://api.example.com:80", "api.example.com:80", "https://api.example.com:80"),
            ("http://LocalHost:3000", "localhost:3000", "http://localhost:3000"),
            ("http://[::1]:3000/", "[::1]:3000", "http://[::1]:3000"),
            ("http://[2001:DB8::1]", "[2001:db8::1]", "http://[2001:db8::1]"),
            ("http://b\u{FC}cher.example/", "xn--bcher-kva.example", "http://xn--bcher-kva.example"),
            ("HTTPS://EXAMPLE.com:", "example.com", "https://example.com"),
        ]
    )
    func hostHeader(text: String, hostHeader: String, urlString: String) throws {
        let origin = try Origin(#require(URL(string: text)))
        #expect(origin.hostHeader == hostHeader)
        #expect(origin.urlString == urlString)
    }

    @Test(
        "an invalid origin is refused with the reason",
        arguments: [
            ("ftp://example.com", "scheme"), ("http:///path", "host"), ("http://user:pw@example.com", "user name"),
            ("example.com/path", "scheme"), ("http://exa%20mple.com", "host"), ("http://[fe80::1%25eth0]/", "zone id"),
        ]
    )
    func refusals(text: String, part: String) throws {
        let url = try #require(URL(string: text))
        let error = try #require(throws: InvalidURL.self) { try Origin(url) }
        #expect(error.description.contains(part))
        #expect(!error.description.contains("pw"))
    }

    @Test(
        "an invalid port of an origin is refused",
        arguments: ["http://a:0", "http://a:65536", "http://a:x", "http://a:-1"]
    )
    func ports(text: String) {
        #expect(throws: InvalidURL.self) { try RequestURL(text) }
    }

    @Test(
        "loopback names and addresses are recognized",
        arguments: [
            ("http://localhost", true), ("http://a.localhost:1", true), ("http://127.0.0.1", true),
            ("http://127.9.8.7", true), ("http://[::1]", true), ("http://127.0.0.1.example.com", false),
            ("http://128.0.0.1", false), ("http://localhost.example.com", false), ("http://127.0.1", false),
        ]
    )
    func loopback(text: String, expected: Bool) throws {
        #expect(try Origin(#require(URL(string: text))).isLoopback == expected)
    }

    @Test("origins are compared by scheme, host and port")
    func equality() throws {
        func origin(_ text: String) throws -> Origin { try Origin(#require(URL(string: text))) }
        #expect(try origin("http://a.example:80/x") == origin("HTTP://A.example/y"))
        #expect(try origin("http://a.example") != origin("https://a.example"))
        #expect(try origin("http://a.example:81") != origin("http://a.example"))
    }
}
