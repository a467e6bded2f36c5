package import HeliumEssentials

/// Repairs text of services that do not keep the rules of JSON and Unicode for the texts of their users, for example that
/// cut a text in the middle of an emoji. Otherwise one such text makes a whole document invalid.
package enum LenientText {
    /// Returns a document in which
    ///
    /// - escapes of single surrogates, and bytes that are not UTF-8, are replaced by U+FFFD;
    /// - control characters in strings are escaped.
    ///
    /// Everything else is unchanged. The document is read a constant number of times.
    ///
    /// - Returns: `nil` if there is nothing to repair.
    package static func repaired(_ document: Data) -> Data? {
        var bytes = Array(document)
        var isChanged = false
        if String(validating: bytes, as: UTF8.self) == nil {
            bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
            isChanged = true
        }
        if let escaped = escapingControls(in: bytes) {
            bytes = escaped
            isChanged = true
        }
        if let replaced = LoneSurrogates.replaced(in: bytes) {
            bytes = replaced
            isChanged = true
        }
        return isChanged ? Data(bytes) : nil
    }

    /// Returns the text with each control character in a string as an escape; `nil` if there is none.
    private static func escapingControls(in bytes: [UInt8]) -> [UInt8]? {
        var out: [UInt8] = []
        var copied = 0
        var isString = false
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): isString.toggle()
            // The escaped character does not end the string. A control character is never escaped by a backslash.
            case UInt8(ascii: "\\") where isString && index + 1 < bytes.count && bytes[index + 1] >= 0x20: index += 1
            case let byte where isString && byte < 0x20:
                out += bytes[copied..<index]
                let digits = Array(String(byte, radix: 16).utf8)
                out += Array("\\u".utf8) + Array(repeating: UInt8(ascii: "0"), count: 4 - digits.count) + digits
                copied = index + 1
            default: break
            }
            index += 1
        }
        return copied == 0 ? nil : out + bytes[copied...]
    }
}
