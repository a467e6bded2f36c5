public import HeliumJSON

/// A curated stream of posts or channels (Docs/Protocols/AppNet.md §2.10).
public struct ExploreStream: Hashable, Sendable {
    /// The name in paths, such as `photos`.
    public var slug: String?

    /// The name to display.
    public var title: String?

    /// The description of its content.
    public var description: String?

    /// The URL of its page.
    public var url: WebAddress?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a stream with these members.
    package init(
        slug: String? = nil,
        title: String? = nil,
        description: String? = nil,
        url: WebAddress? = nil,
        extra: JSONObject = [:]
    ) {
        self.slug = slug
        self.title = title
        self.description = description
        self.url = url
        self.extra = extra
    }
}

extension ExploreStream: AppNetRecord {
    package init() { self.init(slug: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("slug", &slug)
        try visitor.member("title", &title)
        try visitor.member("description", &description)
        try visitor.member("url", &url)
    }
}

extension ExploreStream: Codable, JSONReadable {}
