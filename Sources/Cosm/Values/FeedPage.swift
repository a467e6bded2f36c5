public import HeliumJSON

/// A page of a list of feeds (§2.7).
public struct FeedPage: Hashable, Sendable {
    /// How many feeds the list has.
    public var totalResults: Int?

    /// How many of them come before this page.
    public var startIndex: Int?

    /// How many a page has at most.
    public var itemsPerPage: Int?

    /// The page's feeds.
    public var results: [Feed]

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A page of these members.
    public init(
        totalResults: Int? = nil,
        startIndex: Int? = nil,
        itemsPerPage: Int? = nil,
        results: [Feed] = [],
        extra: JSONObject = [:]
    ) {
        self.totalResults = totalResults
        self.startIndex = startIndex
        self.itemsPerPage = itemsPerPage
        self.results = results
        self.extra = extra
    }
}

extension FeedPage: CosmRecord {
    init() { self.init(results: []) }

    mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("totalResults", &totalResults)
        try visitor.member("startIndex", &startIndex)
        try visitor.member("itemsPerPage", &itemsPerPage)
        var feeds: [Feed]? = results
        try visitor.records("results", of: "environment", &feeds)
        results = feeds ?? []
    }
}

extension FeedPage: Codable, JSONReadable {
    /// Reads a page.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads a page.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
