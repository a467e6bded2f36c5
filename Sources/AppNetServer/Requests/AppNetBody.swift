internal import HeliumJSON
internal import HeliumServerKit

/// The body of a request, decoded by its media type (Docs/Protocols/AppNet.md §1.4).
enum AppNetBody: Sendable {
    case none
    case json(JSONValue)
    case form(FormFields)
    case multipart(MultipartBody)
    /// Bytes of another type.
    case bytes([UInt8], type: String)
    /// Malformed JSON or a malformed multipart body. It is rejected if a route reads it.
    case malformed

    /// The maximum number of fields of a form. No call has more than 20.
    private static let maximumFields = 1000

    /// Returns whether a media type is that of a form with parts.
    static func isMultipart(_ type: String?) -> Bool { kind(of: type) == "multipart/form-data" }

    private static func kind(of type: String?) -> String {
        type?.prefix { $0 != ";" }.trimming().lowercased() ?? ""
    }

    init(_ bytes: [UInt8], type: String?) {
        let kind = Self.kind(of: type)
        switch kind {
        case _ where bytes.isEmpty: self = .none
        case "application/json", "text/json", "text/javascript":
            self = JSONValue.parse(String(decoding: bytes, as: UTF8.self)).map { .json($0) } ?? .malformed
        case "application/x-www-form-urlencoded":
            let separators = bytes.reduce(0) { $0 + ($1 == UInt8(ascii: "&") ? 1 : 0) }
            self =
                separators < Self.maximumFields
                ? .form(FormFields(query: Substring(String(decoding: bytes, as: UTF8.self)))) : .malformed
        case "multipart/form-data":
            self = (try? MultipartBody(bytes, contentType: type ?? "")).map { .multipart($0) } ?? .malformed
        default: self = .bytes(bytes, type: type ?? "")
        }
    }

    var accessToken: String? {
        switch self {
        case .json(let value): value["access_token"]?.stringValue
        case .form(let form): form["access_token"]
        case .multipart(let form): form["access_token"]?.text
        default: nil
        }
    }

    var isMultipart: Bool { if case .multipart = self { true } else { false } }

    /// The fault of the first invalid text. Contents of files and plain parts of forms are not checked here.
    var textFault: TextFault? {
        switch self {
        case .json(let value): value.textFault
        case .form(let form): form.fault
        case .multipart(let form):
            form.parts.firstValue { part in
                [part.name, part.fileName ?? "", part.mediaType ?? ""].firstValue(of: \.textFault)
            }
        case .none, .bytes, .malformed: nil
        }
    }

    /// Returns the body as a JSON document. A form becomes an object of texts.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for malformed JSON and for bytes of another type.
    func document() throws(AppNetFailure) -> JSONValue {
        switch self {
        case .none: return .object([:])
        case .json(let value): return value
        case .form(let form):
            return .object(form.all.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        case .malformed:
            throw .badRequest("The body is not valid JSON, or not a valid multipart form; \(TextFault.marks.reason).")
        case .bytes, .multipart: throw .badRequest("The body must be application/json or a form.")
        }
    }
}
