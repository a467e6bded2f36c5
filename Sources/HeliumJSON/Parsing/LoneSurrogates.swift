/// Escapes of single surrogates in a JSON text. JavaScript writes them, but no Swift string can contain them.
package enum LoneSurrogates {
    /// Returns the text with each such escape replaced by `\ufffd`, or `nil` if it has none. The text is read once.
    package static func replaced(in json: some Collection<UInt8>) -> [UInt8]? {
        let escape = UInt8(ascii: "\\")
        // The elements of a buffer are compared without a call for each.
        let hasEscape = json.withContiguousStorageIfAvailable { $0.contains(escape) } ?? json.contains(escape)
        guard hasEscape else { return nil }
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

    /// Returns the surrogate whose escape begins at an offset, or `nil` if there is none.
    private static func surrogate(in bytes: [UInt8], at start: Int) -> UInt16? {
        guard start + 6 <= bytes.count, bytes[start...].starts(with: "\\u".utf8) else { return nil }
        let digits = bytes[(start + 2)..<(start + 6)]
        // The first digit of all surrogates is `d`. Without this check, a sign would be parsed as part of the number.
        guard [UInt8(ascii: "d"), UInt8(ascii: "D")].contains(digits[start + 2]) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16).flatMap { $0 < 0xD800 ? nil : $0 }
    }
}
