import Foundation
import HeliumWebSocket
import Testing

@Suite("Proxies of WebSockets")
struct WebSocketProxyTests {
    @Test("the descriptions of a proxy do not contain its credentials")
    func credentials() throws {
        let proxy = WebSocketProxy.http(try #require(URL(string: "http://ann:password@p.test:1")))
        var dumped = ""
        dump(proxy, to: &dumped)
        #expect(!(dumped + "\(proxy)" + String(reflecting: proxy)).contains("password"))
    }
}
