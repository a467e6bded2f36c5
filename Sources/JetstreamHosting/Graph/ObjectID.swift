internal import Foundation
internal import HeliumCore

/// The identifier of a model object: a UUID stored as two words.
///
/// Messages contain many identifiers as text. Foundation's `UUID` reads and writes text several times slower.
package struct ObjectID: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a random UUID (RFC 9562 §5.4).
    init(random: RandomSource) {
        high = random.bits() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = random.bits() >> 2 | 0x8000_0000_0000_0000
    }

    init(_ uuid: UUID) {
        (high, low) = withUnsafeBytes(of: uuid.uuid) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// Reads the canonical text of a UUID in either case; `nil` for any other text.
    init?(_ text: String) {
        var text = text
        let words = text.withUTF8 { bytes -> (UInt64, UInt64)? in
            guard bytes.count == 36 else { return nil }
            var (high, low, digits) = (UInt64(0), UInt64(0), 0)
            for (position, byte) in bytes.enumerated() {
                if position == 8 || position == 13 || position == 18 || position == 23 {
                    guard byte == 0x2D else { return nil }
                    continue
                }
                let digit: UInt8
                switch byte {
                case 0x30...0x39: digit = byte - 0x30
                case 0x61...0x66: digit = byte - 0x57
                case 0x41...0x46: digit = byte - 0x37
                default: return nil
                }
                if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
                digits += 1
            }
            return (high, low)
        }
        guard let words else { return nil }
        (high, low) = words
    }

    /// The text on the wire: canonical and in lower case.
    package var text: String {
        String(unsafeUninitializedCapacity: 36) { bytes in
            var position = 0
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    bytes.initializeElement(at: position, to: 0x2D)
                    position += 1
                }
                let word = digit < 16 ? high : low
                let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - digit % 16 * 4)) & 0xF
                bytes.initializeElement(at: position, to: nibble < 10 ? 0x30 + nibble : 0x57 + nibble)
                position += 1
            }
            return 36
        }
    }

    /// The identifier as a Foundation `UUID`.
    var uuid: UUID {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
