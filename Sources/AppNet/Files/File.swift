public import Foundation
public import HeliumCore
public import HeliumJSON

/// A file of a user's (§3.4).
public struct File: Hashable, Sendable {
    /// A file's id.
    public typealias ID = AppNetID<File>

    /// The id.
    public var id: ID?

    /// What the file is for: a reverse domain name.
    public var type: String?

    /// Whether it is an image.
    public var kind: Kind?

    /// Whether its content is there.
    public var isComplete: Bool?

    /// Whether everybody may read it. `nil` is no.
    public var isPublic: Bool?

    /// When it was created: before its content came.
    public var createdAt: Date?

    /// The file's name, at most 255 code points.
    public var name: String?

    /// The content's type.
    public var mimeType: String?

    /// The content's SHA-1 in hex.
    public var sha1: String?

    /// The content's SHA-256 in hex (pnut).
    public var sha256: String?

    /// The content's size in bytes.
    public var size: Int?

    /// The size with all derived files, in bytes.
    public var totalSize: Int?

    /// Where the content is, until `urlExpires`.
    public var url: WebAddress?

    /// When `url` ends; fetch the file again then.
    public var urlExpires: Date?

    /// Where the content of a public file is.
    public var permanentURL: WebAddress?

    /// A short one of it.
    public var shortURL: WebAddress?

    /// The right to read and write the file (§2.4): for its owner alone.
    public var fileToken: Secret?

    /// The right to read the file (`file_token_read`).
    public var readToken: Secret?

    /// The image's size.
    public var imageInfo: ImageInfo?

    /// What is known of audio (pnut).
    public var audioInfo: MediaInfo?

    /// What is known of a video (pnut).
    public var videoInfo: MediaInfo?

    /// Files made of it, by their keys: `image_thumb_200s`.
    public var derivedFiles: [String: Derived]?

    /// The owner.
    public var user: AppNetUser? {
        get { boxedUser?.value }
        set { boxedUser = newValue.map { Box($0) } }
    }
    private var boxedUser: Box<AppNetUser>?

    /// The owner, where `user` is missing (pnut).
    public var userID: AppNetUser.ID?

    /// The app that it came from.
    public var source: ClientSource?

    /// The annotations, where they were asked for.
    public var annotations: [Annotation]?

    /// The item's place in the list it came in (`pagination_id`); page by the meta data, not by this (§1.6).
    public var paginationID: String?

    /// What it is attached to (pnut).
    public var attachedTo: JSONValue?

    /// How to send the content of an incomplete file (pnut).
    public var uploadParameters: UploadParameters?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A file of these members.
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

extension File: Codable, JSONReadable {
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
