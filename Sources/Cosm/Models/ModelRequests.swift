internal import Foundation
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumJSON
internal import HeliumKit
internal import Synchronization

/// The requests of models. Reads take parameters by name, and writes send only the given members.
struct ModelRequests: Sendable {
    let api: CosmClient

    /// The current time of the API's clock.
    var now: Timestamp { api.now }

    private func write(_ method: HTTPRequest.Method, _ body: JSONObject, to path: ResourcePath) async throws
        -> HeliumResponse<Data>
    {
        try await api.send(method, path, as: .json, body: JSONValue.object(body).data())
    }
}

// MARK: Feeds

extension ModelRequests {
    func feeds(_ parameters: [String: ParameterValue]) async throws -> FeedPage {
        try await api.read(.feeds, QueryParameters(parameters), as: .json)
    }

    func feed(_ id: Feed.ID, _ parameters: [String: ParameterValue]) async throws -> Feed {
        try await api.read(.feed(id), QueryParameters(parameters), as: .json)
    }

    func createFeed(_ body: JSONObject) async throws -> Feed.ID {
        Feed.ID(try CreatedLocation.id(try await write(.post, body, to: .feeds), after: "feeds"))
    }

    func updateFeed(_ id: Feed.ID, _ body: JSONObject) async throws { _ = try await write(.put, body, to: .feed(id)) }

    func deleteFeed(_ id: Feed.ID) async throws { try await api.deleteFeed(id) }
}

// MARK: Datastreams

extension ModelRequests {
    func datastream(
        _ id: String,
        of feed: Feed.ID,
        _ parameters: [String: ParameterValue]
    ) async throws -> Datastream {
        try await api.read(.datastream(feed, id), QueryParameters(parameters), as: .json)
    }

    func updateDatastream(_ id: String, of feed: Feed.ID, _ body: JSONObject) async throws {
        _ = try await write(.put, body, to: .datastream(feed, id))
    }

    func deleteDatastream(_ id: String, of feed: Feed.ID) async throws {
        try await api.deleteDatastream(id, in: feed)
    }
}

// MARK: Datapoints

/// The feed and datastream of datapoints.
struct DatastreamPlace: Hashable, Sendable {
    var feedID: Feed.ID
    var datastreamID: String
}

extension ModelRequests {
    func datapoint(
        at instant: Timestamp,
        in place: DatastreamPlace,
        _ parameters: [String: ParameterValue]
    ) async throws -> Datapoint {
        let path = ResourcePath.datapoint(place.feedID, place.datastreamID, instant)
        return try await api.read(path, QueryParameters(parameters), as: .json)
    }

    /// Stores points in batches.
    ///
    /// - Returns: The number of points that are known to be stored, counted from the first, and the error if not all
    ///   are.
    func store(_ points: [Datapoint], in place: DatastreamPlace) async -> (stored: Int, failure: (any Error)?) {
        let stored = Count()
        do {
            try await api.storeDatapoints(points, of: place.datastreamID, in: place.feedID) { stored.set($0.stored) }
            return (points.count, nil)
        } catch {
            return (stored.value, error)
        }
    }

    func deleteDatapoint(at instant: Timestamp, in place: DatastreamPlace) async throws {
        try await api.deleteDatapoint(at: instant, of: place.datastreamID, in: place.feedID)
    }
}

private final class Count: Sendable {
    private let count = Guarded(0)

    var value: Int { count.withLock { $0 } }

    func set(_ value: Int) { count.withLock { $0 = value } }
}
