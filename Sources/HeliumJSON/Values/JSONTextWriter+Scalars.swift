extension JSONTextWriter {
    /// Appends a number's text.
    static func append(_ number: JSONNumber, to text: inout [UInt8]) {
        switch number.storage {
        case .integer(let value): append(value, to: &text)
        case .text(var digits): digits.withUTF8 { text.append(contentsOf: $0) }
        }
    }

    private static func append(_ value: Int64, to text: inout [UInt8]) {
        if value < 0 { text.append(0x2D) }
        var magnitude = value.magnitude
        let start = text.count
        repeat {
            text.append(0x30 + UInt8(truncatingIfNeeded: magnitude % 10))
            magnitude /= 10
        } while magnitude > 0
        text[start...].reverse()
    }

    /// Appends a string in quotes, with no more escapes than RFC 8259 section 7 demands.
    static func append(_ string: String, to text: inout [UInt8]) {
        text.append(0x22)
        var string = string
        string.withUTF8 { bytes in
            var rest = bytes
            while let escape = firstToEscape(in: rest) {
                text.append(contentsOf: UnsafeBufferPointer(rebasing: rest[..<escape]))
                appendEscape(of: rest[escape], to: &text)
                rest = UnsafeBufferPointer(rebasing: rest[(escape + 1)...])
            }
            text.append(contentsOf: rest)
        }
        text.append(0x22)
    }

    /// The first byte that has to be escaped: a quote, a backslash or a control character.
    @inline(__always)
    private static func firstToEscape(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = 0
        while index &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: Bytes.load8(start + index))
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let found =
                ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- ones &* 0x20) & ~word)
            // The lowest high bit is sure; those above may be borrowed from it.
            let special = found & (ones &* 0x80)
            if special != 0 { return index &+ special.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < bytes.count {
            if bytes[index] < 0x20 || bytes[index] == 0x22 || bytes[index] == 0x5C { return index }
            index &+= 1
        }
        return nil
    }

    private static func appendEscape(of byte: UInt8, to text: inout [UInt8]) {
        text.append(0x5C)
        switch byte {
        case 0x08: text.append(0x62)
        case 0x09: text.append(0x74)
        case 0x0A: text.append(0x6E)
        case 0x0C: text.append(0x66)
        case 0x0D: text.append(0x72)
        case 0x22, 0x5C: text.append(byte)
        default:
            text.append(contentsOf: "u00".utf8)
            for digit in [byte >> 4, byte & 0xF] { text.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
        }
    }
}
