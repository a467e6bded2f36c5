internal import HTTPTypes
internal import HeliumEssentials

/// Text of requests and answers as logs and spans may show it.
struct LoggedText: Sendable {
    private let redactor: Redactor

    /// Masks these secrets wherever they stand.
    init(secrets: [String]) {
        redactor = Redactor(secrets: secrets)
    }

    /// Text with the secrets masked, and long hexadecimal numbers, which are keys and hashes.
    func masked(_ text: String) -> String { redactor.redact(text) }

    /// A URL with its query's values masked, and secrets in its path.
    func url(_ url: RequestURL) -> String { masked(url.redacted) }

    /// `name: value` for each field, the values of credentials and of URLs' queries masked.
    func fields(_ fields: HTTPFields) -> [String] { fields.map { ShownField.line($0, redactor) } }

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
