internal import GRDB
internal import HeliumJSON

/// The searches of posts, messages and channels (§2.12).
struct SearchHandlers: RequestScoped {
    let context: AppNetContext

    /// The form in which the request's dialect compares tags.
    var tagKey: @Sendable (String) -> String {
        let rules = context.request.dialect.text
        return { rules.tagKey($0) }
    }

    /// A page of the matches: by id, or by score.
    ///
    /// - Throws: ``AppNetFailure`` with 400 if the search exceeds its ``SearchBudget``
    func searchPage<Item>(
        _ criteria: SearchCriteria,
        fetch: (PageWindow) throws -> [Item],
        id: (Item) -> Int64,
        text: (Item) -> String?,
        object: (Item) -> SearchableObject,
        includes: (Item) throws -> Bool,
        render: (Item) throws -> JSONValue
    ) throws -> AppNetAnswer {
        var budget = SearchBudget(context.maxima)
        guard criteria.order == .score else {
            return try context.page(
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
        return try context.rankedPage(found.map { ($0.item, $0.score, id($0.item)) }, render: render)
    }

    /// `GET posts/search`
    func searchPosts() throws -> AppNetAnswer {
        let criteria = try SearchCriteria(context.parameters, findsCrossposts: true, context.request.dialect)
        let visibility = try PostVisibility(context)
        let renderer = context.renderer
        let tagKey = tagKey
        let terms = criteria.expression
        return try searchPage(
            criteria,
            fetch: { try tables.posts.posts(matching: terms, $0) },
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
