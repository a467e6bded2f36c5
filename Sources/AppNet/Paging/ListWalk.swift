/// Decides which page of a list comes next. It does no I/O.
///
/// It goes by what answers say of themselves, `more`, `min_id` and `max_id`, never by ids of items (§1.6): those have
/// nothing to do with places in lists such as the inbox. As bounds are ids, items that arrive meanwhile shift nothing.
struct ListWalk: Sendable {
    /// Which way a walk goes.
    enum Direction: Hashable, Sendable {
        /// From the newest item, or from `before`, to older ones, down to `since`.
        case backward
        /// From `since`, or from the oldest item, to newer ones.
        case forward
    }

    private let direction: Direction
    private var bounds: PageBounds
    private var pagesLeft: Int
    /// Every position was asked for once: a list that leads back would go on for ever.
    private var visited: Set<ListPosition> = []
    private(set) var isOver = false

    /// - Parameter maximumPages: The most pages; a walk that needs more fails.
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

    /// What to ask for next; `nil` after the last page.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/brokenList`` past the most pages.
    mutating func next() throws(AppNetError) -> PageBounds? {
        guard !isOver else { return nil }
        guard pagesLeft > 0 else {
            isOver = true
            throw AppNetError(.brokenList, "the list has more pages than were allowed", delivery: .answered)
        }
        pagesLeft -= 1
        return bounds
    }

    /// Takes what an answer says, and goes on from there.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/brokenList`` if there is more, and it is not said where, or
    ///   where the walk has been.
    mutating func take(_ meta: ResponseMeta) throws(AppNetError) {
        guard meta.more ?? false else {
            isOver = true
            return
        }
        guard let position = (direction == .backward ? meta.minID : meta.maxID).map({ ListPosition($0) }) else {
            isOver = true
            throw AppNetError(.brokenList, "the list says that there is more, and not where", delivery: .answered)
        }
        guard visited.insert(position).inserted else {
            isOver = true
            throw AppNetError(.brokenList, "the list leads to where it was before", delivery: .answered)
        }
        switch direction {
        case .backward: bounds.before = position
        case .forward: bounds.since = position
        }
    }

    /// Ends the walk.
    mutating func end() { isOver = true }
}
