public import HeliumJSON

/// The mentions, hashtags and links in a text (§3.6). Positions count code points: ``TextEntity/range(in:)`` gives ranges.
public struct Entities: Hashable, Sendable {
    /// Users named.
    public var mentions: [Mention]?

    /// Words marked with `#`.
    public var hashtags: [Hashtag]?

    /// Links.
    public var links: [Link]?

    /// Whether the server looks for links too, though some are given. Only sent.
    public var parsesLinks: Bool?

    /// Whether `[anchor](url)` in the text becomes a link. Only sent.
    public var parsesMarkdownLinks: Bool?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// Entities.
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

extension Entities: Codable, JSONReadable {
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
