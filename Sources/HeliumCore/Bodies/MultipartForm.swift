public import HTTPTypes
public import HeliumEssentials

/// A form with files, `multipart/form-data` (RFC 7578): parts in the order in which they are sent.
///
/// ```swift
/// var form = MultipartForm()
/// form.append(.text("Holiday", name: "title"))
/// form.append(.file(at: photo, name: "photo"))
/// let echo = try await helium.post("/echo", body: .multipart(form), returning: String.self).value()
/// ```
///
/// Files are read while they are sent. The total length is announced if each part's is known.
public struct MultipartForm: Sendable {
    /// The parts in order.
    public private(set) var parts: [Part] = []

    /// Creates a form with these parts.
    public init(_ parts: [Part] = []) { self.parts = parts }

    /// Adds a part at the end. Names may repeat, which sends several files in one field.
    public mutating func append(_ part: Part) { parts.append(part) }
}

extension MultipartForm {
    /// One part of a form: a field's value, or a file.
    public struct Part: Sendable {
        enum Content: Sendable {
            case data(Data)
            case file(path: String)
            case upload(UploadBody)
        }

        /// The field's name, not empty.
        public var name: String

        /// The file name that is sent to the server; `nil` for an ordinary field.
        public var fileName: String?

        /// The part's `Content-Type`; `nil` sends none, which means `text/plain` (RFC 7578 §4.4).
        public var contentType: String?

        /// Further fields of the part, other than `Content-Disposition` and `Content-Type`. Servers may ignore them
        /// (RFC 7578 §4.8).
        public var fields: HTTPFields

        let content: Content
    }
}

extension MultipartForm.Part {
    /// Creates a part. Without a media type, the file name's extension determines it.
    private init(
        _ content: Content,
        _ name: String,
        _ fileName: String?,
        _ contentType: String?,
        _ fields: HTTPFields
    ) {
        self.init(
            name: name,
            fileName: fileName,
            contentType: contentType ?? FileMediaTypes.type(ofFileNamed: fileName ?? ""),
            fields: fields,
            content: content
        )
    }

    /// Creates a field with a text, in UTF-8.
    public static func text(_ text: String, name: String, contentType: String? = nil, fields: HTTPFields = [:]) -> Self
    {
        Self(name: name, fileName: nil, contentType: contentType, fields: fields, content: .data(Data(text.utf8)))
    }

    /// Creates a part from bytes in memory. It is sent as a file if it has a file name.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - name: The field's name.
    ///   - fileName: The file name that is sent to the server. Default: `nil`, an ordinary field.
    ///   - contentType: The media type. Default: by the file name's extension, or `application/octet-stream`.
    ///   - fields: Further fields of the part.
    public static func data(
        _ data: Data,
        name: String,
        fileName: String? = nil,
        contentType: String? = nil,
        fields: HTTPFields = [:]
    ) -> Self {
        Self(.data(data), name, fileName, contentType, fields)
    }

    /// Creates a part from a file that is read while it is sent.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The field's name.
    ///   - fileName: The file name that is sent to the server. Default: the last component of the path.
    ///   - contentType: The media type. Default: by the file name's extension, or `application/octet-stream`.
    ///   - fields: Further fields of the part.
    public static func file(
        atPath path: String,
        name: String,
        fileName: String? = nil,
        contentType: String? = nil,
        fields: HTTPFields = [:]
    ) -> Self {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let known = fileName ?? String(path[(slash.map(path.utf8.index(after:)) ?? path.startIndex)...])
        return Self(.file(path: path), name, known, contentType, fields)
    }

    /// Creates a part from a file that is read while it is sent; see
    /// ``file(atPath:name:fileName:contentType:fields:)``.
    public static func file(
        at url: URL,
        name: String,
        fileName: String? = nil,
        contentType: String? = nil,
        fields: HTTPFields = [:]
    ) -> Self {
        file(
            atPath: url.isFileURL ? url.path : "",
            name: name,
            fileName: fileName,
            contentType: contentType,
            fields: fields
        )
    }

    /// Creates a part from a body that is read while it is sent.
    public static func upload(
        _ body: UploadBody,
        name: String,
        fileName: String? = nil,
        contentType: String? = nil,
        fields: HTTPFields = [:]
    ) -> Self {
        Self(.upload(body), name, fileName, contentType, fields)
    }
}

extension MultipartForm.Part: CustomStringConvertible, CustomReflectable {
    /// The field's name and the media type only, because contents may be personal.
    public var description: String { "Part(\(name), \(contentType ?? "no media type"))" }
    /// The parts that the description shows.
    public var customMirror: Mirror { Mirror(self, children: ["name": name, "contentType": contentType as Any]) }
}
