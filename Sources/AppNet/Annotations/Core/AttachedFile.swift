public import Foundation
public import HeliumCore
public import HeliumJSON

/// A file as annotations have it (§4.2): a ``File`` with its id in `fileID`.
public struct AttachedFile: Hashable, Sendable {
    /// The file.
    public var fileID: File.ID?

    /// The right to read it (`file_token_read`).
    public var readToken: Secret?

    /// The file's name.
    public var name: String?

    /// What it is for.
    public var type: String?

    /// Whether it is an image.
    public var kind: File.Kind?

    /// The content's type.
    public var mimeType: String?

    /// The size in bytes.
    public var size: Int?

    /// The size with all derived files.
    public var totalSize: Int?

    /// The SHA-1 in hex.
    public var sha1: String?

    /// Whether its content is there.
    public var isComplete: Bool?

    /// Whether everybody may read it.
    public var isPublic: Bool?

    /// When it was created.
    public var createdAt: Date?

    /// Where it is.
    public var url: WebAddress?

    /// When `url` ends, if it does.
    public var urlExpires: Date?

    /// Where it is without a redirect.
    public var immediateURL: WebAddress?

    /// When that ends.
    public var immediateURLExpires: Date?

    /// Where a public file is.
    public var permanentURL: WebAddress?

    /// A short one of it.
    public var shortURL: WebAddress?

    /// The image's size.
    public var imageInfo: ImageInfo?

    /// Files made of it.
    public var derivedFiles: [String: File.Derived]?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A file of these members.
    public init(
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

extension AttachedFile: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
