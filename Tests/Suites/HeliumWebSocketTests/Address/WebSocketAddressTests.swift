import Foundation
import HeliumCore
import Testing

@testable import HeliumWebSocket

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
