package import HeliumCore

/// Which part of a list a page is of (§1.6).
///
/// Pages are newest first, whatever they were asked for by.
public struct PageBounds: Hashable, Sendable {
    /// Only what is newer than this.
    public var since: ListPosition?

    /// Only what is older than this.
    public var before: ListPosition?

    /// How many items: 1 to 200 gives the newest within the bounds, −1 to −200 those closest above ``since``. Default:
    /// the service's, 20.
    public var count: Int?

    /// Bounds; the service's own where they are `nil`.
    public init(since: ListPosition? = nil, before: ListPosition? = nil, count: Int? = nil) {
        self.since = since
        self.before = before
        self.count = count
    }

    /// The newest items.
    public static func newest(_ count: Int? = nil) -> Self { Self(count: count) }

    /// What comes before a position, its newest first.
    public static func before(_ position: ListPosition, count: Int? = nil) -> Self {
        Self(before: position, count: count)
    }

    /// The newest items, as far back as a position.
    public static func since(_ position: ListPosition, count: Int? = nil) -> Self {
        Self(since: position, count: count)
    }

    /// What comes right after a position.
    public static func after(_ position: ListPosition, count: Int = 20) -> Self {
        Self(since: position, count: -abs(max(-200, min(200, count))))
    }
}

extension PageBounds {
    /// As it stands in a query.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/invalidRequest`` for a count the service doesn't know.
    package func query() throws(AppNetError) -> QueryParameters {
        if let count, count == 0 || !(-200...200).contains(count) {
            throw AppNetError(.invalidRequest, "a page has 1 to 200 items, or -1 to -200 of the oldest: not \(count)")
        }
        var query = QueryParameters()
        if let since { query["since_id"] = .single(since.text) }
        if let before { query["before_id"] = .single(before.text) }
        if let count { query["count"] = .single(String(count)) }
        return query
    }
}

/// A place in a list: an id that an answer's meta data gave, or what the list's marker says (§1.6).
public struct ListPosition: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text as in queries.
    public let text: String

    /// A place by a pagination id: ``ResponseMeta/minID``, ``ResponseMeta/maxID``. Ids of items are none, unless the
    /// list's documentation says so.
    public init(_ text: String) { self.text = text }

    /// A place by a pagination id.
    public init(stringLiteral value: String) { self.init(value) }

    /// Where the user has read to. Without a marker the bound does not apply.
    public static let lastRead = Self("last_read")
    /// Where the user has read to, that item included.
    public static let lastReadInclusive = Self("last_read_inclusive")
    /// Where the marker is.
    public static let marker = Self("marker")
    /// Where the marker is, that item included.
    public static let markerInclusive = Self("marker_inclusive")

    /// The text.
    public var description: String { text }
}

extension ListPosition {
    /// Whether two places are the same text. Texts are compared by their UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the text's bytes.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
