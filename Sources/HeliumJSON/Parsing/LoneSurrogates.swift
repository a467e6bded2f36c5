/// Escapes of halves of surrogate pairs in a JSON text. JavaScript writes them, and no Swift string can hold them.
package enum LoneSurrogates {
    /// The text with `\ufffd` in place of each such escape; `nil` if it has none. Reads the text once.
    package static func replaced(in json: some Collection<UInt8>) -> [UInt8]? {
        guard json.contains(UInt8(ascii: "\\")) else { return nil }
        var bytes = Array(json)
        var position = 0
        var isChanged = false
        while let backslash = bytes[position...].firstIndex(of: UInt8(ascii: "\\")) {
            guard let unit = surrogate(in: bytes, at: backslash) else {
                position = min(backslash + 2, bytes.count)
                continue
            }
            position = backslash + 6
            if unit < 0xDC00, let low = surrogate(in: bytes, at: position), low >= 0xDC00 {
                position += 6
            } else {
                for (offset, digit) in "fffd".utf8.enumerated() { bytes[backslash + 2 + offset] = digit }
                isChanged = true
            }
        }
        return isChanged ? bytes : nil
    }

    /// The surrogate whose escape begins at an offset; `nil` if none does.
    private static func surrogate(in bytes: [UInt8], at start: Int) -> UInt16? {
        guard start + 6 <= bytes.count, bytes[start...].starts(with: "\\u".utf8) else { return nil }
        let digits = bytes[(start + 2)..<(start + 6)]
        // The first digit of all surrogates; a sign would be read as a number's too.
        guard [UInt8(ascii: "d"), UInt8(ascii: "D")].contains(digits[start + 2]) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16).flatMap { $0 < 0xD800 ? nil : $0 }
    }
}
