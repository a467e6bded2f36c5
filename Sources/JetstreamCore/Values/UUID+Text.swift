internal import Foundation

extension UUID {
    /// The canonical text in lower case, as it stands on the wire (jetstream.md §2.1).
    var modelText: String {
        withUnsafeBytes(of: uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { text in
                var position = 0
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        text[position] = UInt8(ascii: "-")
                        position += 1
                    }
                    text[position] = Self.digit(byte >> 4)
                    text[position + 1] = Self.digit(byte & 15)
                    position += 2
                }
                return position
            }
        }
    }

    /// The identifier with that canonical text, in either case; `nil` if it is none.
    init?(modelText text: String) {
        var text = text
        let uuid: UUID? = text.withUTF8 { text in
            guard text.count == 36 else { return nil }
            var (high, low): (UInt64, UInt64) = (0, 0)
            var digits = 0
            for (position, byte) in text.enumerated() {
                if position == 8 || position == 13 || position == 18 || position == 23 {
                    guard byte == UInt8(ascii: "-") else { return nil }
                    continue
                }
                guard let digit = Self.value(byte) else { return nil }
                if digits < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
                digits += 1
            }
            let bytes = (high.bigEndian, low.bigEndian)
            return withUnsafeBytes(of: bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
        guard let uuid else { return nil }
        self = uuid
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt64? {
        switch digit {
        case 0x30...0x39: UInt64(digit - 0x30)
        case 0x61...0x66: UInt64(digit - 0x57)
        case 0x41...0x46: UInt64(digit - 0x37)
        default: nil
        }
    }
}
