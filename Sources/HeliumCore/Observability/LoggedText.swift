internal import HTTPTypes
internal import HeliumEssentials

/// Formats texts of requests and responses for logs and spans.
struct LoggedText: Sendable {
    private let redactor: Redactor

    /// Creates a formatter that masks all occurrences of these secrets.
    init(secrets: [String]) {
        redactor = Redactor(secrets: secrets)
    }

    /// Returns text with the secrets masked, and long hexadecimal numbers, which are usually keys and hashes.
    func masked(_ text: String) -> String { redactor.redact(text) }

    /// Returns a URL with the values of its query masked, and secrets in its path.
    func url(_ url: RequestURL) -> String { masked(url.redacted) }

    /// Returns `name: value` for each field, with the values of credentials and of URLs' queries masked.
    func fields(_ fields: HTTPFields) -> [String] { fields.map { ShownField.line($0, redactor) } }

    /// Returns the beginning of a text body, or `nil` for other bodies.
    func body(_ body: Data, mediaType: String?) -> String? {
        guard !body.isEmpty, let form = Form(mediaType: mediaType) else { return nil }
        var text = String(decoding: body.prefix(4096), as: UTF8.self)
        switch form {
        case .json: text = SensitiveMembers.maskingJSON(text)
        case .form: text = SensitiveMembers.maskingForm(text)
        case .plain: break
        }
        // Masks before cutting, because a secret that is cut in two would not be recognized.
        return PeerText.beginning(of: PeerText.escaped(redactor.redact(text)), bytes: 1024)
    }

    private enum Form {
        case json, form, plain

        init?(mediaType: String?) {
            let essence = (mediaType ?? "").utf8.prefix { $0 != UInt8(ascii: ";") }
            let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let end = essence.lastIndex { !isSpace($0) }.map(essence.index(after:)) ?? essence.startIndex
            let type = String(decoding: essence[..<end].drop(while: isSpace), as: UTF8.self).lowercased()
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
}
