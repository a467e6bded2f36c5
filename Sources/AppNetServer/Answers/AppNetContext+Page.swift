internal import HeliumJSON
internal import HeliumServerKit

extension AppNetContext {
    /// Returns a page of a list, newest item first, with the pagination members of `meta` and `pagination_id` on the
    /// items (Docs/Protocols/AppNet.md §1.6).
    ///
    /// - Parameters:
    ///   - marker: The name of the stream's marker; `nil` if it does not have one.
    ///   - fetch: Returns the items of a window, in its order (``PageWindow/sql(_:)``).
    ///   - id: Returns an item's pagination id.
    ///   - includes: Returns whether the options of the request include an item.
    ///   - render: Returns the JSON object of an item; `nil` if the caller may not see it.
    func page<Item>(
        marker: String? = nil,
        fetch: (PageWindow) throws -> [Item],
        id: (Item) -> Int64,
        includes: (Item) throws -> Bool = { _ in true },
        render: (Item) throws -> JSONValue?
    ) throws -> AppNetResponse {
        let stored = try caller.user.flatMap { user in try marker.flatMap { try tables.markers.marker($0, of: user) } }
        let bounds: PageRequest.MarkerBounds =
            marker == nil ? .unsupported : stored.map { .set(item: $0.item, lastRead: $0.lastRead) } ?? .unset
        let page = try PageRequest(parameters, marker: bounds)
        var items: [(id: Int64, json: JSONValue)] = []
        var window = PageWindow(
            since: page.since,
            before: page.before,
            isAscending: page.isForward,
            limit: page.count + 1
        )
        var isAtEnd = false
        // A page that is cut at its bytes continues at its last item, as one that is cut at its count.
        var (isCut, bytes) = (false, 0)
        // Items that the caller may not see are skipped, so that pages are full.
        while items.count <= page.count, !isAtEnd, !isCut {
            let fetched = try fetch(window)
            isAtEnd = fetched.count < window.limit
            for item in fetched where items.count <= page.count {
                guard try includes(item), var json = try render(item) else { continue }
                json["pagination_id"] = .id(id(item))
                bytes += json.approximateBytes
                isCut = bytes > AnswerLimits.bytes && !items.isEmpty
                if isCut { break }
                items.append((id(item), json))
            }
            guard let last = fetched.last else { break }
            if page.isForward { window.since = id(last) } else { window.before = id(last) }
            // Growing windows keep the number of statements small if most items are hidden.
            window.limit = max(window.limit, min(window.limit * 2, 1024))
        }
        let hasMore = isCut || items.count > page.count
        items = Array(items.prefix(page.count))
        if page.isForward { items.reverse() }
        var answer = AppNetResponse.data(.array(items.map(\.json)))
        answer.hasMore = hasMore
        answer.meta["more"] = .bool(hasMore)
        if let first = items.first, let last = items.last {
            answer.meta += ["min_id": .id(last.id), "max_id": .id(first.id)]
        }
        if let marker, caller.user != nil {
            answer.meta["marker"] = stored?.json ?? ["name": .string(marker)]
        }
        return answer
    }

    /// Returns a page of a list that is ordered by rank, and by id among equal ranks.
    ///
    /// Pagination ids contain both, so that they descend as in other lists (Docs/Protocols/AppNet.md §1.6). Pages are
    /// consistent as long as the ranks do not change.
    func rankedPage<Item>(
        _ found: [(item: Item, rank: Int, id: Int64)],
        render: (Item) throws -> JSONValue?
    ) throws -> AppNetResponse {
        // 12 bits for the rank and 40 for the id, within the range of a bound. Ranks above the maximum count as equal.
        let ranked = found.map { (item: $0.item, key: Int64(min($0.rank, 4095)) << 40 | min($0.id, 1 << 40 - 1)) }
            .sorted { $0.key > $1.key }
        return try page(of: ranked, id: \.key, render: { try render($0.item) })
    }

    /// Returns a page of items that are in memory, in descending order of their pagination ids.
    func page<Item>(
        of items: [Item],
        id: (Item) -> Int64,
        render: (Item) throws -> JSONValue?
    ) throws -> AppNetResponse {
        try page(
            fetch: { window in
                let inside = items.filter { window.since ?? .min < id($0) && id($0) < window.before ?? .max }
                return Array((window.isAscending ? inside.reversed() : inside).prefix(window.limit))
            },
            id: id,
            render: render
        )
    }
}
