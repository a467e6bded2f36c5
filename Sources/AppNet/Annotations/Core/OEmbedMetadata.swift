public import HeliumJSON

/// How a file becomes embedded content.
///
/// Its type is `net.app.core.oembed.metadata` (§4).
public struct OEmbedMetadata: Hashable, Sendable {
    /// What it is.
    public var type: OEmbed.Kind?

    /// `1.0`.
    public var version: String?

    /// The width in pixels.
    public var width: Int?

    /// The height in pixels.
    public var height: Int?

    /// How to show a video or rich content: from anybody, so never to be trusted.
    public var html: String?

    /// Where a video is in several formats.
    public var sources: [OEmbed.Source]?

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

    /// Its width in pixels.
    public var thumbnailWidth: Int?

    /// Its height in pixels.
    public var thumbnailHeight: Int?

    /// The derived file to show before a video.
    public var posterKey: String?

    /// The derived file that is the small image; empty for the file itself.
    public var thumbnailKey: String?

    /// A small image elsewhere, instead of a derived file.
    public var thumbnailURL: WebAddress?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// Meta data of these members.
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

extension OEmbedMetadata: Codable, JSONReadable {
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

extension OEmbedMetadata: AnnotationValue {
    /// `net.app.core.oembed.metadata`.
    public static let annotationType = "net.app.core.oembed.metadata"
}
