package import HTTPTypes
package import HeliumEssentials

/// Removes secrets from requests and responses that are shown or stored. It masks values by the names of fields, query
/// parameters and members, and all occurrences of known secrets.
package struct SecretScrubber: Sendable {
    /// The replacement for a query value.
    package static let queryMask = "***"
    /// The replacement for everything else.
    package static let mask = Redactor.mask

    private let fields: Set<String>
    private let parameters: Set<ByteText>
    private let members: Set<ByteText>
    private var secrets: SecretBytes

    /// Creates a scrubber.
    ///
    /// - Parameters:
    ///   - secrets: Texts to mask everywhere, ignoring letter case, including their percent-encoded, JSON-escaped and
    ///     Base64 forms.
    ///   - fields: Fields to mask in addition to ``SensitiveFields``. Letter case is ignored, here and below.
    ///   - parameters: Query parameters to mask in addition to those whose names indicate a secret.
    ///   - members: JSON and form members to mask in addition to those whose names indicate a secret.
    ///   - keepsLongerWords: Whether a secret that is a word of ASCII letters, or shorter than 6 bytes, is not masked as a
    ///     part of a longer word or number: `server` in `servers`. Default: `false`.
    package init(
        secrets: [String] = [],
        fields: Set<String> = [],
        parameters: Set<String> = [],
        members: Set<String> = [],
        keepsLongerWords: Bool = false
    ) {
        self.fields = Set(fields.map { $0.lowercased() })
        self.parameters = Set(parameters.map { ByteText($0.lowercased()) })
        self.members = Set(members.map { ByteText($0.lowercased()) })
        self.secrets = SecretBytes(secrets, keepsLongerWords: keepsLongerWords)
    }

    /// Returns a scrubber with the same names and other secrets.
    package func with(secrets: some Sequence<String>) -> SecretScrubber {
        var copy = self
        copy.secrets = SecretBytes(secrets)
        return copy
    }
}

// MARK: Names

extension SecretScrubber {
    private static let sensitiveNames: Set<ByteText> = [
        "accesskey", "authorization", "cookie", "jwt", "otp", "pwd", "salt", "sessionid", "sessionkey", "setcookie",
    ]

    private static let sensitiveParts = [
        "secret", "token", "passw", "passphrase", "signature", "credential", "apikey", "privatekey",
    ]

    private static let shortNames: Set<ByteText> = ["key", "session", "sig"]

    /// Returns whether the name of a member or parameter indicates a secret: `access_token`, `clientSecret`, `api-key`.
    package static func isSensitive(_ name: String) -> Bool {
        let name = String(name.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" })
        return sensitiveNames.contains(name)
            || sensitiveParts.contains { name.containsBytes(of: $0) }
    }

    func isSensitive(member name: String) -> Bool {
        SecretScrubber.isSensitive(name) || members.contains(name.lowercased())
    }

    /// Returns whether the name of a query parameter indicates a secret. Unlike members, `key` and `session` do.
    package func isSensitive(parameter name: String) -> Bool {
        SecretScrubber.isSensitive(name) || Self.shortNames.contains(name.lowercased())
            || parameters.contains(name.lowercased())
    }

    /// Returns whether the whole value of a field is masked.
    package func isSensitive(_ field: HTTPField.Name) -> Bool {
        SensitiveFields.contains(field) || fields.contains(field.canonicalName)
    }
}

// MARK: Parts of a message

extension SecretScrubber {
    /// Returns a field's value, masked completely, or with known secrets and the secret parameters of a URL in it
    /// masked.
    package func value(of field: HTTPField) -> [UInt8] {
        if isSensitive(field.name) { return Array(SecretScrubber.mask.utf8) }
        let bytes = Array(secrets.masking(field.withUnsafeBytesOfValue { Array($0) }, with: SecretScrubber.mask.utf8))
        guard let text = String(validating: bytes, as: UTF8.self), text.utf8.contains(UInt8(ascii: "=")),
            text.utf8.contains(UInt8(ascii: "?")) || text.utf8.contains(UInt8(ascii: "#"))
        else {
            return bytes
        }
        return Array(target(text, masksAllValues: false).utf8)
    }

    /// Returns a URL or request target with query values masked, either all or those with a secret name, and with all
    /// known secrets masked.
    package func target(_ target: String, masksAllValues: Bool) -> String {
        var text = ""
        // The query, and the fragment, in which OAuth's implicit flow sends tokens (RFC 6749 §4.2.2).
        let fragment = target.utf8.firstIndex(of: UInt8(ascii: "#")) ?? target.endIndex
        for part in [target[..<fragment], target[fragment...]] {
            let mark = part.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            guard let start = mark.map({ part.utf8.index(after: $0) }) else {
                text += part
                continue
            }
            text += part[..<start] + pairs(part[start...]) { masksAllValues || isSensitive(parameter: $0) }
        }
        return String(decoding: secrets.masking(Array(text.utf8), with: SecretScrubber.queryMask.utf8), as: UTF8.self)
    }

    private func pairs(_ query: Substring, mask isMasked: (String) -> Bool) -> String {
        query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
            let text = String(decoding: item, as: UTF8.self)
            guard let sign = item.firstIndex(of: UInt8(ascii: "=")) else {
                return text.isEmpty || !isMasked("") ? text : "***"
            }
            let name = String(decoding: item[..<sign], as: UTF8.self)
            return isMasked(PercentEncoding.decoded(name) ?? name) ? "\(name)=\(SecretScrubber.queryMask)" : text
        }.joined(separator: "&")
    }

    /// Returns a body with the secret members of JSON or of a form masked, and all known secrets.
    ///
    /// - Parameters:
    ///   - masksLongHex: Whether runs of 64 or more hexadecimal digits are masked too, as in errors. Signatures and
    ///     hashes of secrets have that form, but so have checksums.
    ///   - masksForm: Whether all values of a form are masked, as those of a query.
    ///   - isCut: Whether more of the body followed.
    ///   - mask: The replacement. In forms, the values of secret members are replaced by ``queryMask`` instead.
    package func body(
        _ body: Data,
        contentType: String?,
        masksLongHex: Bool,
        masksForm: Bool = false,
        isCut: Bool = false,
        mask: String = SecretScrubber.mask
    ) -> Data {
        var bytes = Array(body)
        let type = contentType?.lowercased() ?? ""
        if type.hasBytePrefix("application/x-www-form-urlencoded"), let text = String(validating: bytes, as: UTF8.self)
        {
            bytes = Array(pairs(text[...]) { masksForm || isSensitive(member: $0) }.utf8)
        } else if type.containsBytes(of: "json")
            || [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes.first { $0 > 0x20 })
        {
            bytes = JSONMembers.masking(
                bytes,
                with: "\"\(mask)\"",
                keepsLiterals: true,
                where: isSensitive(member:)
            )
        }
        bytes = secrets.masking(bytes, with: mask.utf8, isCut: isCut)
        if masksLongHex { bytes = SecretBytes.maskingLongHex(bytes, with: mask.utf8) }
        return Data(bytes)
    }

    /// Returns any other text with known secrets masked.
    package func text(_ text: String) -> String {
        String(decoding: secrets.masking(Array(text.utf8), with: SecretScrubber.mask.utf8), as: UTF8.self)
    }
}

extension SecretScrubber: CustomReflectable {
    /// No children, so that the secrets do not appear in reflections.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
