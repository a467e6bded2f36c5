import Foundation
import Testing

@testable import HeliumCore

@Suite("Proxies of connections")
struct ProxyRouteTests {
    private func route(_ url: String, _ choice: ProxyChoice) throws -> String? {
        let url = try #require(URL(string: url))
        let scheme = try #require(url.scheme)
        return try ProxyRoute.route(
            to: try #require(url.host()),
            scheme: scheme,
            isSecure: ["https", "wss"].contains(scheme),
            by: choice
        )
        .map { "\($0.host):\($0.port)" }
    }

    @Test(
        "the proxy is read from the environment by libcurl's rules",
        arguments: [
            ("ws://a.test/", ["http_proxy": "http://p:1"], "p:1"),
            ("ws://a.test/", ["HTTP_PROXY": "http://p:1"], nil),
            ("ws://a.test/", ["ws_proxy": "http://w:1", "http_proxy": "http://p:1"], "w:1"),
            ("ws://a.test/", ["WS_PROXY": "http://w:1"], "w:1"),
            ("ws://a.test/", ["https_proxy": "http://p:1"], nil),
            ("ws://a.test/", ["http_proxy": "", "all_proxy": "http://q:2"], "q:2"),
            ("ws://a.test/", ["ALL_PROXY": "http://q:2"], "q:2"),
            ("wss://a.test/", ["https_proxy": "http://p:1", "HTTPS_PROXY": "http://q:2"], "p:1"),
            ("wss://a.test/", ["HTTPS_PROXY": "http://q:2"], "q:2"),
            ("wss://a.test/", ["http_proxy": "http://p:1"], nil),
            ("wss://a.test/", ["wss_proxy": "http://w:1", "https_proxy": "http://p:1"], "w:1"),
            ("wss://a.test/", ["https_proxy": "http://p:1", "no_proxy": "a.test"], nil),
            ("wss://a.test/", ["https_proxy": "http://p:1", "NO_PROXY": "a.test"], nil),
            ("wss://a.test/", ["https_proxy": "http://p:1", "no_proxy": "b.test", "NO_PROXY": "a.test"], "p:1"),
            ("wss://a.test/", [:], nil),
            ("http://a.test/", ["http_proxy": "http://p:1", "ws_proxy": "http://w:1"], "p:1"),
            ("http://a.test/", ["HTTP_PROXY": "http://p:1"], nil),
            ("https://a.test/", ["HTTPS_PROXY": "http://q:2", "http_proxy": "http://p:1"], "q:2"),
        ] as [(String, [String: String], String?)]
    )
    func environment(url: String, variables: [String: String], expected: String?) throws {
        #expect(try route(url, .environment(variables)) == expected)
    }

    @Test(
        "a proxy is not used for the hosts of no_proxy",
        arguments: [
            ("*", "a.test", true), ("a.test", "a.test", true), ("a.test", "b.a.test", true),
            (".a.test", "a.test", true),
            ("a.test", "ba.test", false), ("A.TEST", "a.test", true), ("a.test.", "a.test", true),
            ("x.test, a.test", "a.test", true), ("x.test a.test", "a.test", true), ("", "a.test", false),
            ("10.0.0.0/8", "10.1.2.3", true), ("10.0.0.0/8", "11.1.2.3", false), ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.0/23", "10.1.3.255", true), ("10.1.2.0/33", "10.1.2.0", false), ("0.0.0.0/0", "9.9.9.9", true),
            ("0.2.3", "10.0.2.3", false), ("[::1]", "::1", true), ("fe80::/10", "febf::1", true),
            ("fe80::/10", "fec0::1", false), ("10.0.0.0/8", "::1", false),
        ]
    )
    func exceptions(list: String, host: String, isException: Bool) {
        #expect(ProxyExceptions(list).contains(host) == isException)
    }

    @Test(
        "a proxy is parsed from its URL",
        arguments: [
            ("http://p.test:3128", "p.test:3128"), ("p.test:3128", "p.test:3128"), ("http://p.test", "p.test:1080"),
            ("http://p.test:80/", "p.test:80"), ("http://p.test:080", "p.test:80"), ("http://p.test:", "p.test:1080"),
            ("http://[::1]:8080", "::1:8080"), ("http://[::1]:80", "::1:80"), ("http://[::80]", "::80:1080"),
            ("http://ann:pw@p.test:1", "p.test:1"),
        ]
    )
    func reading(text: String, expected: String) throws {
        #expect(try route("ws://a.test", .environment(["http_proxy": text])) == expected)
    }

    @Test(
        "an invalid URL of a proxy is refused",
        arguments: ["https://p:1", "socks5://p:1", "http://", "http://p:99999", "http://a b"]
    )
    func refused(text: String) {
        #expect(throws: InvalidURL.self) { try route("ws://a.test", .environment(["http_proxy": text])) }
    }

    @Test(
        "the URL of a proxy has brackets around an address of IPv6",
        arguments: ["http://[::1]:8080", "http://p.test:1"]
    )
    func urlString(text: String) throws {
        #expect(try ProxyRoute(text).urlString == text)
    }

    @Test("a proxy gets the decoded credentials of its URL, which are not shown")
    func credentials() throws {
        let route = try ProxyRoute("http://ann:p%40ss%3Aword@p.test:1")
        #expect(route.authorization?.value == "Basic " + Data("ann:p@ss:word".utf8).base64EncodedString())
        #expect(!String(reflecting: route.authorization).contains("Basic"))
        #expect(!route.urlString.contains("ann"))
    }
}
