internal import HeliumServerKit

extension CosmCall {
    func listDatastreams(_ feedID: Int) throws -> CosmResponse {
        let feed = try grantedFeed(feedID)
        let view = try HistoryView(parameters, now: now, minimumInterval: feed.minimumInterval)
        var budget = AnswerBudget(maxima.answerBytes)
        let documents = try datastreams.datastreams(of: feedID).compactMap { stream in
            try feed.part(stream).flatMap { try document(of: $0, view, &budget) }
        }
        return .reading(.datastreams(documents, of: feed.object))
    }

    func createDatastreams(_ feedID: Int, _ inputs: [DatastreamInput]) throws -> CosmResponse {
        var writer = try writer(feedID)
        guard let first = inputs.first else { throw CosmFailure.invalid("Datastreams can't be blank") }
        for input in inputs {
            if try datastreams.datastream(input.id, of: feedID) != nil {
                throw CosmFailure.invalid("Stream has already been taken: \(input.id)")
            }
            try writer.create(input)
        }
        try writer.touch()
        return .created("/feeds/\(feedID)/datastreams/\(PercentEncoding.encodedSegment(first.id))", writer.effect)
    }

    func readDatastream(_ id: String, of feedID: Int) throws -> CosmResponse {
        let (feed, stream) = try grantedDatastream(id, of: feedID)
        let view = try HistoryView(parameters, now: now, minimumInterval: stream.minimumInterval)
        var budget = AnswerBudget(maxima.answerBytes)
        guard let document = try document(of: stream, view, &budget) else { throw CosmFailure.notFound }
        return .reading(.datastream(document, of: feed))
    }

    func updateDatastream(_ id: String, of feedID: Int, _ input: DatastreamInput) throws -> CosmResponse {
        var writer = try writer(feedID, datastream: id)
        try writer.apply(input, creates: false)
        try writer.touch()
        return .wrote(writer.effect)
    }

    func deleteDatastream(_ id: String, of feedID: Int) throws -> CosmResponse {
        var (writer, stream) = try writableDatastream(id, of: feedID)
        try datastreams.delete(stream)
        let leavesPoints = try PointRemoval(database: database).proceed()
        try triggers.deleteAll(on: feedID, datastream: id)
        try writer.touch()
        return .wrote(WriteEffect(ended: [.datastream(id, of: feedID)], leavesPoints: leavesPoints))
    }

    /// Returns a datastream, and its feed, if the key has access to the datastream.
    func grantedDatastream(
        _ id: String,
        of feedID: Int
    ) throws -> (feed: FeedRecord, stream: Granted<DatastreamRecord>) {
        guard let feed = try feeds.feed(feedID) else { throw CosmFailure.notFound }
        // The right is checked first, so that a key without it does not learn which datastreams there are.
        try use.authorize(.part(id, of: feed))
        guard let stream = try datastreams.datastream(id, of: feedID) else { throw CosmFailure.notFound }
        return (feed, try use.grant(stream, of: feed))
    }

    /// Returns a datastream with its history, or as it was at an instant; `nil` if it had no value at that time.
    ///
    /// - Throws: ``CosmFailure`` with 400 if the response would be too large.
    func document(
        of stream: Granted<DatastreamRecord>,
        _ view: HistoryView,
        _ budget: inout AnswerBudget
    ) throws -> DatastreamDocument? {
        var document = DatastreamDocument(stream)
        let source = StoredPoints(database: database, stream: stream.object.number, work: HistoryWork())
        if let asOf = view.asOf {
            guard let point = try source.newest(from: .earliest, through: asOf) else { return nil }
            document.stream.currentValue = point.value
            document.stream.at = point.at
        }
        if let history = view.history {
            document.points = try HistoryReader(source: source).points(history)
            if history.isAverage { document.function = "average" }
        }
        try budget.spend(AnswerSize.of(document))
        return document
    }
}
