import Foundation
import HeliumCore
import Testing

@testable import HeliumWebSocket

@Suite("Proxies of WebSockets")
struct ProxyTests {
    private func route(_ url: String, _ proxy: WebSocketProxy) throws -> String? {
        let address = try WebSocketAddress(try #require(URL(string: url)))
        return try ProxyRoute.route(to: address, by: proxy).map { "\($0.host):\($0.port)" }
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
            ("http://p.test:80/", "p.test:80"), ("http://[::1]:8080", "::1:8080"),
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

    @Test("a proxy gets the decoded credentials of its URL, which are not shown")
    func credentials() throws {
        let route = try ProxyRoute("http://ann:p%40ss%3Aword@p.test:1")
        #expect(route.authorization?.value == "Basic " + Data("ann:p@ss:word".utf8).base64EncodedString())
        #expect(!String(reflecting: route.authorization).contains("Basic"))
        let proxy = WebSocketProxy.http(try #require(URL(string: "http://ann:password@p.test:1")))
        var dumped = ""
        dump(proxy, to: &dumped)
        #expect(!(dumped + "\(proxy)" + String(reflecting: proxy)).contains("password"))
    }
}

@Suite("Addresses of WebSockets")
struct WebSocketAddressTests {
    @Test(
        "the address of a WebSocket is parsed from its URL",
        arguments: [
            ("ws://a.test", "a.test", 80, "a.test", "/"), ("wss://a.test/x?y=z", "a.test", 443, "a.test", "/x?y=z"),
            ("ws://a.test:8080/", "a.test", 8080, "a.test:8080", "/"), ("http://a.test", "a.test", 80, "a.test", "/"),
            ("https://A.test", "a.test", 443, "a.test", "/"), ("ws://[::1]:9", "::1", 9, "[::1]:9", "/"),
            ("wss://a.test:80", "a.test", 80, "a.test:80", "/"),
        ]
    )
    func reading(text: String, host: String, port: Int, field: String, target: String) throws {
        let address = try WebSocketAddress(try #require(URL(string: text)))
        #expect(address.host == host && address.port == port && address.hostField == field && address.target == target)
        #expect(address.isSecure == (text.hasPrefix("wss") || text.hasPrefix("https")))
    }

    @Test("the description of a WebSocket's address hides the query")
    func redacted() throws {
        let address = try WebSocketAddress(try #require(URL(string: "wss://a.test/x?key=hunter2")))
        #expect(address.redacted == "wss://a.test/x?key=***")
    }

    @Test(
        "an invalid URL of a WebSocket is refused",
        arguments: ["ftp://a.test", "ws://ann:pw@a.test", "ws://a.test/#part", "mailto:ann"]
    )
    func refused(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: InvalidURL.self) { try WebSocketAddress(url) }
    }
}
