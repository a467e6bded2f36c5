internal import Foundation
internal import HTTPTypes

/// Text of requests and answers as logs and spans may show it.
struct LoggedText: Sendable {
    private let redactor: Redactor
    private let hasSecrets: Bool

    /// Masks these secrets wherever they stand.
    init(secrets: [String]) {
        redactor = Redactor(secrets: secrets)
        hasSecrets = !secrets.isEmpty
    }

    /// Text with the secrets masked, and long hexadecimal numbers, which are keys and hashes.
    func masked(_ text: String) -> String {
        hasSecrets || Self.mayHoldLongHex(text) ? redactor.redact(text) : text
    }

    /// A URL with its query's values masked, and secrets in its path.
    func url(_ url: RequestURL) -> String { masked(url.redacted) }

    /// `name: value` for each field, the values of credentials and of URLs' queries masked.
    func fields(_ fields: HTTPFields) -> [String] {
        fields.map { field in
            let value =
                SensitiveFields.contains(field.name)
                ? Redactor.mask
                : masked(
                    Self.urlFields.contains(field.name.canonicalName) ? Self.maskingQuery(field.value) : field.value
                )
            return "\(field.name.rawName): \(value)"
        }
    }

    /// The beginning of a text body; `nil` for bodies that are no text.
    func body(_ body: Data, mediaType: String?) -> String? {
        guard !body.isEmpty, let form = Form(mediaType: mediaType) else { return nil }
        var text = String(decoding: body.prefix(4096), as: UTF8.self)
        switch form {
        case .json: text = SensitiveMembers.maskingJSON(text)
        case .form: text = SensitiveMembers.maskingForm(text)
        case .plain: break
        }
        // Cut after masking: a secret that the cut goes through would not be recognised.
        return redactor.redact(text).prefix(scalars: 1024)
    }

    private enum Form {
        case json, form, plain

        init?(mediaType: String?) {
            let essence = (mediaType ?? "").utf8.prefix { $0 != UInt8(ascii: ";") }
            let type = String(decoding: essence, as: UTF8.self).trimmingCharacters(in: .whitespaces).lowercased()
            guard type.isASCII else { return nil }
            if type == "application/json" || type.hasSuffix("+json") || type.hasSuffix("json-seq")
                || type.hasSuffix("ndjson")
            {
                self = .json
            } else if type == "application/x-www-form-urlencoded" {
                self = .form
            } else if type.hasPrefix("text/") || type.hasSuffix("/xml") || type.hasSuffix("+xml") {
                self = .plain
            } else {
                return nil
            }
        }
    }

    private static let urlFields: Set<String> = ["location", "content-location", "referer", "link", "refresh"]

    /// A field's value with the values of every query in it masked.
    static func maskingQuery(_ text: String) -> String {
        enum Place { case outside, name, value }
        var out = String.UnicodeScalarView()
        var place = Place.outside
        for character in text.unicodeScalars {
            switch (place, character) {
            case (_, ">"), (_, "\""), (_, " "), (_, ","): place = .outside
            case (.outside, "?"): place = .name
            case (.name, "="):
                out += "=***".unicodeScalars
                place = .value
                continue
            case (.value, "&"): place = .name
            case (.value, _): continue
            default: break
            }
            out.append(character)
        }
        return String(out)
    }

    /// Whether 64 hexadecimal digits may follow each other: what ``Redactor`` would look for, at a fraction of its cost.
    private static func mayHoldLongHex(_ text: String) -> Bool {
        var run = 0
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...70, 97...102: run += 1
            default: run = 0
            }
            if run >= 64 { return true }
        }
        return false
    }
}
