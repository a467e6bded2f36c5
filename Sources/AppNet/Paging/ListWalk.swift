internal import HeliumCore

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
    private var trail: PageTrail<PageBounds>
    private var isOver = false

    /// - Parameters:
    ///   - direction: The direction.
    ///   - bounds: The bounds of all items.
    ///   - maximumPages: The maximum number of pages. A walk that needs more fails.
    init(_ direction: Direction, from bounds: PageBounds, maximumPages: Int) {
        self.direction = direction
        self.bounds = bounds
        trail = PageTrail(maximum: max(1, maximumPages))
        let count = Int(clamping: (bounds.count ?? 20).magnitude)
        switch direction {
        case .backward: if bounds.count != nil { self.bounds.count = count }
        case .forward: self.bounds.count = -count
        }
    }

    /// Returns the bounds of the next page; `nil` after the last page.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/brokenList`` if the maximum number of pages is exceeded, or
    ///   if there are more items, but the last response had no position or one that was already requested.
    mutating func next() throws(AppNetError) -> PageBounds? {
        guard !isOver else { return nil }
        do throws(PageRefusal) {
            try trail.visit(bounds)
        } catch {
            isOver = true
            let message =
                switch error {
                case .loop: "the list has more items, and no position to continue from that is new"
                case .tooMany: "the list has more pages than the limit allows"
                }
            throw AppNetError(.brokenList, message, delivery: .answered)
        }
        return bounds
    }

    /// Continues the walk after a response. Without a position the bounds stay, and the next page is refused.
    mutating func arrived(_ meta: ResponseMeta) {
        guard meta.more ?? false else {
            isOver = true
            return
        }
        guard let id = (direction == .backward ? meta.minID : meta.maxID) else { return }
        switch direction {
        case .backward: bounds.before = ListPosition(id)
        case .forward: bounds.since = ListPosition(id)
        }
    }

    /// Ends the walk.
    mutating func end() { isOver = true }
}
