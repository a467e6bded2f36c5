internal import GRDB

extension AppNetCall {
    /// The most objects that one search looks at: a search without a match must not read everything there is.
    static var maximumSearched: Int { 50_000 }

    /// A page of what matches: by id as other lists, by score in one page.
    func searchPage<Item>(
        _ criteria: SearchCriteria,
        fetch: (PageWindow) throws -> [Item],
        id: (Item) -> Int64,
        object: (Item) -> SearchableObject,
        includes: (Item) throws -> Bool,
        render: (Item) throws -> JSONTree
    ) throws -> AppNetAnswer {
        var left = Self.maximumSearched
        func next(_ window: PageWindow) throws -> [Item] {
            var window = window
            window.limit = min(left, max(window.limit, 200))
            guard window.limit > 0 else { return [] }
            let items = try fetch(window)
            left -= items.count
            return items
        }
        guard criteria.order == .score else {
            return try page(
                fetch: { left > 0 ? try fetch($0) : [] },
                id: id,
                includes: { item in
                    left -= 1
                    return try criteria.matches(object(item)) && includes(item)
                },
                render: render
            )
        }
        var found: [(item: Item, score: Int)] = []
        var window = PageWindow(isAscending: false, limit: 200)
        while true {
            let items = try next(window)
            for item in items {
                let object = object(item)
                guard criteria.matches(object), try includes(item) else { continue }
                found.append((item, criteria.score(object)))
            }
            guard let last = items.last else { break }
            window.before = id(last)
        }
        let request = try PageRequest(parameters, marker: .unsupported)
        found.sort { ($0.score, id($0.item)) > ($1.score, id($1.item)) }
        var answer = AppNetAnswer.data(.array(try found.prefix(request.count).map { try render($0.item) }))
        answer.meta.append(JSONMember("more", .bool(false)))
        return answer
    }

    /// `GET posts/search`
    func searchPosts() throws -> AppNetAnswer {
        let criteria = try SearchCriteria(parameters, findsCrossposts: true)
        let visibility = try PostVisibility(database: database, viewer: caller.user, options: options)
        let renderer = renderer
        return try searchPage(
            criteria,
            fetch: { try posts.posts(where: "repost_of IS NULL AND NOT is_deleted AND NOT machine_only", [], $0) },
            id: \.id,
            object: { post in
                SearchableObject(
                    document: SearchDocument(text: post.text ?? "", entities: post.entities),
                    annotations: post.annotations,
                    creator: post.user,
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
