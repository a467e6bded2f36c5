public import Foundation
public import HeliumCore
public import HeliumJSON

/// A user's file (Docs/Protocols/AppNet.md §3.4).
public struct File: Hashable, Sendable {
    /// A file's id.
    public typealias ID = AppNetID<File>

    /// The id.
    public var id: ID?

    /// The purpose of the file, as a reverse domain name.
    public var type: String?

    /// The kind of file, such as an image.
    public var kind: Kind?

    /// Whether the file has its content.
    public var isComplete: Bool?

    /// Whether everyone may read the file. `nil` means `false`.
    public var isPublic: Bool?

    /// The creation date. The content may be uploaded later.
    public var createdAt: Date?

    /// The file's name, at most 255 code points.
    public var name: String?

    /// The media type of the content.
    public var mimeType: String?

    /// The content's SHA-1 in hex.
    public var sha1: String?

    /// The content's SHA-256 in hex (pnut.io only).
    public var sha256: String?

    /// The content's size in bytes.
    public var size: Int?

    /// The size including all derived files, in bytes.
    public var totalSize: Int?

    /// The URL of the content, valid until `urlExpires`.
    public var url: WebAddress?

    /// The expiration date of `url`. Fetch the file again after this date.
    public var urlExpires: Date?

    /// The permanent URL of a public file's content.
    public var permanentURL: WebAddress?

    /// The short URL of a public file's content.
    public var shortURL: WebAddress?

    /// The write token, which also allows reading (Docs/Protocols/AppNet.md §2.4). Only the owner gets it.
    public var fileToken: Secret?

    /// The read token (`file_token_read`).
    public var readToken: Secret?

    /// The image's size.
    public var imageInfo: ImageInfo?

    /// The facts about audio (pnut.io only).
    public var audioInfo: MediaInfo?

    /// The facts about a video (pnut.io only).
    public var videoInfo: MediaInfo?

    /// The derived files by their keys, such as `image_thumb_200s`.
    public var derivedFiles: [String: Derived]?

    /// The owner.
    public var user: AppNetUser? {
        get { boxedUser?.value }
        set { boxedUser = newValue.map { Box($0) } }
    }
    private var boxedUser: Box<AppNetUser>?

    /// The owner's id, if `user` is missing (pnut.io only).
    public var userID: AppNetUser.ID?

    /// The app that created the file.
    public var source: ClientSource?

    /// The annotations; `nil` if the request did not ask for them.
    public var annotations: [Annotation]?

    /// The position of the item in its list (`pagination_id`). Use the metadata of the response for paging instead
    /// (Docs/Protocols/AppNet.md §1.6).
    public var paginationID: String?

    /// The objects that the file is attached to (pnut.io only).
    public var attachedTo: JSONValue?

    /// The request that uploads the content of an incomplete file (pnut.io only).
    public var uploadParameters: UploadParameters?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a file with these members.
    public init(
        id: ID? = nil,
        type: String? = nil,
        kind: Kind? = nil,
        isComplete: Bool? = nil,
        isPublic: Bool? = nil,
        createdAt: Date? = nil,
        name: String? = nil,
        mimeType: String? = nil,
        sha1: String? = nil,
        sha256: String? = nil,
        size: Int? = nil,
        totalSize: Int? = nil,
        url: WebAddress? = nil,
        urlExpires: Date? = nil,
        permanentURL: WebAddress? = nil,
        shortURL: WebAddress? = nil,
        fileToken: Secret? = nil,
        readToken: Secret? = nil,
        imageInfo: ImageInfo? = nil,
        audioInfo: MediaInfo? = nil,
        videoInfo: MediaInfo? = nil,
        derivedFiles: [String: Derived]? = nil,
        user: AppNetUser? = nil,
        userID: AppNetUser.ID? = nil,
        source: ClientSource? = nil,
        annotations: [Annotation]? = nil,
        paginationID: String? = nil,
        attachedTo: JSONValue? = nil,
        uploadParameters: UploadParameters? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.type = type
        self.kind = kind
        self.isComplete = isComplete
        self.isPublic = isPublic
        self.createdAt = createdAt
        self.name = name
        self.mimeType = mimeType
        self.sha1 = sha1
        self.sha256 = sha256
        self.size = size
        self.totalSize = totalSize
        self.url = url
        self.urlExpires = urlExpires
        self.permanentURL = permanentURL
        self.shortURL = shortURL
        self.fileToken = fileToken
        self.readToken = readToken
        self.imageInfo = imageInfo
        self.audioInfo = audioInfo
        self.videoInfo = videoInfo
        self.derivedFiles = derivedFiles
        self.user = user
        self.userID = userID
        self.source = source
        self.annotations = annotations
        self.paginationID = paginationID
        self.attachedTo = attachedTo
        self.uploadParameters = uploadParameters
        self.extra = extra
    }
}

extension File: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
        try visitor.member("type", &type, sent: .onCreation)
        try visitor.member("kind", &kind, sent: .onCreation)
        try visitor.member("complete", &isComplete, pnut: .named("is_complete"))
        try visitor.member("created_at", &createdAt)
        try visitor.member("name", &name, sent: .always)
        try visitor.member("mime_type", &mimeType, sent: .onCreation)
        try visitor.member("public", &isPublic, sent: .always, pnut: .named("is_public"))
        try visitor.member("sha1", &sha1)
        try visitor.member("sha256", &sha256)
        try visitor.member("size", &size)
        try visitor.member("total_size", &totalSize)
        try visitor.member("url", &url)
        try visitor.member("url_expires", &urlExpires, pnut: .named("url_expires_at"))
        try visitor.member("url_permanent", &permanentURL, pnut: .missing)
        try visitor.member("url_short", &shortURL)
        try visitor.secret("file_token", &fileToken)
        try visitor.secret("file_token_read", &readToken)
        try visitor.value("image_info", &imageInfo)
        try visitor.value("audio_info", &audioInfo)
        try visitor.value("video_info", &videoInfo)
        try visitor.value("derived_files", &derivedFiles)
        try visitor.box("user", &boxedUser)
        try visitor.member("user_id", &userID)
        try visitor.value("source", &source)
        try visitor.value("annotations", &annotations, sent: .always)
        try visitor.member("pagination_id", &paginationID)
        try visitor.value("attached_to", &attachedTo)
        try visitor.value("upload_parameters", &uploadParameters)
    }

    package static var pnutDifferences: [PnutStep] {
        [
            .names(
                "derived_files",
                [("image_thumb_200s", "core_image_200s"), ("image_thumb_960r", "core_image_960r")]
            )
        ]
    }
}

extension File: Codable, JSONReadable {}
