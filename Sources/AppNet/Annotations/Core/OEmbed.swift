public import Foundation
public import HeliumCore
public import HeliumJSON

/// A photo, video or other content to show with a text.
///
/// Its type is `net.app.core.oembed` (§4).
public struct OEmbed: Hashable, Sendable {
    /// What it is.
    public var type: Kind?

    /// `1.0`.
    public var version: String?

    /// The width in pixels.
    public var width: Int?

    /// The height in pixels.
    public var height: Int?

    /// Where the photo is.
    public var url: WebAddress?

    /// How to show a video or rich content: from anybody, so never to be trusted.
    public var html: String?

    /// Where a video is in several formats.
    public var sources: [Source]?

    /// The page to link to.
    public var embeddableURL: WebAddress?

    /// The title.
    public var title: String?

    /// Who made it.
    public var authorName: String?

    /// That one's page.
    public var authorURL: WebAddress?

    /// Who offers it.
    public var providerName: String?

    /// That one's page.
    public var providerURL: WebAddress?

    /// How many seconds it may be kept.
    public var cacheAge: Int?

    /// The image to show before a video.
    public var posterURL: WebAddress?

    /// A small image.
    public var thumbnailURL: WebAddress?

    /// Its width in pixels.
    public var thumbnailWidth: Int?

    /// Its height in pixels.
    public var thumbnailHeight: Int?

    /// A larger one.
    public var largeThumbnailURL: WebAddress?

    /// Its width in pixels.
    public var largeThumbnailWidth: Int?

    /// Its height in pixels.
    public var largeThumbnailHeight: Int?

    /// When `url` ends, if it does.
    public var urlExpires: Date?

    /// Where it is without a redirect.
    public var immediateURL: WebAddress?

    /// When that ends.
    public var immediateURLExpires: Date?

    /// The file.
    public var fileID: File.ID?

    /// The right to read it (`file_token_read`).
    public var readToken: Secret?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// Content of these members.
    public init(
        type: Kind? = nil,
        version: String? = nil,
        width: Int? = nil,
        height: Int? = nil,
        url: WebAddress? = nil,
        html: String? = nil,
        sources: [Source]? = nil,
        embeddableURL: WebAddress? = nil,
        title: String? = nil,
        authorName: String? = nil,
        authorURL: WebAddress? = nil,
        providerName: String? = nil,
        providerURL: WebAddress? = nil,
        cacheAge: Int? = nil,
        posterURL: WebAddress? = nil,
        thumbnailURL: WebAddress? = nil,
        thumbnailWidth: Int? = nil,
        thumbnailHeight: Int? = nil,
        largeThumbnailURL: WebAddress? = nil,
        largeThumbnailWidth: Int? = nil,
        largeThumbnailHeight: Int? = nil,
        urlExpires: Date? = nil,
        immediateURL: WebAddress? = nil,
        immediateURLExpires: Date? = nil,
        fileID: File.ID? = nil,
        readToken: Secret? = nil,
        extra: JSONObject = [:]
    ) {
        self.type = type
        self.version = version
        self.width = width
        self.height = height
        self.url = url
        self.html = html
        self.sources = sources
        self.embeddableURL = embeddableURL
        self.title = title
        self.authorName = authorName
        self.authorURL = authorURL
        self.providerName = providerName
        self.providerURL = providerURL
        self.cacheAge = cacheAge
        self.posterURL = posterURL
        self.thumbnailURL = thumbnailURL
        self.thumbnailWidth = thumbnailWidth
        self.thumbnailHeight = thumbnailHeight
        self.largeThumbnailURL = largeThumbnailURL
        self.largeThumbnailWidth = largeThumbnailWidth
        self.largeThumbnailHeight = largeThumbnailHeight
        self.urlExpires = urlExpires
        self.immediateURL = immediateURL
        self.immediateURLExpires = immediateURLExpires
        self.fileID = fileID
        self.readToken = readToken
        self.extra = extra
    }
}

extension OEmbed: AppNetRecord {
    package init() { self.init(type: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("type", &type)
        try visitor.member("version", &version)
        try visitor.member("width", &width)
        try visitor.member("height", &height)
        try visitor.member("url", &url)
        try visitor.member("html", &html)
        try visitor.value("sources", &sources)
        try visitor.member("embeddable_url", &embeddableURL)
        try visitor.member("title", &title)
        try visitor.member("author_name", &authorName)
        try visitor.member("author_url", &authorURL)
        try visitor.member("provider_name", &providerName)
        try visitor.member("provider_url", &providerURL)
        try visitor.member("cache_age", &cacheAge)
        try visitor.member("poster_url", &posterURL)
        try visitor.member("thumbnail_url", &thumbnailURL)
        try visitor.member("thumbnail_width", &thumbnailWidth)
        try visitor.member("thumbnail_height", &thumbnailHeight)
        try visitor.member("thumbnail_large_url", &largeThumbnailURL)
        try visitor.member("thumbnail_large_width", &largeThumbnailWidth)
        try visitor.member("thumbnail_large_height", &largeThumbnailHeight)
        try visitor.member("url_expires", &urlExpires)
        try visitor.member("url_immediate", &immediateURL)
        try visitor.member("url_immediate_expires", &immediateURLExpires)
        try visitor.member("file_id", &fileID)
        try visitor.secret("file_token_read", &readToken)
    }
}

extension OEmbed: Codable, JSONReadable {
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

extension OEmbed: AnnotationValue {
    /// `net.app.core.oembed`.
    public static let annotationType = "net.app.core.oembed"
}
