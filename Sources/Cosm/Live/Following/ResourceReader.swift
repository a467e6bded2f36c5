internal import HeliumCore

/// A reader of states and datapoints that a follower may have missed. The API implements it with REST calls.
protocol ResourceReader: Sendable {
    func feed(_ id: Feed.ID) async throws -> Feed
    func datastream(_ id: String, in feed: Feed.ID) async throws -> Datastream

    /// Returns the datapoints of a datastream between two instants, both inclusive, in order.
    func datapoints(
        of datastream: String,
        in feed: Feed.ID,
        from start: Timestamp,
        to end: Timestamp
    ) -> DatapointHistory
}

extension CosmClient: ResourceReader {
    func feed(_ id: Feed.ID) async throws -> Feed { try await feed(id, options: ReadOptions()) }

    func datastream(_ id: String, in feed: Feed.ID) async throws -> Datastream {
        try await datastream(id, in: feed, options: ReadOptions())
    }

    func datapoints(
        of datastream: String,
        in feed: Feed.ID,
        from start: Timestamp,
        to end: Timestamp
    ) -> DatapointHistory {
        history(of: datastream, in: feed, from: start, to: end)
    }
}

extension LiveResource {
    /// Reads the document of this resource.
    func read<Value: LiveValue>(_ type: Value.Type, by reader: any ResourceReader) async throws -> Value {
        let body: SocketFrame.Body =
            switch self {
            case .feed(let id): .feed(try await reader.feed(id))
            case .datastream(let id, let feed): .datastream(try await reader.datastream(id, in: feed))
            }
        guard let value = Value(body) else {
            throw CosmError(.undecodable, "the document has another kind", delivery: .answered)
        }
        return value
    }

    /// The id of the feed that the resource is or belongs to.
    var feed: Feed.ID {
        switch self {
        case .feed(let id), .datastream(_, in: let id): id
        }
    }
}
