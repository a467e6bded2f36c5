public import Foundation
internal import HTTPTypes
public import HeliumCore

/// What a file is to hold (§2.4): read while it is sent, so that its size is bounded by nothing of ours.
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

    /// What the service is told that the file is called.
    public var name: String

    /// The media type; `nil` takes it from the name's extension.
    public var mediaType: String?

    /// Whether a part of a form goes out in Base64 (`Content-Transfer-Encoding: base64`): a third longer, for peers on
    /// the way that spoil bytes. Default: no.
    public var isBase64 = false

    private init(_ source: Source, name: String, mediaType: String?) {
        self.source = source
        self.name = name
        self.mediaType = mediaType
    }

    /// Bytes in memory.
    public static func data(_ data: Data, name: String, mediaType: String? = nil) -> Self {
        Self(.data(data), name: name, mediaType: mediaType)
    }

    /// A file on the disk, read while it is sent. A file that is missing, or changes its size meanwhile, fails the
    /// call.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - name: What the service is told. Default: the last part of the path.
    ///   - mediaType: The media type. Default: by the name's extension.
    public static func file(atPath path: String, name: String? = nil, mediaType: String? = nil) -> Self {
        let last = path.split(separator: "/").last.map(String.init)
        return Self(.file(path: path), name: name ?? last ?? path, mediaType: mediaType)
    }

    /// A file on the disk, read while it is sent; see ``file(atPath:name:mediaType:)``.
    public static func file(at url: URL, name: String? = nil, mediaType: String? = nil) -> Self {
        file(atPath: url.isFileURL ? url.path : "", name: name, mediaType: mediaType)
    }

    /// A body that is read while it is sent.
    public static func upload(_ body: UploadBody, name: String, mediaType: String? = nil) -> Self {
        Self(.upload(body), name: name, mediaType: mediaType)
    }

    /// The same, sent in Base64.
    public var inBase64: Self {
        var copy = self
        copy.isBase64 = true
        return copy
    }
}

extension FileContent {
    /// A part of a form.
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

    /// A whole body of raw bytes.
    var requestContent: RequestContent {
        switch source {
        case .data(let data):
            // The media type by the name is the form's business.
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
    /// What it is called; contents may be personal.
    public var description: String { "FileContent(\(name))" }

    /// What it is called.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension HTTPField.Name {
    fileprivate static let contentTransferEncoding = Self(constant: "Content-Transfer-Encoding")
}
