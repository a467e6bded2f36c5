package import HeliumCore

/// The bounds of a page in a list (Docs/Protocols/AppNet.md §1.6).
///
/// The items of a page are always newest first, whatever its bounds.
public struct PageBounds: Hashable, Sendable {
    /// The exclusive lower bound: only newer items are returned.
    public var since: ListPosition?

    /// The exclusive upper bound: only older items are returned.
    public var before: ListPosition?

    /// The number of items. 1 to 200 requests the newest items within the bounds, and −1 to −200 those closest above
    /// ``since``.
    ///
    /// The default is that of the service, 20.
    public var count: Int?

    /// Creates bounds. The service's defaults apply where a value is `nil`.
    public init(since: ListPosition? = nil, before: ListPosition? = nil, count: Int? = nil) {
        self.since = since
        self.before = before
        self.count = count
    }

    /// Returns the bounds of the newest items.
    public static func newest(_ count: Int? = nil) -> Self { Self(count: count) }

    /// Returns the bounds of the items that are older than a position. The page has the newest of them.
    public static func before(_ position: ListPosition, count: Int? = nil) -> Self {
        Self(before: position, count: count)
    }

    /// Returns the bounds of the newest items, down to a position.
    public static func since(_ position: ListPosition, count: Int? = nil) -> Self {
        Self(since: position, count: count)
    }

    /// Returns the bounds of the items that directly follow a position.
    public static func after(_ position: ListPosition, count: Int = 20) -> Self {
        Self(since: position, count: -abs(max(-200, min(200, count))))
    }
}

extension PageBounds {
    /// Returns the query representation.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/invalidRequest`` for a count that the service does not
    ///   accept.
    package func query() throws(AppNetError) -> QueryParameters {
        if let count, count == 0 || !(-200...200).contains(count) {
            throw AppNetError(
                .invalidRequest,
                "the count of a page must be 1 to 200, or -1 to -200 for the oldest items, not \(count)"
            )
        }
        var query = QueryParameters()
        if let since { query["since_id"] = .single(since.text) }
        if let before { query["before_id"] = .single(before.text) }
        if let count { query["count"] = .single(String(count)) }
        return query
    }
}

/// A position in a list: a pagination id from the metadata of a response, or the list's marker
/// (Docs/Protocols/AppNet.md §1.6).
public struct ListPosition: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text, as it appears in queries.
    public let text: String

    /// Creates a position from a pagination id: ``ResponseMeta/minID`` or ``ResponseMeta/maxID``. Ids of items are not
    /// positions unless the documentation of the list says so.
    public init(_ text: String) { self.text = text }

    /// Creates a position from a pagination id.
    public init(stringLiteral value: String) { self.init(value) }

    /// The last item that the user has read. Without a marker the bound does not apply.
    public static let lastRead = Self("last_read")
    /// The last item that the user has read, including that item.
    public static let lastReadInclusive = Self("last_read_inclusive")
    /// The item at the marker.
    public static let marker = Self("marker")
    /// The item at the marker, including that item.
    public static let markerInclusive = Self("marker_inclusive")

    /// The text.
    public var description: String { text }
}

extension ListPosition {
    /// Returns whether two positions have the same text. The texts are compared by their UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the text's bytes.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
