/// Percent-encoding and decoding (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Returns the decoded text; `nil` if an escape is malformed. Bytes that are not UTF-8 become U+FFFD.
    package static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the decoded segments of a path; `nil` if an escape is malformed.
    package static func decoded(segments: [Substring]) -> [String]? {
        let texts = segments.compactMap(decoded)
        return texts.count == segments.count ? texts : nil
    }

    /// Decodes a name or a value of a query or a form. `+` is a space, and malformed text is not changed.
    package static func decodedFormText(_ text: Substring) -> String {
        let plus = UInt8(ascii: "+")
        guard text.utf8.contains(plus) else { return decoded(text) ?? String(text) }
        let spaced = String(decoding: text.utf8.map { $0 == plus ? 0x20 : $0 }, as: UTF8.self)
        return decoded(spaced[...]) ?? spaced
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension PercentEncoding {
    /// Encodes one segment of a path. All characters except unreserved ones (RFC 3986 §2.3) and `+` are escaped.
    package static func encodedSegment(_ text: String) -> String {
        encoded(text) { $0 == UInt8(ascii: "+") }
    }

    /// Encodes the value of a form field (`application/x-www-form-urlencoded`). All bytes except unreserved ones are
    /// escaped.
    package static func encodedFormValue(_ text: String) -> String { encoded(text) { _ in false } }

    private static func encoded(_ text: String, isPlain: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte) || isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
