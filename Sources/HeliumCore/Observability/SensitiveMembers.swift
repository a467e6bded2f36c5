internal import HTTPTypes

/// Masks what stands under names like `password` in the text of a body, whole or cut off.
enum SensitiveMembers {
    private static let parts = [
        "secret", "token", "passw", "pwd", "passphrase", "signature", "credential", "apikey", "api_key", "api-key",
        "privatekey", "private_key", "authorization", "cookie", "session", "otp", "cvc", "cvv", "cardnumber",
        "card_number", "iban", "ssn",
    ]

    /// Whether a member of this name is not to be shown. A name with escapes is not read, so it is not trusted.
    static func contains(_ name: some StringProtocol) -> Bool {
        let name = name.lowercased()
        if name.utf8.contains(UInt8(ascii: "\\")) || name.utf8.contains(UInt8(ascii: "%")) { return true }
        if name.hasSameBytes(as: "key") || name.hasSameBytes(as: "pin") { return true }
        return parts.contains { name.containsBytes(of: $0) }
    }

    /// A form with the values of such names masked.
    static func maskingForm(_ text: String) -> String {
        text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .map { item in
                guard let mark = item.firstIndex(of: UInt8(ascii: "=")),
                    contains(String(decoding: item[..<mark], as: UTF8.self))
                else { return String(decoding: item, as: UTF8.self) }
                return String(decoding: item[...mark], as: UTF8.self) + Redactor.mask
            }
            .joined(separator: "&")
    }

    /// JSON with the values of such names masked, objects and arrays included. What is no JSON comes out as it is.
    static func maskingJSON(_ text: String) -> String {
        var scanner = Scanner(bytes: Array(text.utf8))
        return scanner.masked()
    }
}

extension SensitiveMembers {
    /// Goes through JSON without understanding more of it than strings, brackets and colons.
    private struct Scanner {
        let bytes: [UInt8]
        var position = 0
        var out: [UInt8] = []

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func masked() -> String {
            while position < bytes.count {
                guard bytes[position] == UInt8(ascii: "\"") else {
                    out.append(bytes[position])
                    position += 1
                    continue
                }
                let start = position
                skipString()
                out += bytes[start..<position]
                let name = String(decoding: bytes[(start + 1)..<max(start + 1, position - 1)], as: UTF8.self)
                guard takeColon(), SensitiveMembers.contains(name) else { continue }
                skipValue()
                out += "\"\(Redactor.mask)\"".utf8
            }
            return String(decoding: out, as: UTF8.self)
        }

        /// To behind the string that begins here, or to the end where it is cut off.
        private mutating func skipString() {
            position += 1
            while position < bytes.count {
                let byte = bytes[position]
                position += byte == UInt8(ascii: "\\") ? 2 : 1
                if byte == UInt8(ascii: "\"") { break }
            }
            position = min(position, bytes.count)
        }

        private mutating func takeColon() -> Bool {
            let start = position
            takeSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
                position = start
                return false
            }
            out += bytes[start...position]
            position += 1
            return true
        }

        private mutating func takeSpace() {
            while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
        }

        private mutating func skipValue() {
            takeSpace()
            var depth = 0
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: "\""):
                    skipString()
                    if depth == 0 { return }
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return }
                    depth -= 1
                    if depth == 0 {
                        position += 1
                        return
                    }
                case UInt8(ascii: ","), 0x0A:
                    if depth == 0 { return }
                default:
                    break
                }
                position += 1
            }
        }
    }
}
