package import HTTPTypes

/// Header fields as descriptions and logs show them.
package enum ShownField {
    /// The most bytes that are shown of a value.
    static let maximumValueBytes = 1024

    private static let urlFields: Set<String> = ["location", "content-location", "referer", "link", "refresh"]

    /// `name: value`: the values of credentials masked, as are those of queries in URLs and the secrets that `redactor`
    /// knows; control characters escaped; cut where it is long.
    package static func line(_ field: HTTPField, _ redactor: Redactor) -> String {
        "\(field.name.rawName): \(value(of: field, redactor))"
    }

    /// The value as it is shown in ``line(_:_:)``.
    package static func value(of field: HTTPField, _ redactor: Redactor) -> String {
        if SensitiveFields.contains(field.name) { return Redactor.mask }
        let isURL = urlFields.contains(field.name.canonicalName)
        let value = isURL ? maskingQueries(field.value) : field.value
        return PeerText.shortened(PeerText.escaped(redactor.redact(value)), to: maximumValueBytes)
    }

    /// A field's value with the values of every query in it masked: `<https://h/p?page=***>; rel="next"`.
    static func maskingQueries(_ text: String) -> String {
        enum Place { case outside, name, value }
        var out: [UInt8] = []
        var place = Place.outside
        for byte in text.utf8 {
            switch (place, byte) {
            case (_, UInt8(ascii: ">")), (_, UInt8(ascii: "\"")), (_, UInt8(ascii: " ")), (_, UInt8(ascii: ",")):
                place = .outside
            case (.outside, UInt8(ascii: "?")): place = .name
            case (.name, UInt8(ascii: "=")):
                out += Array("=***".utf8)
                place = .value
                continue
            case (.value, UInt8(ascii: "&")): place = .name
            case (.value, _): continue
            default: break
            }
            out.append(byte)
        }
        return String(decoding: out, as: UTF8.self)
    }
}
