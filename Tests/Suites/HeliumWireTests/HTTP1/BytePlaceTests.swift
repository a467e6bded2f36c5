import HeliumWire
import Testing

/// Many bytes are examined at once, and the rest at the end one by one.
@Suite("Bytes in every place")
struct BytePlaceTests {
    private static let token = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    /// Texts with one byte in one place, and whether the byte may be in a token.
    private static func texts(of length: Int) -> [(text: String, byte: UInt8, isToken: Bool)] {
        (0..<length).flatMap { place in
            (0..<128 as Range<UInt8>).map { byte in
                var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                bytes[place] = byte
                return (String(decoding: bytes, as: UTF8.self), byte, token.utf8.contains(byte))
            }
        }
    }

    @Test("a method, a target and an authority may have the same bytes everywhere", arguments: [1, 7, 8, 9, 17, 31])
    func requests(length: Int) {
        for (text, byte, isToken) in Self.texts(of: length) {
            let method = RequestHead(method: text, authority: "a").fault
            #expect((method == nil) == isToken)
            let isVisible = byte > 32 && byte < 127
            let authority = RequestHead(authority: text).fault
            #expect((authority == nil) == isVisible)
            let target = RequestHead(authority: "a", target: "/\(text)").fault
            #expect((target == nil) == isVisible)
            let hasBreak = byte == 0 || byte == 10 || byte == 13
            let coding = RequestHead(authority: "a", acceptEncoding: text).fault
            #expect((coding == nil) == !hasBreak)
        }
    }

    @Test("a name and a value may have the same bytes everywhere", arguments: [1, 7, 15, 16, 17, 33])
    func responses(length: Int) {
        let isComplete = { (fields: String) in
            let bytes = Array("HTTP/1.1 204 No\r\nA: b\r\n\(fields)\r\n\r\n".utf8)
            return ReaderRun(bytes).events.last == "end, reusable"
        }
        for (text, byte, isToken) in Self.texts(of: length) {
            // Other lines begin with a space, and a name ends with a colon.
            if !" \t\r\n:".utf8.contains(byte) { #expect(isComplete("\(text): c\r\nD: e") == isToken) }
            if byte != 10, byte != 13 || text.utf8.last != 13 {
                #expect(isComplete("C:\(text)\r\nD: e") == (byte != 0 && byte != 13))
            }
        }
    }
}
