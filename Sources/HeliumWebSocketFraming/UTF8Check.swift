internal import HeliumEssentials

/// Validates UTF-8 that arrives in parts (RFC 3629, Unicode table 3-7), and fails at the first invalid byte.
struct UTF8Check: Equatable {
    /// The number of continuation bytes that the current character lacks.
    private var missing = 0
    /// The bounds of the next continuation byte, which are narrower after E0, ED, F0 and F4.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the text so far ends with a complete character.
    var isComplete: Bool { missing == 0 }

    /// Validates the next part.
    ///
    /// - Returns: `false` if no UTF-8 text begins with the bytes so far.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                // ASCII is processed eight bytes at a time.
                while index + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < bytes.count else { break }
                guard begin(with: bytes[index]) else { return false }
            } else {
                guard lowest...highest ~= bytes[index] else { return false }
                (lowest, highest) = (0x80, 0xBF)
                missing -= 1
            }
            index += 1
        }
        return true
    }

    private mutating func begin(with byte: UInt8) -> Bool {
        switch byte {
        case ..<0x80: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lowest) = (2, 0xA0)
        case 0xED: (missing, highest) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, lowest) = (3, 0x90)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, highest) = (3, 0x8F)
        default: return false
        }
        return true
    }
}

extension RawSpan {
    /// The bytes as text; `nil` if they are not UTF-8.
    package var verifiedText: String? {
        withUnsafeBytes { bytes in bytes.isASCII ? String(ascii: bytes) : bytes.verifiedText }
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as text; `nil` if they are not UTF-8.
    ///
    /// `String(validating:)` is generic in the standard library and several times slower. The repaired text differs
    /// from the bytes exactly if they are not UTF-8.
    @inline(never)
    fileprivate var verifiedText: String? {
        guard let start = baseAddress, !isEmpty else { return "" }
        var text = String(decoding: self, as: UTF8.self)
        let isSame = text.withUTF8 { utf8 in
            utf8.count == count && utf8.baseAddress.map { memcmp($0, start, count) } == 0
        }
        return isSame ? text : nil
    }

    /// Whether the highest bit of no byte is set. It reads 32 bytes at a time, and those at the end twice.
    fileprivate var isASCII: Bool {
        // Read once, because it is computed from two addresses. No index exceeds it, so none overflows.
        let count = count
        var index = 0
        var words = SIMD4<UInt64>.zero
        while index &+ 32 <= count {
            words |= loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
            index &+= 32
        }
        let halves = words.lowHalf | words.highHalf
        var bits = halves[0] | halves[1]
        while index &+ 8 <= count {
            bits |= loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        if index < count, count >= 8 {
            bits |= loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        } else {
            while index < count {
                bits |= UInt64(self[index])
                index &+= 1
            }
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }
}

extension String {
    /// Creates a text from bytes that are known to be ASCII.
    fileprivate init(ascii bytes: UnsafeRawBufferPointer) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            self.init(decoding: bytes, as: UTF8.self)
            return
        }
        // Each sequence of ASCII bytes is UTF-8, so a second check would find nothing.
        self = bytes.withMemoryRebound(to: UInt8.self) { bytes in
            String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: true))
        }
    }
}
