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

    /// The feeds as a member: a document without them is an empty page.
    private var feeds: [Feed]? {
        get { results }
        set { results = newValue ?? [] }
    }

    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("totalResults", \.totalResults, .service.xml(.searchElement))
        try visitor.member("startIndex", \.startIndex, .service.xml(.searchElement))
        try visitor.member("itemsPerPage", \.itemsPerPage, .service.xml(.searchElement))
        try visitor.records("results", of: "environment", \.feeds, .service.xml(.elements))
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
