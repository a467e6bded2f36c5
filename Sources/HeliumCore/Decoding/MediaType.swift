package import HeliumEssentials
package import HeliumJSON

/// A media type (RFC 9110 section 8.3.1), as `Content-Type` has it: `application/problem+json; charset=utf-8`.
package struct MediaType: Hashable, Sendable {
    /// In lower case: `application`.
    package let type: String
    /// In lower case: `problem+json`.
    package let subtype: String
    /// Names in lower case, values as they came without their quotes. Of a name that comes twice the first counts.
    package let parameters: [ByteText: String]

    /// The media type in a field's value; `nil` if it has none. Parameters that can't be read end the reading: what came
    /// before stands.
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

    /// `type/subtype`.
    package var essence: String { "\(type)/\(subtype)" }

    /// In lower case.
    package var charset: String? { parameters["charset"]?.lowercased() }

    package var isHTML: Bool { essence == "text/html" || essence == "application/xhtml+xml" }
}

extension String {
    /// Text in a character set that a content type names; `nil`: UTF-8, and so for names nobody knows.
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
