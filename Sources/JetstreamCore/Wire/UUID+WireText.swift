package import Foundation
internal import HeliumJSON

extension UUID {
    /// The canonical text in lower case, as Jetstream writes it (Docs/Protocols/Jetstream.md §2.1).
    package var wireText: String {
        let digits: StaticString = "0123456789abcdef"
        return withUnsafeBytes(of: uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { text in
                var position = 0
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        text[position] = 0x2D
                        position += 1
                    }
                    text[position] = digits.utf8Start[Int(byte >> 4)]
                    text[position + 1] = digits.utf8Start[Int(byte & 15)]
                    position += 2
                }
                return position
            }
        }
    }

    /// The identifier with a canonical text of 36 bytes, in upper or lower case; `nil` for any other text.
    package init?(wireText text: String) {
        var text = text
        guard let uuid = text.withUTF8(Self.init(wireBytes:)) else { return nil }
        self = uuid
    }

    /// The identifier with a canonical text in a document.
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
                guard let high = Self.digit(text[position]), let low = Self.digit(text[position + 1]) else {
                    return false
                }
                bytes[index] = high << 4 | low
                position += 2
            }
            return true
        }
        guard isValid else { return nil }
        self.init(uuid: uuid)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
