internal import GRDB
internal import HeliumJSON

/// The searches for posts, messages and channels (Docs/Protocols/AppNet.md §2.12).
struct SearchHandlers: RequestScoped {
    let context: AppNetContext

    /// Returns a page of the matches, sorted by id or by score.
    ///
    /// - Throws: ``AppNetFailure`` with 400 if the search exceeds its ``SearchBudget``.
    func searchPage<Item: AuthoredRecord>(
        _ criteria: SearchCriteria,
        fetch: (PageWindow) throws -> [Item],
        includes: (Item) throws -> Bool,
        render: (Item) throws -> JSONValue?
    ) throws -> AppNetResponse {
        let rules = context.request.dialect.text
        var budget = SearchBudget(context.maxima)
        func object(_ item: Item) throws -> SearchableObject {
            try budget.count(item.text)
            return SearchableObject(item) { rules.tagKey($0) }
        }
        guard criteria.order == .score else {
            return try context.page(
                fetch: fetch,
                id: \.id,
                includes: { try criteria.matches(object($0)) && includes($0) },
                render: render
            )
        }
        var found: [(item: Item, score: Int)] = []
        var window = PageWindow(isAscending: false, limit: 200)
        while true {
            let items = try fetch(window)
            for item in items {
                let object = try object(item)
                guard criteria.matches(object), try includes(item) else { continue }
                found.append((item, criteria.score(object)))
            }
            guard let last = items.last else { break }
            window.before = last.id
        }
        return try context.rankedPage(found.map { ($0.item, $0.score, $0.item.id) }, render: render)
    }

    /// Handles `GET posts/search`.
    func searchPosts() throws -> AppNetResponse {
        let criteria = try SearchCriteria(context.parameters, findsCrossposts: true, context.request.dialect)
        let visibility = try PostVisibility(context)
        let renderer = context.renderer
        let terms = criteria.expression
        return try searchPage(
            criteria,
            fetch: { try tables.posts.posts(matching: terms, $0) },
            includes: visibility.shows,
            render: renderer.post
        )
    }
}
