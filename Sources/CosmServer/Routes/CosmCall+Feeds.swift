internal import HeliumJSON
internal import HeliumServerKit

extension CosmCall {
    func listFeeds() throws -> CosmResponse {
        try use.authorize(.account)
        let search = try FeedSearch(parameters)
        let page = try FeedSearchRunner(database: database, now: now, maxima: maxima).page(
            search,
            visibleTo: FeedVisibility(owner: key.owner, opensPrivate: key.opensPrivate, only: use.listedFeeds)
        )
        var list = FeedPage(count: page.ids.count, maximumBytes: maxima.answerBytes)
        for id in page.ids {
            guard let feed = try list.readsTexts ? feeds.feed(id) : feeds.abbreviatedFeed(id) else { continue }
            let granted = try use.grant(feed)
            var document = FeedDocument(granted, showsUser: parameters.isTrue("show_user"))
            var isComplete = true
            if search.content == .full {
                let capacity = list.datastreamCapacity
                let streams = try datastreams.datastreams(of: feed.id, limit: capacity + 1)
                isComplete = streams.count <= capacity
                document.datastreams = streams.compactMap { granted.part($0).map { DatastreamDocument($0) } }
            }
            list.append(document, isComplete: isComplete)
        }
        return .reading(
            .feeds(
                FeedListDocument(
                    total: page.total,
                    startIndex: search.startIndex,
                    itemsPerPage: search.itemsPerPage,
                    feeds: list.documents
                )
            )
        )
    }

    func createFeed(_ input: FeedInput) throws -> CosmResponse {
        try use.authorize(.newFeed)
        try requireRoom(
            for: "feeds",
            own: feeds.count(of: key.owner),
            of: maxima.feedsPerUser,
            all: feeds.count(),
            of: maxima.feeds
        )
        let first = Int64(state.configuration.firstFeedID)
        let id = Int(try settings.next("feed", first: first, above: feeds.greatestID()))
        let feed = FeedRecord(id: id, owner: key.owner, title: "", created: now, updated: now)
        try feeds.insert(feed)
        var writer = writer(of: feed)
        try writer.apply(input)
        return .created("/feeds/\(id)", writer.effect)
    }

    func readFeed(_ id: Int) throws -> CosmResponse {
        let feed = try grantedFeed(id)
        let view = try HistoryView(parameters, now: now, minimumInterval: feed.minimumInterval)
        var document = FeedDocument(feed, showsUser: parameters.isTrue("show_user"))
        let wanted = parameters["datastreams"].map { list in
            Set(list.split(atByte: ",").map { $0.removingBytes(of: " ") })
        }
        var budget = AnswerBudget(maxima.answerBytes)
        document.datastreams = try datastreams.datastreams(of: id).compactMap { stream in
            if let wanted, !wanted.contains(stream.id) { return nil }
            return try feed.part(stream).flatMap { try self.document(of: $0, view, &budget) }
        }
        if feed.object.location.isMobile {
            let waypoints = try feeds.waypoints(
                of: id,
                from: view.history?.start ?? now.adding(seconds: -86_400),
                through: view.history?.end ?? now,
                limit: HistoryQuery.maximumLimit
            )
            document.waypoints = HistoryLimit(feed.minimumInterval).sampled(
                waypoints,
                through: view.history?.end ?? now
            )
            try budget.spend(AnswerSize.of(document.waypoints))
        }
        return .reading(.feed(document))
    }

    func updateFeed(_ id: Int, _ input: FeedInput) throws -> CosmResponse {
        var writer = try writer(id)
        try writer.apply(input)
        return .wrote(writer.effect)
    }

    func deleteFeed(_ id: Int) throws -> CosmResponse {
        _ = try grantedFeed(id)
        try remove(feed: id)
        return .wrote(WriteEffect(ended: [.feed(id)], leavesPoints: try PointRemoval(database: database).proceed()))
    }

    /// Deletes a feed with its datastreams and their triggers. The points and waypoints remain to be deleted
    /// (``PointRemoval``).
    func remove(feed id: Int) throws {
        try datastreams.deleteAll(of: id)
        try triggers.deleteAll(on: id)
        try feeds.delete(id)
    }
}
