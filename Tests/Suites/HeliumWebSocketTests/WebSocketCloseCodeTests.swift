import HeliumWebSocket
import Testing

@Suite("WebSocket close codes")
struct WebSocketCloseCodeTests {
    @Test(
        "a close code may be sent where RFC 6455 section 7.4 allows it",
        arguments: [
            (0, false), (999, false), (1000, true), (1003, true), (1004, false), (1005, false), (1006, false),
            (1007, true), (1014, true), (1015, false), (2999, false), (3000, true), (4999, true), (5000, false),
        ]
    )
    func sendable(number: UInt16, isSendable: Bool) {
        #expect(WebSocketCloseCode(rawValue: number).isSendable == isSendable)
    }

    @Test("a close code tells whether the end is normal")
    func orderly() {
        #expect(WebSocketCloseCode.normal.isOrderly && WebSocketCloseCode.goingAway.isOrderly)
        #expect(!WebSocketCloseCode.internalError.isOrderly && !WebSocketCloseCode.abnormal.isOrderly)
    }
}
