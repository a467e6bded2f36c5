import HeliumWebSocket
import Testing

@Suite("A close code")
struct WebSocketCloseCodeTests {
    @Test("keeps its number", arguments: [1000, 4999])
    func number(_ number: UInt16) {
        #expect(WebSocketCloseCode(rawValue: number).rawValue == number)
    }
}
