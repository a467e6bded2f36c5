public import HeliumCore

/// A page of a list: its items, newest first, and the metadata of the response (Docs/Protocols/AppNet.md §1.5).
public struct Page<Element: Sendable>: Sendable {
    /// The items, newest first.
    public let elements: [Element]

    /// The items of the page that could not be decoded. They are not among the ``elements``.
    ///
    /// A page of which no item can be decoded and none has an id is an error.
    public let unreadable: UnreadableItems

    /// The metadata of the response.
    public let meta: ResponseMeta

    /// The rate limit in the response; `nil` if the response has none.
    public let rateLimit: RateLimit?

    /// The bounds with which the page was requested.
    public let bounds: PageBounds

    package init(
        elements: [Element],
        unreadable: UnreadableItems = UnreadableItems(),
        meta: ResponseMeta,
        rateLimit: RateLimit? = nil,
        bounds: PageBounds
    ) {
        self.elements = elements
        self.unreadable = unreadable
        self.meta = meta
        self.rateLimit = rateLimit
        self.bounds = bounds
    }

    /// The reading position; `nil` if the list has no marker.
    public var marker: StreamMarker? { meta.marker }

    /// Whether there are more items in the direction of the page: older items, or newer items for a negative count.
    public var hasMore: Bool { meta.more ?? false }

    /// The bounds of the older items before this page; `nil` for an empty page.
    public var older: PageBounds? {
        meta.minID.map { PageBounds(before: ListPosition($0), count: bounds.count.map { abs($0) }) }
    }

    /// The bounds of the newer items after this page; `nil` for an empty page.
    public var newer: PageBounds? {
        meta.maxID.map { PageBounds(since: ListPosition($0), count: -abs(bounds.count ?? 20)) }
    }
}

extension Page: Equatable where Element: Equatable {}
extension Page: Hashable where Element: Hashable {}
