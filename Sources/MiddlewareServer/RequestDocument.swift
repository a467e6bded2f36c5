internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The content of a request body that the body parser keeps: the text that is signed, and the document that routes read
/// (Docs/Protocols/Middleware.md §1.3).
struct RequestDocument: Sendable {
    /// The decoded text of a JSON body; empty for every other body.
    var text = ""
    /// The parsed document; `nil` for every other body.
    var document: JSONValue?

    /// The error of a rejected body, with the status of the response (400, 413 or 415).
    struct Failure: Error, Hashable, Sendable {
        let status: HTTPResponse.Status
    }

    /// Parses a body.
    ///
    /// - Throws: ``Failure``.
    static func parse(_ body: [UInt8], fields: HTTPFields, ceiling: Int) throws(Failure) -> Self {
        guard !body.isEmpty, let type = fields[.contentType], mediaType(of: type) == "application/json" else {
            return Self()
        }
        let charset = charset(of: type) ?? "utf-8"
        guard charset.hasPrefix("utf-") else { throw Failure(status: .unsupportedMediaType) }
        let bytes = try unpacked(body, coding: fields[.contentEncoding], ceiling: ceiling)
        if bytes.isEmpty { return Self() }
        guard bytes.count <= ceiling else { throw Failure(status: .contentTooLarge) }
        // Invalid bytes become U+FFFD, whatever the charset. A byte order mark stays in the text that is signed.
        let text = String(decoding: bytes, as: UTF8.self)
        let wide = charset.hasPrefix("utf-16") ? parsed(utf16(bytes, charset)) : nil
        guard let document = wide ?? parsed(text) else { throw Failure(status: .badRequest) }
        switch document {
        case .object, .array: return Self(text: text, document: document)
        default: throw Failure(status: .badRequest)
        }
    }

    /// Returns the document of a text, without its byte order mark.
    private static func parsed(_ text: String) -> JSONValue? {
        JSONValue.parse(text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text)
    }

    /// Returns the text of bytes in UTF-16. They are big-endian if the charset is `utf-16be`, or if they begin with FE FF
    /// or a zero byte, and little-endian otherwise.
    private static func utf16(_ bytes: [UInt8], _ charset: String) -> String {
        let isBigEndian = charset == "utf-16be" || bytes.starts(with: [0xFE, 0xFF]) || bytes.first == 0
        let units = stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func mediaType(of contentType: String) -> String {
        contentType.prefix(beforeByte: ";").removingBytes(of: " \t").lowercased()
    }

    private static func charset(of contentType: String) -> String? {
        for parameter in contentType.split(atByte: ";").dropFirst() {
            let parts = parameter.split(atByte: "=", maxSplits: 1).map { $0.removingBytes(of: " \"") }
            if parts.count == 2, parts[0].lowercased() == "charset" { return parts[1].lowercased() }
        }
        return nil
    }

    private static func unpacked(_ body: [UInt8], coding: String?, ceiling: Int) throws(Failure) -> [UInt8] {
        switch coding?.lowercased() ?? "identity" {
        case "identity": return body
        case "gzip", "deflate":
            do {
                return try ContentCoding.inflated(body, ceiling: ceiling)
            } catch {
                switch error {
                case .tooLarge: throw Failure(status: .contentTooLarge)
                case .malformed: throw Failure(status: .badRequest)
                }
            }
        default: throw Failure(status: .unsupportedMediaType)
        }
    }
}
