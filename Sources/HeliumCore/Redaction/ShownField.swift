package import HTTPTypes

/// Formats header fields for descriptions and logs.
package enum ShownField {
    /// The maximum number of bytes of a value that are shown.
    static let maximumValueBytes = 1024

    private static let urlFields: Set<String> = ["location", "content-location", "referer", "link", "refresh"]

    /// Returns whether the value of a field is a URL, or a list of URLs.
    static func isURL(_ name: HTTPField.Name) -> Bool { urlFields.contains(name.canonicalName) }

    /// Returns `name: value`. The values of credentials, of queries and keys in URLs and the secrets of `redactor` are
    /// masked, control characters are escaped, and long values are cut.
    package static func line(_ field: HTTPField, _ redactor: Redactor) -> String {
        "\(field.name.rawName): \(value(of: field, redactor))"
    }

    /// Returns the value as ``line(_:_:)`` shows it.
    package static func value(of field: HTTPField, _ redactor: Redactor) -> String {
        if SensitiveFields.contains(field.name) { return Redactor.mask }
        let name = field.name.canonicalName
        let value =
            urlFields.contains(name)
            ? maskingQueries(SecretPath.masking(field.value), isOneURL: name != "link") : field.value
        return PeerText.shortened(PeerText.escaped(redactor.redact(value)), to: maximumValueBytes)
    }

    /// Returns a field's value with the values of every query in it masked, and every fragment:
    /// `<https://h/p?page=***>; rel="next"`.
    ///
    /// - Parameter isOneURL: Whether the value is a single URL, which ends only at the end of the value. In a list, a
    ///   URL ends at `>`, and outside of `<` and `>` at a space, a quote or a comma.
    static func maskingQueries(_ text: String, isOneURL: Bool) -> String {
        var masking = QueryMasking(isOneURL: isOneURL)
        for byte in text.utf8 { masking.read(byte) }
        return masking.finish()
    }
}

/// Masks the queries and fragments of URLs, one byte at a time.
private struct QueryMasking {
    private enum Place { case outside, name, value, fragment }

    let isOneURL: Bool
    private var out: [UInt8] = []
    /// The name of a parameter, or a parameter without a value, which may itself be the secret.
    private var name: [UInt8] = []
    private var place = Place.outside
    private var isBracketed = false

    init(isOneURL: Bool) { self.isOneURL = isOneURL }

    mutating func read(_ byte: UInt8) {
        if ends(byte) {
            leaveName()
            place = .outside
        }
        switch (place, byte) {
        case (.outside, UInt8(ascii: "?")): place = .name
        case (.outside, UInt8(ascii: "#")) where isOneURL || isBracketed, (.name, UInt8(ascii: "#")),
            (.value, UInt8(ascii: "#")):
            leaveName()
            out += Array("#***".utf8)
            place = .fragment
            return
        case (.name, UInt8(ascii: "=")):
            out += name + Array("=***".utf8)
            name = []
            place = .value
            return
        case (.name, UInt8(ascii: "&")), (.value, UInt8(ascii: "&")):
            leaveName()
            place = .name
        case (.name, _):
            name.append(byte)
            return
        case (.value, _), (.fragment, _): return
        default: break
        }
        if byte == UInt8(ascii: "<") { isBracketed = true }
        if byte == UInt8(ascii: ">") { isBracketed = false }
        out.append(byte)
    }

    mutating func finish() -> String {
        leaveName()
        return String(decoding: out, as: UTF8.self)
    }

    private func ends(_ byte: UInt8) -> Bool {
        if isOneURL { return false }
        if isBracketed { return byte == UInt8(ascii: ">") }
        return byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: " ")
            || byte == UInt8(ascii: ",")
    }

    private mutating func leaveName() {
        if !name.isEmpty { out += Array("***".utf8) }
        name = []
    }
}
