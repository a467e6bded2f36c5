public import HeliumJSON

/// The metadata of a file that is used when the file is embedded.
///
/// The annotation type is `net.app.core.oembed.metadata` (Docs/Protocols/AppNet.md §4.3).
public struct OEmbedMetadata: Hashable, Sendable {
    /// The kind of content.
    public var type: OEmbed.Kind?

    /// The version, `1.0`.
    public var version: String?

    /// The width in pixels.
    public var width: Int?

    /// The height in pixels.
    public var height: Int?

    /// The HTML that shows a video or rich content. Anyone can write it, so never trust it.
    public var html: String?

    /// The sources of a video in several formats.
    public var sources: [OEmbed.Source]?

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

    /// The width of the small image in pixels.
    public var thumbnailWidth: Int?

    /// The height of the small image in pixels.
    public var thumbnailHeight: Int?

    /// The key of the derived file that is shown before a video.
    public var posterKey: String?

    /// The key of the derived file with the small image. Empty for the file itself.
    public var thumbnailKey: String?

    /// The URL of a small image that is used instead of a derived file.
    public var thumbnailURL: WebAddress?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates metadata with these members.
    public init(
        type: OEmbed.Kind? = nil,
        version: String? = nil,
        width: Int? = nil,
        height: Int? = nil,
        html: String? = nil,
        sources: [OEmbed.Source]? = nil,
        embeddableURL: WebAddress? = nil,
        title: String? = nil,
        authorName: String? = nil,
        authorURL: WebAddress? = nil,
        providerName: String? = nil,
        providerURL: WebAddress? = nil,
        cacheAge: Int? = nil,
        thumbnailWidth: Int? = nil,
        thumbnailHeight: Int? = nil,
        posterKey: String? = nil,
        thumbnailKey: String? = nil,
        thumbnailURL: WebAddress? = nil,
        extra: JSONObject = [:]
    ) {
        self.type = type
        self.version = version
        self.width = width
        self.height = height
        self.html = html
        self.sources = sources
        self.embeddableURL = embeddableURL
        self.title = title
        self.authorName = authorName
        self.authorURL = authorURL
        self.providerName = providerName
        self.providerURL = providerURL
        self.cacheAge = cacheAge
        self.thumbnailWidth = thumbnailWidth
        self.thumbnailHeight = thumbnailHeight
        self.posterKey = posterKey
        self.thumbnailKey = thumbnailKey
        self.thumbnailURL = thumbnailURL
        self.extra = extra
    }
}

extension OEmbedMetadata: AppNetRecord {
    package init() { self.init(type: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("type", &type)
        try visitor.member("version", &version)
        try visitor.member("width", &width)
        try visitor.member("height", &height)
        try visitor.member("html", &html)
        try visitor.value("sources", &sources)
        try visitor.member("embeddable_url", &embeddableURL)
        try visitor.member("title", &title)
        try visitor.member("author_name", &authorName)
        try visitor.member("author_url", &authorURL)
        try visitor.member("provider_name", &providerName)
        try visitor.member("provider_url", &providerURL)
        try visitor.member("cache_age", &cacheAge)
        try visitor.member("thumbnail_width", &thumbnailWidth)
        try visitor.member("thumbnail_height", &thumbnailHeight)
        try visitor.member("poster_key", &posterKey)
        try visitor.member("thumbnail_key", &thumbnailKey)
        try visitor.member("thumbnail_url", &thumbnailURL)
    }
}

extension OEmbedMetadata: Codable, JSONReadable {}

extension OEmbedMetadata: AnnotationValue {
    /// `net.app.core.oembed.metadata`.
    public static let annotationType = "net.app.core.oembed.metadata"
}
