public import Foundation
public import HeliumCore
public import HeliumJSON

/// A file in an annotation (Docs/Protocols/AppNet.md §4.2): the members of a ``File``, with its id in `fileID`.
public struct AttachedFile: Hashable, Sendable {
    /// The id of the file.
    public var fileID: File.ID?

    /// The read token (`file_token_read`).
    public var readToken: Secret?

    /// The file's name.
    public var name: String?

    /// The purpose of the file, as a reverse domain name.
    public var type: String?

    /// The kind of file, such as an image.
    public var kind: File.Kind?

    /// The media type of the content.
    public var mimeType: String?

    /// The size in bytes.
    public var size: Int?

    /// The size including all derived files, in bytes.
    public var totalSize: Int?

    /// The content's SHA-1 in hex.
    public var sha1: String?

    /// Whether the file has its content.
    public var isComplete: Bool?

    /// Whether everyone may read the file.
    public var isPublic: Bool?

    /// The creation date.
    public var createdAt: Date?

    /// The URL of the content.
    public var url: WebAddress?

    /// The expiration date of `url`; `nil` if it does not expire.
    public var urlExpires: Date?

    /// The URL of the content without a redirect.
    public var immediateURL: WebAddress?

    /// The expiration date of `immediateURL`.
    public var immediateURLExpires: Date?

    /// The permanent URL of a public file's content.
    public var permanentURL: WebAddress?

    /// The short URL of a public file's content.
    public var shortURL: WebAddress?

    /// The image's size.
    public var imageInfo: ImageInfo?

    /// The derived files by their keys.
    public var derivedFiles: [String: File.Derived]?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a file with these members.
    package init(
        fileID: File.ID? = nil,
        readToken: Secret? = nil,
        name: String? = nil,
        type: String? = nil,
        kind: File.Kind? = nil,
        mimeType: String? = nil,
        size: Int? = nil,
        totalSize: Int? = nil,
        sha1: String? = nil,
        isComplete: Bool? = nil,
        isPublic: Bool? = nil,
        createdAt: Date? = nil,
        url: WebAddress? = nil,
        urlExpires: Date? = nil,
        immediateURL: WebAddress? = nil,
        immediateURLExpires: Date? = nil,
        permanentURL: WebAddress? = nil,
        shortURL: WebAddress? = nil,
        imageInfo: ImageInfo? = nil,
        derivedFiles: [String: File.Derived]? = nil,
        extra: JSONObject = [:]
    ) {
        self.fileID = fileID
        self.readToken = readToken
        self.name = name
        self.type = type
        self.kind = kind
        self.mimeType = mimeType
        self.size = size
        self.totalSize = totalSize
        self.sha1 = sha1
        self.isComplete = isComplete
        self.isPublic = isPublic
        self.createdAt = createdAt
        self.url = url
        self.urlExpires = urlExpires
        self.immediateURL = immediateURL
        self.immediateURLExpires = immediateURLExpires
        self.permanentURL = permanentURL
        self.shortURL = shortURL
        self.imageInfo = imageInfo
        self.derivedFiles = derivedFiles
        self.extra = extra
    }
}

extension AttachedFile: AppNetRecord {
    package init() { self.init(fileID: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("file_id", &fileID)
        try visitor.secret("file_token_read", &readToken)
        try visitor.member("name", &name)
        try visitor.member("type", &type)
        try visitor.member("kind", &kind)
        try visitor.member("mime_type", &mimeType)
        try visitor.member("size", &size)
        try visitor.member("total_size", &totalSize)
        try visitor.member("sha1", &sha1)
        try visitor.member("complete", &isComplete)
        try visitor.member("public", &isPublic)
        try visitor.member("created_at", &createdAt)
        try visitor.member("url", &url)
        try visitor.member("url_expires", &urlExpires)
        try visitor.member("url_immediate", &immediateURL)
        try visitor.member("url_immediate_expires", &immediateURLExpires)
        try visitor.member("url_permanent", &permanentURL)
        try visitor.member("url_short", &shortURL)
        try visitor.value("image_info", &imageInfo)
        try visitor.value("derived_files", &derivedFiles)
    }
}

extension AttachedFile: Codable, JSONReadable {}
