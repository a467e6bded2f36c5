public import Foundation
internal import HTTPTypes
public import HeliumCore

/// The content of a file (Docs/Protocols/AppNet.md §2.4). It is read while it is sent, so its size is not limited by
/// memory.
///
/// ```swift
/// let photo = File(type: "com.example.photo", isPublic: true)
/// let file = try await client.files.create(photo, content: .file(atPath: path)) { progress in
///     print(progress.fraction ?? 0)
/// }
/// ```
public struct FileContent: Sendable {
    enum Source: Sendable {
        case data(Data)
        case file(path: String)
        case upload(UploadBody)
    }

    let source: Source

    /// The file name that is sent to the service.
    public var name: String

    /// The media type; `nil` to derive it from the extension of the name.
    public var mediaType: String?

    /// Whether a part of a form is sent in Base64 (`Content-Transfer-Encoding: base64`). This makes it a third longer,
    /// but protects it from intermediaries that corrupt binary data.
    ///
    /// The default is `false`.
    public var isBase64 = false

    private init(_ source: Source, name: String, mediaType: String?) {
        self.source = source
        self.name = name
        self.mediaType = mediaType
    }

    /// Creates content from bytes in memory.
    public static func data(_ data: Data, name: String, mediaType: String? = nil) -> Self {
        Self(.data(data), name: name, mediaType: mediaType)
    }

    /// Creates content from a file on disk, which is read while it is sent.
    ///
    /// The call fails if the file is missing or changes its size while it is read.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The file name that is sent. The default is the last component of the path.
    ///   - mediaType: The media type. The default is derived from the extension of the name.
    public static func file(atPath path: String, name: String? = nil, mediaType: String? = nil) -> Self {
        let last = path.split(separator: "/").last.map(String.init)
        return Self(.file(path: path), name: name ?? last ?? path, mediaType: mediaType)
    }

    /// Creates content from a file on disk. See ``file(atPath:name:mediaType:)``.
    public static func file(at url: URL, name: String? = nil, mediaType: String? = nil) -> Self {
        file(atPath: url.isFileURL ? url.path : "", name: name, mediaType: mediaType)
    }

    /// Creates content from a body that is read while it is sent.
    public static func upload(_ body: UploadBody, name: String, mediaType: String? = nil) -> Self {
        Self(.upload(body), name: name, mediaType: mediaType)
    }

    /// The same content, sent in Base64.
    public var inBase64: Self {
        var copy = self
        copy.isBase64 = true
        return copy
    }
}

extension FileContent {
    /// Returns a part of a form.
    func part(named name: String) -> MultipartForm.Part {
        guard isBase64 else {
            switch source {
            case .data(let data):
                return .data(data, name: name, fileName: self.name, contentType: mediaType)
            case .file(let path):
                return .file(atPath: path, name: name, fileName: self.name, contentType: mediaType)
            case .upload(let body):
                return .upload(body, name: name, fileName: self.name, contentType: mediaType)
            }
        }
        let fields: HTTPFields = [.contentTransferEncoding: "base64"]
        let body = UploadBody(base64: uploadBody)
        return .upload(body, name: name, fileName: self.name, contentType: mediaType, fields: fields)
    }

    /// The content as a body of raw bytes.
    var requestContent: RequestContent {
        switch source {
        case .data(let data):
            // The form derives the media type from the name itself.
            let type = mediaType ?? RequestContent.file(atPath: name).contentType
            return .bytes(data, contentType: type)
        case .file(let path):
            return .file(atPath: path, contentType: mediaType ?? RequestContent.file(atPath: name).contentType)
        case .upload(let body):
            return .upload(body, contentType: mediaType ?? RequestContent.file(atPath: name).contentType)
        }
    }

    private var uploadBody: UploadBody {
        switch source {
        case .data(let data): UploadBody(data)
        case .file(let path): UploadBody(fileAtPath: path)
        case .upload(let body): body
        }
    }
}

extension FileContent: CustomStringConvertible, CustomReflectable {
    /// The name. The content is not included, because it may be private.
    public var description: String { "FileContent(\(name))" }

    /// A mirror with only the name.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension HTTPField.Name {
    fileprivate static let contentTransferEncoding = Self(constant: "Content-Transfer-Encoding")
}
