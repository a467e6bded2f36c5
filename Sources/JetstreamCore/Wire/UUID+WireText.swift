package import Foundation
internal import HeliumJSON

extension UUID {
    /// The canonical text in lower case, as written by Jetstream (Docs/Protocols/Jetstream.md §2.1).
    package var wireText: String {
        String(unsafeUninitializedCapacity: 36) { text in
            write(to: text)
            return 36
        }
    }

    /// Calls `body` with the bytes of ``wireText``.
    func withWireBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
            write(to: text)
            return body(UnsafeBufferPointer(text))
        }
    }

    private func write(to text: UnsafeMutableBufferPointer<UInt8>) {
        let digits: StaticString = "0123456789abcdef"
        withUnsafeBytes(of: uuid) { bytes in
            var position = 0
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    text[position] = 0x2D
                    position += 1
                }
                text[position] = digits.utf8Start[Int(bytes[index] >> 4)]
                text[position + 1] = digits.utf8Start[Int(bytes[index] & 15)]
                position += 2
            }
        }
    }

    /// Reads an identifier from canonical text of 36 bytes in either case; `nil` for any other text.
    package init?(wireText text: String) {
        var text = text
        guard let uuid = text.withUTF8(Self.init(wireBytes:)) else { return nil }
        self = uuid
    }

    /// Reads an identifier from canonical text in a document.
    init?(json: borrowing JSONReader) {
        guard json.kind == .string else { return nil }
        if let plain = json.withPlainText(Self.init(wireBytes:)) {
            guard let uuid = plain else { return nil }
            self = uuid
        } else if let text = try? json.read(String.self), let uuid = Self(wireText: text) {
            self = uuid
        } else {
            return nil
        }
    }

    private init?(wireBytes text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 36 else { return nil }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let isValid = withUnsafeMutableBytes(of: &uuid) { bytes in
            var position = 0
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    guard text[position] == 0x2D else { return false }
                    position += 1
                }
                let (high, low) = (Self.digit(text[position]), Self.digit(text[position + 1]))
                // The result for a byte that is not a digit has bits in its upper half.
                guard (high | low) < 16 else { return false }
                bytes[index] = high << 4 | low
                position += 2
            }
            return true
        }
        guard isValid else { return nil }
        self.init(uuid: uuid)
    }

    /// Returns the value of a hexadecimal digit, or 16 or more for another byte.
    @inline(__always)
    private static func digit(_ byte: UInt8) -> UInt8 {
        let decimal = byte &- 0x30
        // Letters of either case.
        let letter = (byte | 0x20) &- 0x61
        return decimal < 10 ? decimal : letter < 6 ? letter + 10 : 0xFF
    }
}
