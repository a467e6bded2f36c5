public import HeliumJSON

/// A stream of posts to discover (§2.10).
public struct ExploreStream: Hashable, Sendable {
    /// The name in paths: `photos`.
    public var slug: String?

    /// The name to show.
    public var title: String?

    /// What is in it (`description`).
    public var description: String?

    /// Its page.
    public var url: WebAddress?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A stream of these members.
    public init(
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

extension ExploreStream: Codable, JSONReadable {
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
