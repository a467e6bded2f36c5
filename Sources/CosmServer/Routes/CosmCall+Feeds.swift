internal import HeliumServerKit

extension CosmCall {
    func listFeeds() throws -> CosmResponse {
        try authorize(.account)
        let search = try FeedSearch(parameters)
        let page = try FeedSearchRunner(database: database, now: now, maxima: maxima).page(
            search,
            visibleTo: FeedVisibility(owner: key.owner, opensPrivate: key.opensPrivate, only: try listedFeeds())
        )
        var documents: [FeedDocument] = []
        documents.reserveCapacity(page.feeds.count)
        var size = FeedListSize()
        for feed in page.feeds {
            var document = FeedDocument(feed: feed, showsUser: parameters.isTrue("show_user"))
            let streams = search.content == .full ? try datastreams.datastreams(of: feed.id) : []
            try size.count(feed, streams)
            if search.content == .full { document.datastreams = streams.map { DatastreamDocument(stream: $0) } }
            documents.append(document)
        }
        return .reading(
            .feeds(
                FeedListDocument(
                    total: page.total,
                    startIndex: search.startIndex,
                    itemsPerPage: search.itemsPerPage,
                    feeds: documents
                )
            )
        )
    }

    func createFeed() throws -> CosmResponse {
        try authorize(.newFeed)
        let input = try body(json: JSONInput.feed, xml: XMLInput.feed)
        try require(FeedRules.violations(of: input, isNew: true))
        if try feeds.count() >= maxima.feeds { throw CosmFailure.full("feeds") }
        let id = Int(try settings.next("feed", first: Int64(state.configuration.firstFeedID)))
        let feed = FeedRecord(id: id, owner: key.owner, title: "", created: now, updated: now)
        var writer = FeedWriter(feed, database: database, maxima: maxima, now: now)
        try writer.apply(input)
        return .created("/feeds/\(id)", writer.effect)
    }

    func readFeed(_ id: Int) throws -> CosmResponse {
        let (feed, minimumInterval) = try authorizedFeed(id)
        let history = try HistoryQuery.parse(parameters, now: now, minimumInterval: minimumInterval)
        var document = FeedDocument(feed: feed, showsUser: parameters.isTrue("show_user"))
        let wanted = parameters["datastreams"].map { list in
            Set(list.split(separator: ",").map { $0.filter { $0 != " " } })
        }
        let asOf = try parameters.stamp("time")
        document.datastreams = try datastreams.datastreams(of: id).compactMap { stream in
            if let wanted, !wanted.contains(stream.id) { return nil }
            return try self.document(of: stream, history: history, asOf: asOf)
        }
        if feed.location.isMobile {
            document.waypoints = try feeds.waypoints(
                of: id,
                from: history?.start ?? now.adding(seconds: -86_400),
                through: history?.end ?? now,
                limit: HistoryQuery.maximumLimit
            )
        }
        return .reading(.feed(document))
    }

    func updateFeed(_ id: Int) throws -> CosmResponse {
        var writer = try writer(id)
        let input = try body(json: JSONInput.feed, xml: XMLInput.feed, csv: CSVInput.feed)
        try require(FeedRules.violations(of: input, isNew: false))
        try writer.apply(input)
        return .wrote(writer.effect)
    }

    func deleteFeed(_ id: Int) throws -> CosmResponse {
        _ = try authorizedFeed(id)
        return .wrote(WriteEffect(ended: [try remove(feed: id)]))
    }

    /// Deletes a feed with its datastreams and their triggers.
    func remove(feed id: Int) throws -> WriteEffect.Ended {
        for stream in try datastreams.datastreams(of: id) { try datastreams.delete(stream) }
        try triggers.deleteAll(on: id)
        try feeds.delete(id)
        return .feed(id)
    }

    /// Returns a datastream with its history, or as it was at an instant; `nil` if it had no value at that time.
    func document(
        of stream: DatastreamRecord,
        history: HistoryQuery?,
        asOf: ServerInstant?
    ) throws -> DatastreamDocument? {
        var document = DatastreamDocument(stream: stream)
        let source = StoredPoints(database: database, stream: stream.number, work: HistoryWork())
        if let asOf {
            guard let point = try source.newest(from: .earliest, through: asOf) else { return nil }
            document.stream.currentValue = point.value
            document.stream.at = point.at
        }
        if let history {
            document.points = try HistoryReader(source: source).points(history)
            if history.isAverage { document.function = "average" }
        }
        return document
    }
}
