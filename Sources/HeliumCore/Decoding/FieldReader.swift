/// Parses a field's value: tokens, quoted strings and separators (RFC 9110 §5.6).
struct FieldReader {
    let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position == bytes.count }

    func isAt(_ character: Unicode.Scalar) -> Bool {
        position < bytes.count && bytes[position] == UInt8(truncatingIfNeeded: character.value)
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        position += 1
        return true
    }

    mutating func skipByte() { position = min(position + 1, bytes.count) }

    mutating func skipSpace() { while isAt(" ") || isAt("\t") { position += 1 } }

    mutating func token() -> String? {
        let start = position
        while position < bytes.count, Self.isTokenByte(bytes[position]) { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    /// Returns a token or a quoted string.
    mutating func value() -> String? {
        guard take("\"") else { return token() }
        var value: [UInt8] = []
        while position < bytes.count {
            if take("\"") { return String(decoding: value, as: UTF8.self) }
            if take("\\"), isAtEnd { return nil }
            value.append(bytes[position])
            position += 1
        }
        return nil
    }

    /// Returns whether the byte is allowed in a token (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        case 33, 35, 36, 37, 38, 39, 42, 43, 45, 46, 94, 95, 96, 124, 126: true
        default: false
        }
    }
}
