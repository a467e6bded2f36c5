internal import GRDB
internal import HeliumJSON

extension AppNetCall {
    /// The form in which the call's dialect compares tags.
    var tagKey: @Sendable (String) -> String {
        guard request.isPnut else { return { $0 } }
        return { PnutText.tagKey($0) }
    }

    /// A page of what matches: by id, or by score.
    ///
    /// - Throws: ``AppNetFailure`` with 400 where the search looks at more than it may (``SearchBudget``)
    func searchPage<Item>(
        _ criteria: SearchCriteria,
        fetch: (PageWindow) throws -> [Item],
        id: (Item) -> Int64,
        text: (Item) -> String?,
        object: (Item) -> SearchableObject,
        includes: (Item) throws -> Bool,
        render: (Item) throws -> JSONValue
    ) throws -> AppNetAnswer {
        var budget = SearchBudget(maxima)
        guard criteria.order == .score else {
            return try page(
                fetch: fetch,
                id: id,
                includes: { item in
                    try budget.count(text(item))
                    return try criteria.matches(object(item)) && includes(item)
                },
                render: render
            )
        }
        var found: [(item: Item, score: Int)] = []
        var window = PageWindow(isAscending: false, limit: 200)
        while true {
            let items = try fetch(window)
            for item in items {
                try budget.count(text(item))
                let object = object(item)
                guard criteria.matches(object), try includes(item) else { continue }
                found.append((item, criteria.score(object)))
            }
            guard let last = items.last else { break }
            window.before = id(last)
        }
        return try rankedPage(found.map { ($0.item, $0.score, id($0.item)) }, render: render)
    }

    /// A page of what is ordered by rank, and by id among equals. Pagination ids say both, so that they fall along the
    /// list as those of other lists do (§1.6) and pages follow each other as long as ranks stay as they are.
    func rankedPage<Item>(
        _ found: [(item: Item, rank: Int, id: Int64)],
        render: (Item) throws -> JSONValue
    ) throws -> AppNetAnswer {
        // 12 bits and 40, within what a bound may be; ranks beyond count as equal.
        let ranked = found.map { (item: $0.item, key: Int64(min($0.rank, 4095)) << 40 | min($0.id, 1 << 40 - 1)) }
            .sorted { $0.key > $1.key }
        return try page(
            fetch: { window in
                let kept = ranked.filter { window.since ?? .min < $0.key && $0.key < window.before ?? .max }
                return Array((window.isAscending ? kept.reversed() : kept).prefix(window.limit))
            },
            id: \.key,
            render: { try render($0.item) }
        )
    }

    /// `GET posts/search`
    func searchPosts() throws -> AppNetAnswer {
        let criteria = try SearchCriteria(parameters, findsCrossposts: true, isPnut: request.isPnut)
        let visibility = try PostVisibility(database: database, viewer: caller.user, options: options)
        let renderer = renderer
        let tagKey = tagKey
        return try searchPage(
            criteria,
            fetch: { try posts.posts(where: "repost_of IS NULL AND NOT is_deleted AND NOT machine_only", [], $0) },
            id: \.id,
            text: \.text,
            object: { post in
                SearchableObject(
                    document: SearchDocument(text: post.text ?? "", entities: post.entities, tagKey: tagKey),
                    annotations: post.annotations,
                    creator: post.user,
                    created: post.created,
                    client: post.client,
                    replyTo: post.replyTo,
                    thread: post.thread
                )
            },
            includes: visibility.shows,
            render: renderer.post
        )
    }
}
