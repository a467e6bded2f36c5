public import HeliumCore
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

    /// The feeds of the page that could not be read, for example because of an invalid coordinate. They are not among the
    /// ``results``.
    ///
    /// A page of which no feed can be read and none has an id is an error.
    public var unreadable = UnreadableItems()

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

extension FeedPage: Codable, JSONReadable {
    /// Decodes a page. Feeds that cannot be read are left out (``unreadable``).
    ///
    /// - Throws: `DecodingError` with the path of a member that cannot be read.
    public init(json: borrowing JSONReader) throws {
        do {
            try self.init(members: json)
        } catch {
            var list: ReadableItems<Feed>?
            try json.forEachMember { name, value in
                guard "results" ~= name, list == nil, value.kind == .array else { return }
                list = try ReadableItems(json: value) { $0.isNull ? nil : try Feed(members: $0) }
            }
            guard let list, !list.unreadable.isEmpty else { throw error }
            try self.init(members: try json.read(JSONValue.self), list.elements, list.unreadable)
        }
    }

    /// Decodes a page. Feeds that cannot be read are left out (``unreadable``).
    ///
    /// - Throws: `DecodingError` with the path of a member that cannot be read.
    public init(from decoder: any Decoder) throws {
        do {
            try self.init(membersFrom: decoder)
        } catch {
            let container = try decoder.container(keyedBy: MemberName.self)
            let list = try container.decodeIfPresent(ReadableItems<Feed?>.self, forKey: MemberName("results"))
            guard let list, !list.unreadable.isEmpty, case let feeds = list.elements.compactMap(\.self),
                !feeds.isEmpty || list.unreadable.hasUsableID
            else { throw error }
            try self.init(members: try JSONValue(from: decoder), feeds, list.unreadable)
        }
    }

    /// Creates a page with the other members of a document.
    private init(members document: JSONValue, _ feeds: [Feed], _ unreadable: UnreadableItems) throws {
        var members = document.objectValue ?? JSONObject()
        members.removeValue(named: "results")
        self = try HeliumJSONDecoder().decode(FeedPage.self, from: JSONValue.object(members).data())
        results = feeds
        self.unreadable = unreadable
    }

    /// Reads the feeds by the rules of version 1.
    mutating func adoptVersion1() throws(MemberFault) {
        var fault: MemberFault?
        results = results.compactMap { feed in
            var feed = feed
            do throws(MemberFault) {
                try feed.adoptVersion1()
                return feed
            } catch {
                fault = fault ?? error
                unreadable.add(id: feed.id?.text, Feed.self, error)
                return nil
            }
        }
        if results.isEmpty, !unreadable.hasUsableID, let fault { throw fault }
    }
}
