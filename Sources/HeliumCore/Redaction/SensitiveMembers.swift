/// Masks the values of members with names like `password` in the text of a body, which may be cut off.
enum SensitiveMembers {
    private static let parts = [
        "secret", "token", "passw", "pwd", "passphrase", "signature", "credential", "apikey", "api_key", "api-key",
        "privatekey", "private_key", "authorization", "cookie", "session", "otp", "cvc", "cvv", "cardnumber",
        "card_number", "iban", "ssn",
    ]

    /// Returns whether the value of a member with this name must be masked. A name with escapes is not decoded, so its
    /// value is always masked.
    static func contains(_ name: some StringProtocol) -> Bool {
        let name = name.lowercased()
        if name.utf8.contains(UInt8(ascii: "\\")) || name.utf8.contains(UInt8(ascii: "%")) { return true }
        if name.hasSameBytes(as: "key") || name.hasSameBytes(as: "pin") { return true }
        return parts.contains { name.containsBytes(of: $0) }
    }

    /// Returns a form with the values of such names masked.
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

    /// Returns JSON with the values of such names masked, including objects and arrays. Text that is not JSON is
    /// returned unchanged.
    static func maskingJSON(_ text: String) -> String {
        let masked = JSONMembers.masking(Array(text.utf8), with: "\"\(Redactor.mask)\"", keepsLiterals: false) {
            contains($0)
        }
        return String(decoding: masked, as: UTF8.self)
    }
}
