internal import HeliumServerKit

extension CosmCall {
    func listDatastreams(_ feedID: Int) throws -> CosmResponse {
        let (feed, minimumInterval) = try authorizedFeed(feedID)
        let history = try HistoryQuery.parse(parameters, now: now, minimumInterval: minimumInterval)
        let asOf = try parameters.stamp("time")
        let documents = try datastreams.datastreams(of: feedID).compactMap {
            try document(of: $0, history: history, asOf: asOf)
        }
        return .reading(.datastreams(documents, of: feed))
    }

    func createDatastreams(_ feedID: Int) throws -> CosmResponse {
        var writer = try writer(feedID)
        let inputs = try body(
            json: JSONInput.datastreamsToCreate,
            xml: XMLInput.datastreamsToCreate,
            csv: { rows throws(CosmFailure) in try CSVInput.feed(rows).datastreams }
        )
        guard let first = inputs.first else { throw CosmFailure.invalid("Datastreams can't be blank") }
        try require(FeedRules.violations(of: FeedInput(datastreams: inputs), isNew: false))
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
        let (feed, stream, minimumInterval) = try authorizedDatastream(id, of: feedID)
        let history = try HistoryQuery.parse(parameters, now: now, minimumInterval: minimumInterval)
        guard let document = try document(of: stream, history: history, asOf: try parameters.stamp("time")) else {
            throw CosmFailure.notFound
        }
        return .reading(.datastream(document, of: feed))
    }

    func updateDatastream(_ id: String, of feedID: Int) throws -> CosmResponse {
        var writer = try writer(feedID, datastream: id)
        var input = try body(json: JSONInput.datastream, xml: XMLInput.datastream, csv: CSVInput.datastream)
        // The path names the datastream. The body may repeat its id.
        input.id = id
        try require(FeedRules.violations(of: input))
        try writer.apply(input, creates: false)
        try writer.touch()
        return .wrote(writer.effect)
    }

    func deleteDatastream(_ id: String, of feedID: Int) throws -> CosmResponse {
        var writer = try writer(feedID, datastream: id)
        guard let stream = try datastreams.datastream(id, of: feedID) else { throw CosmFailure.notFound }
        try datastreams.delete(stream)
        try triggers.deleteAll(on: feedID, datastream: id)
        try writer.touch()
        return .wrote(WriteEffect(ended: [.datastream(id, of: feedID)]))
    }

    /// Returns a datastream if the key has access to it.
    func authorizedDatastream(
        _ id: String,
        of feedID: Int
    ) throws -> (feed: FeedRecord, stream: DatastreamRecord, minimumInterval: Int) {
        let (feed, minimumInterval) = try authorizedFeed(feedID, datastream: id)
        guard let stream = try datastreams.datastream(id, of: feedID) else { throw CosmFailure.notFound }
        return (feed, stream, minimumInterval)
    }
}
