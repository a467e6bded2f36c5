package import HeliumEssentials
package import HeliumJSON

/// A media type (RFC 9110 §8.3.1), as in `Content-Type`: `application/problem+json; charset=utf-8`.
package struct MediaType: Hashable, Sendable {
    /// The type in lower case: `application`.
    package let type: String
    /// The subtype in lower case: `problem+json`.
    package let subtype: String
    /// The parameters: names in lower case, values unchanged but without their quotes. If a name occurs twice, the
    /// first value is used.
    package let parameters: [ByteText: String]

    /// Parses the media type in a field's value. Returns `nil` if it has none. Parsing stops at an invalid parameter
    /// and keeps the parameters before it.
    package init?(_ text: String) {
        var reader = FieldReader(text)
        reader.skipSpace()
        guard let type = reader.token(), reader.take("/"), let subtype = reader.token() else { return nil }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        var parameters: [ByteText: String] = [:]
        reader.skipSpace()
        guard reader.isAtEnd || reader.isAt(";") else { return nil }
        while reader.take(";") {
            reader.skipSpace()
            if reader.isAt(";") || reader.isAtEnd { continue }  // Empty ones are allowed.
            guard let name = reader.token()?.lowercased(), reader.take("="), let value = reader.value() else { break }
            if parameters[name] == nil { parameters[name] = value }
            reader.skipSpace()
        }
        self.parameters = parameters
    }

    /// The type and subtype as `type/subtype`.
    package var essence: String { "\(type)/\(subtype)" }

    /// The `charset` parameter in lower case.
    package var charset: String? { parameters["charset"]?.lowercased() }

    package var isHTML: Bool { essence == "text/html" || essence == "application/xhtml+xml" }
}

extension String {
    /// Decodes text in a character set that a content type names. `nil` and unknown names mean UTF-8.
    package init?(body: Data, charset: String?) {
        let encoding: String.Encoding =
            switch charset.map(ByteText.init(_:)) {
            case "iso-8859-1", "latin1": .isoLatin1
            case "windows-1252", "cp1252": .windowsCP1252
            case "utf-16": .utf16
            case "utf-16le": .utf16LittleEndian
            case "utf-16be": .utf16BigEndian
            default: .utf8
            }
        self.init(data: body, encoding: encoding)
    }
}
