import Foundation
import TestSupport
import Testing

@testable import JetstreamCore

@Suite("Identifiers on the wire")
struct WireTextTests {
    private static let sample = "0a5f0f6e-0c5c-4d9a-8f5e-aA00F00d0001"

    @Test("an identifier is written as by Foundation, in lower case, and read in either case")
    func roundTrip() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<1000 {
            let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let id = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            #expect(id.wireText == id.uuidString.lowercased())
            #expect(id.withWireBytes { String(decoding: $0, as: UTF8.self) } == id.wireText)
            #expect(UUID(wireText: id.wireText) == id)
            #expect(UUID(wireText: id.uuidString) == id)
        }
    }

    @Test("only a hexadecimal digit, or a hyphen at its position, is read", arguments: 0..<36)
    func wrongByte(position: Int) {
        let bytes = Array(Self.sample.utf8)
        for byte in UInt8.min...0x7F {
            var changed = bytes
            changed[position] = byte
            let text = String(decoding: changed, as: UTF8.self)
            let isValid = bytes[position] == 0x2D ? byte == 0x2D : Character(UnicodeScalar(byte)).isHexDigit
            #expect(UUID(wireText: text) == (isValid ? UUID(uuidString: text) : nil))
            #expect((UUID(wireText: text) != nil) == isValid)
        }
    }

    @Test("text beyond ASCII of the same length is not read", arguments: 0..<35)
    func beyondASCII(position: Int) {
        var bytes = Array(Self.sample.utf8)
        bytes.replaceSubrange(position..<(position + 2), with: "é".utf8)
        #expect(UUID(wireText: String(decoding: bytes, as: UTF8.self)) == nil)
    }

    @Test("text of another length is not read")
    func otherLengths() {
        #expect(UUID(wireText: Self.sample) != nil)
        for text in ["", String(Self.sample.dropLast()), Self.sample + "0", String(Self.sample.dropLast(28))] {
            #expect(UUID(wireText: text) == nil)
        }
    }
}
