internal import HeliumCore

/// A page of a list: its items, newest first, and what the answer says besides (§1.5).
public struct Page<Element: Sendable>: Sendable {
    /// The items, newest first.
    public let elements: [Element]

    /// What the answer says besides.
    public let meta: ResponseMeta

    /// The rate limit that the answer told of; `nil` if it told none.
    public let rateLimit: RateLimit?

    /// What the page was asked for by.
    public let bounds: PageBounds

    package init(elements: [Element], meta: ResponseMeta, rateLimit: RateLimit? = nil, bounds: PageBounds) {
        self.elements = elements
        self.meta = meta
        self.rateLimit = rateLimit
        self.bounds = bounds
    }

    /// How far the list was read, of lists that have a marker.
    public var marker: StreamMarker? { meta.marker }

    /// Whether there is more in the page's direction: older items, or newer ones for a negative count.
    public var hasMore: Bool { meta.more ?? false }

    /// What to ask for what comes before this page; `nil` of an empty page.
    public var older: PageBounds? {
        meta.minID.map { PageBounds(before: ListPosition($0), count: bounds.count.map { abs($0) }) }
    }

    /// What to ask for what comes right after this page; `nil` of an empty page.
    public var newer: PageBounds? {
        meta.maxID.map { PageBounds(since: ListPosition($0), count: -abs(bounds.count ?? 20)) }
    }
}

extension Page: Equatable where Element: Equatable {}
extension Page: Hashable where Element: Hashable {}
