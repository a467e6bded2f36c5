public import HeliumJSON

/// A page of a list of feeds (Docs/Protocols/Cosm.md §2.7).
public struct FeedPage: Hashable, Sendable {
    /// The number of feeds in the whole list.
    public var totalResults: Int?

    /// The number of feeds before this page.
    public var startIndex: Int?

    /// The maximum number of feeds of a page.
    public var itemsPerPage: Int?

    /// The feeds of the page.
    public var results: [Feed]

    /// The unknown members of the document. They are encoded unless a property has the same name.
    public var extra = JSONObject()

    /// Creates a page.
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

    /// The feeds as an optional member. A document without it is an empty page.
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

extension FeedPage: Codable, JSONReadable {}
