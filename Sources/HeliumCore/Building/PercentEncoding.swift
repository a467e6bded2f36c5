/// Percent-encoding (RFC 3986 §2) into a byte buffer.
struct PercentEncoding {
    /// Returns whether a byte is allowed unescaped in any part of a URL (RFC 3986 §2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        (byte | 32) &- 97 < 26 || byte &- 48 < 10 || byte == 45 || byte == 46 || byte == 95 || byte == 126
    }

    /// Returns whether a byte is allowed unescaped in a path segment: `pchar` (RFC 3986 §3.3).
    static func isPathByte(_ byte: UInt8) -> Bool {
        if isUnreserved(byte) { return true }
        switch byte {
        case 33, 36, 38...44, 58, 59, 61, 64: return true  // ! $ & ' ( ) * + , : ; = @
        default: return false
        }
    }

    /// Returns whether a byte is allowed unescaped in a query (RFC 3986 §3.4).
    static func isQueryByte(_ byte: UInt8) -> Bool { isPathByte(byte) || byte == 47 || byte == 63 }

    /// Appends `text` with everything but unreserved characters escaped, so that it stays within its part of the URL.
    static func append(_ text: String, to buffer: inout [UInt8]) {
        append(text.utf8, to: &buffer, keeping: isUnreserved)
    }

    /// Appends `bytes`, escaping those for which `isKept` returns `false`.
    static func append(
        _ bytes: some Sequence<UInt8>,
        to buffer: inout [UInt8],
        keeping isKept: (UInt8) -> Bool
    ) {
        for byte in bytes {
            if isKept(byte) {
                buffer.append(byte)
            } else {
                appendEscape(byte, to: &buffer)
            }
        }
    }

    /// Appends text that may already contain escapes. Valid escapes are kept, and every other byte that is not allowed
    /// is escaped.
    static func appendLiteral(
        _ bytes: some Collection<UInt8>,
        to buffer: inout [UInt8],
        keeping isKept: (UInt8) -> Bool
    ) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if isKept(byte) || (byte == 37 && isEscape(bytes, at: index)) {
                buffer.append(byte)
            } else {
                appendEscape(byte, to: &buffer)
            }
            index = bytes.index(after: index)
        }
    }

    /// The text without its escapes; `nil` if one is malformed, or if the bytes are not UTF-8.
    static func decoded(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The value of a hexadecimal digit; `nil` for any other byte.
    static func digit(_ byte: UInt8) -> UInt8? {
        if byte &- 48 < 10 { return byte &- 48 }
        return (byte | 32) &- 97 < 6 ? (byte | 32) &- 87 : nil
    }

    private static func isEscape<Bytes: Collection<UInt8>>(_ bytes: Bytes, at index: Bytes.Index) -> Bool {
        let digits = bytes[index...].dropFirst().prefix(2)
        return digits.count == 2 && digits.allSatisfy { $0 &- 48 < 10 || ($0 | 32) &- 97 < 6 }
    }

    private static func appendEscape(_ byte: UInt8, to buffer: inout [UInt8]) {
        buffer.append(37)
        buffer.append(digit(byte >> 4))
        buffer.append(digit(byte & 15))
    }

    private static func digit(_ nibble: UInt8) -> UInt8 { nibble &+ 48 &+ (nibble > 9 ? 7 : 0) }
}
