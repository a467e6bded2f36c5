/// A value that decides which page of a list is fetched next. It performs no I/O.
///
/// It uses `more`, `min_id` and `max_id` of the responses, and never the ids of items, because those are unrelated to
/// the positions in lists such as the inbox (Docs/Protocols/AppNet.md §1.6). The bounds are ids, so items that are
/// added during the walk do not shift later pages.
struct ListWalk: Sendable {
    /// The direction of a walk.
    enum Direction: Hashable, Sendable {
        /// From the newest item, or from `before`, to older items, down to `since`.
        case backward
        /// From `since`, or from the oldest item, to newer items.
        case forward
    }

    private let direction: Direction
    private var bounds: PageBounds
    private var pagesLeft: Int
    /// The requested positions. A list that leads back to one of them would never end.
    private var visited: Set<ListPosition> = []
    private(set) var isOver = false

    /// - Parameter maximumPages: The maximum number of pages. A walk that needs more fails.
    init(_ direction: Direction, from bounds: PageBounds, maximumPages: Int) {
        self.direction = direction
        self.bounds = bounds
        pagesLeft = max(1, maximumPages)
        let count = Int(clamping: (bounds.count ?? 20).magnitude)
        switch direction {
        case .backward: if bounds.count != nil { self.bounds.count = count }
        case .forward: self.bounds.count = -count
        }
    }

    /// Returns the bounds of the next page; `nil` after the last page.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/brokenList`` if the maximum number of pages is exceeded.
    mutating func next() throws(AppNetError) -> PageBounds? {
        guard !isOver else { return nil }
        guard pagesLeft > 0 else {
            isOver = true
            throw AppNetError(.brokenList, "the list has more pages than the limit allows", delivery: .answered)
        }
        pagesLeft -= 1
        return bounds
    }

    /// Continues the walk after a response.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/brokenList`` if there are more items, but the response has
    ///   no position or one that was already requested.
    mutating func take(_ meta: ResponseMeta) throws(AppNetError) {
        guard meta.more ?? false else {
            isOver = true
            return
        }
        guard let position = (direction == .backward ? meta.minID : meta.maxID).map({ ListPosition($0) }) else {
            isOver = true
            throw AppNetError(
                .brokenList,
                "a page of the list has more items to follow, but no position to continue from",
                delivery: .answered
            )
        }
        guard visited.insert(position).inserted else {
            isOver = true
            throw AppNetError(.brokenList, "the list returns to a page that was read before", delivery: .answered)
        }
        switch direction {
        case .backward: bounds.before = position
        case .forward: bounds.since = position
        }
    }

    /// Ends the walk.
    mutating func end() { isOver = true }
}
