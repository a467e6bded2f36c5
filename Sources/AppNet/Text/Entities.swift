public import HeliumJSON

/// The mentions, hashtags and links in a text (Docs/Protocols/AppNet.md §3.6).
///
/// Positions count code points. ``TextEntity/range(in:)`` converts them to ranges.
public struct Entities: Hashable, Sendable {
    /// The mentions.
    public var mentions: [Mention]?

    /// The hashtags.
    public var hashtags: [Hashtag]?

    /// The links.
    public var links: [Link]?

    /// Whether the server also detects links if some are given. Only sent.
    public var parsesLinks: Bool?

    /// Whether the server converts `[anchor](url)` in the text to links. Only sent.
    public var parsesMarkdownLinks: Bool?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates entities with these members.
    public init(
        mentions: [Mention]? = nil,
        hashtags: [Hashtag]? = nil,
        links: [Link]? = nil,
        parsesLinks: Bool? = nil,
        parsesMarkdownLinks: Bool? = nil,
        extra: JSONObject = [:]
    ) {
        self.mentions = mentions
        self.hashtags = hashtags
        self.links = links
        self.parsesLinks = parsesLinks
        self.parsesMarkdownLinks = parsesMarkdownLinks
        self.extra = extra
    }
}

extension Entities: AppNetRecord {
    package init() { self.init(mentions: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.value("mentions", &mentions)
        try visitor.value("hashtags", &hashtags, pnut: .named("tags"))
        try visitor.value("links", &links)
        try visitor.member("parse_links", &parsesLinks)
        try visitor.member("parse_markdown_links", &parsesMarkdownLinks)
    }
}

extension Entities: Codable, JSONReadable {}
