internal import HeliumEssentials

/// Finds known secrets in bytes that need not be text, ignoring letter case.
struct SecretBytes: Sendable {
    /// The secrets in lower case, the longest first, because one secret may be a prefix of another.
    private let needles: [[UInt8]]
    private let firstBytes: Set<UInt8>

    /// Creates a search for the secrets in several forms: unchanged, in a JSON string as several encoders write it, and
    /// in Base64.
    init(_ secrets: [String]) {
        var needles: Set<[UInt8]> = []
        for secret in secrets where !secret.isEmpty {
            var forms = [secret, Data(secret.utf8).base64EncodedString()]
            let escaped = SecretBytes.jsonEscaped(secret)
            forms += [escaped, escaped.replacingBytes(of: "/", with: "\\/")]
            forms.append(SecretBytes.unicodeEscaped(escaped) { $0.value < 0x80 })
            forms.append(SecretBytes.unicodeEscaped(escaped) { $0 != "<" && $0 != ">" && $0 != "&" })
            for form in forms { needles.insert(form.utf8.map(SecretBytes.lowercased)) }
        }
        self.needles = needles.sorted { $0.count > $1.count }
        firstBytes = Set(needles.compactMap(\.first))
    }

    private static func jsonEscaped(_ text: String) -> String {
        text.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: "\"", with: "\\\"")
            .replacingBytes(of: "\n", with: "\\n").replacingBytes(of: "\t", with: "\\t")
    }

    private static func unicodeEscaped(_ text: String, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
        text.unicodeScalars.reduce(into: "") { out, scalar in
            guard !isKept(scalar) else {
                out.unicodeScalars.append(scalar)
                return
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 32 : byte }

    /// Returns `bytes` with every secret replaced in one pass, so a mask is never searched again. A percent-encoded
    /// byte is compared as the byte it encodes, so any mixture of encoded and unencoded bytes matches.
    func masking(_ bytes: [UInt8], with mask: some Collection<UInt8>) -> [UInt8] {
        guard !needles.isEmpty else { return bytes }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let end = endOfSecret(in: bytes, from: index) {
                out.append(contentsOf: mask)
                index = end
            } else {
                out.append(bytes[index])
                index += 1
            }
        }
        return out
    }

    private func endOfSecret(in bytes: [UInt8], from start: Int) -> Int? {
        let literal = SecretBytes.lowercased(bytes[start])
        let decoded = SecretBytes.byte(in: bytes, at: start).value
        guard firstBytes.contains(literal) || firstBytes.contains(decoded) else { return nil }
        for needle in needles {
            if let end = SecretBytes.end(of: needle, in: bytes, from: start, decoding: false)
                ?? SecretBytes.end(of: needle, in: bytes, from: start, decoding: true)
            {
                return end
            }
        }
        return nil
    }

    private static func end(of needle: [UInt8], in bytes: [UInt8], from start: Int, decoding: Bool) -> Int? {
        var index = start
        for wanted in needle {
            guard index < bytes.count else { return nil }
            let (value, length) = decoding ? byte(in: bytes, at: index) : (lowercased(bytes[index]), 1)
            guard value == wanted else { return nil }
            index += length
        }
        return index
    }

    /// Returns the byte at this position, decoded if it is percent-encoded, in lower case.
    private static func byte(in bytes: [UInt8], at index: Int) -> (value: UInt8, length: Int) {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
            let high = PercentEncoding.digit(bytes[index + 1]), let low = PercentEncoding.digit(bytes[index + 2])
        else { return (lowercased(bytes[index]), 1) }
        return (lowercased(high << 4 | low), 3)
    }

    /// Returns `bytes` with every run of 64 or more hexadecimal digits replaced.
    static func maskingLongHex(_ bytes: [UInt8], with mask: some Collection<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var start = 0
        while start < bytes.count {
            let isHex = isHexDigit(bytes[start])
            let end = bytes[start...].firstIndex { isHexDigit($0) != isHex } ?? bytes.count
            if isHex, end - start >= 64 { out.append(contentsOf: mask) } else { out += bytes[start..<end] }
            start = end
        }
        return out
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 || (byte | 32) &- 97 < 6 }
}

extension SecretBytes: CustomReflectable {
    /// No children, so that the secrets do not appear in reflections.
    var customMirror: Mirror { Mirror(self, children: []) }
}
