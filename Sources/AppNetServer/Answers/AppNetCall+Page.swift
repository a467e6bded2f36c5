internal import HeliumJSON
internal import HeliumServerKit

extension AppNetCall {
    /// Answers a page of a list (§1.6): newest first, with the pagination members of `meta`, and `pagination_id` on the
    /// items.
    ///
    /// - Parameters:
    ///   - marker: the name of the stream's marker; nil where it has none
    ///   - fetch: gives the items of a window, in its order; what ``PageWindow/sql(_:)`` makes of it
    ///   - id: an item's pagination id
    ///   - includes: whether the caller gets to see an item
    ///   - render: makes the object
    func page<Item>(
        marker: String? = nil,
        fetch: (PageWindow) throws -> [Item],
        id: (Item) -> Int64,
        includes: (Item) throws -> Bool = { _ in true },
        render: (Item) throws -> JSONValue
    ) throws -> AppNetAnswer {
        let stored = try caller.user.flatMap { user in try marker.flatMap { try markers.marker($0, of: user) } }
        let bounds: PageRequest.MarkerBounds =
            marker == nil ? .unsupported : stored.map { .set(item: $0.item, lastRead: $0.lastRead) } ?? .unset
        let page = try PageRequest(parameters, marker: bounds)
        var items: [Item] = []
        var window = PageWindow(
            since: page.since,
            before: page.before,
            isAscending: page.isForward,
            limit: page.count + 1
        )
        var isAtEnd = false
        // What the caller may not see is passed over, so that pages are full.
        while items.count <= page.count, !isAtEnd {
            let fetched = try fetch(window)
            isAtEnd = fetched.count < window.limit
            for item in fetched where items.count <= page.count {
                if try includes(item) { items.append(item) }
            }
            guard let last = fetched.last else { break }
            if page.isForward { window.since = id(last) } else { window.before = id(last) }
            // Where nearly everything is hidden, ever larger stretches keep the number of statements small.
            window.limit = max(window.limit, min(window.limit * 2, 1024))
        }
        let hasMore = items.count > page.count
        items = Array(items.prefix(page.count))
        if page.isForward { items.reverse() }
        var answer = AppNetAnswer.data(
            .array(
                try items.map { item in
                    var json = try render(item)
                    json["pagination_id"] = .id(id(item))
                    return json
                }
            )
        )
        answer.hasMore = hasMore
        answer.meta["more"] = .bool(hasMore)
        if let first = items.first, let last = items.last {
            answer.meta += ["min_id": .id(id(last)), "max_id": .id(id(first))]
        }
        if let marker, caller.user != nil {
            answer.meta["marker"] = stored?.json ?? ["name": .string(marker)]
        }
        return answer
    }
}
