public import Foundation
public import HeliumCore
public import HeliumJSON

/// A photo, video or other content that is shown with a text.
///
/// The annotation type is `net.app.core.oembed` (Docs/Protocols/AppNet.md §4.3).
public struct OEmbed: Hashable, Sendable {
    /// The kind of content.
    public var type: Kind?

    /// The version, `1.0`.
    public var version: String?

    /// The width in pixels.
    public var width: Int?

    /// The height in pixels.
    public var height: Int?

    /// The URL of a photo.
    public var url: WebAddress?

    /// The HTML that shows a video or rich content. Anyone can write it, so never trust it.
    public var html: String?

    /// The sources of a video in several formats.
    public var sources: [Source]?

    /// The URL of the page to link to.
    public var embeddableURL: WebAddress?

    /// The title.
    public var title: String?

    /// The author's name.
    public var authorName: String?

    /// The URL of the author's page.
    public var authorURL: WebAddress?

    /// The provider's name.
    public var providerName: String?

    /// The URL of the provider's page.
    public var providerURL: WebAddress?

    /// The time in seconds for which the content may be cached.
    public var cacheAge: Int?

    /// The URL of the image that is shown before a video.
    public var posterURL: WebAddress?

    /// The URL of a small image.
    public var thumbnailURL: WebAddress?

    /// The width of the small image in pixels.
    public var thumbnailWidth: Int?

    /// The height of the small image in pixels.
    public var thumbnailHeight: Int?

    /// The URL of a larger image.
    public var largeThumbnailURL: WebAddress?

    /// The width of the larger image in pixels.
    public var largeThumbnailWidth: Int?

    /// The height of the larger image in pixels.
    public var largeThumbnailHeight: Int?

    /// The expiration date of `url`; `nil` if it does not expire.
    public var urlExpires: Date?

    /// The URL of the content without a redirect.
    public var immediateURL: WebAddress?

    /// The expiration date of `immediateURL`.
    public var immediateURLExpires: Date?

    /// The id of the file.
    public var fileID: File.ID?

    /// The read token (`file_token_read`).
    public var readToken: Secret?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates content with these members.
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

extension OEmbed: Codable, JSONReadable {}

extension OEmbed: AnnotationValue {
    /// `net.app.core.oembed`.
    public static let annotationType = "net.app.core.oembed"
}
