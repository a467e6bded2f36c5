internal import HTTPTypes
internal import HeliumKit

extension CosmAPI {
    /// The datapoint of an instant.
    ///
    /// `GET /feeds/{feed}/datastreams/{datastream}/datapoints/{at}`; needs `get` on the datastream (§6).
    ///
    /// - Parameters:
    ///   - at: The instant, to the microsecond.
    ///   - datastream: The datastream's id.
    ///   - feed: Its feed.
    ///   - format: The document's format. CSV has the value only.
    /// - Throws: ``CosmError``, of kind ``CosmError/Kind/notFound`` if there is none; `CancellationError`.
    public func datapoint(
        at: Timestamp,
        of datastream: String,
        in feed: Feed.ID,
        format: CosmFormat = .json
    ) async throws -> Datapoint {
        var point: Datapoint = try await read(.datapoint(feed, datastream, at), as: format)
        if point.at == nil { point.at = at }
        return point
    }

    /// Stores a datapoint; one of the same instant is overwritten.
    ///
    /// `POST /feeds/{feed}/datastreams/{datastream}/datapoints`; needs `post` on the datastream (§6).
    ///
    /// - Parameters:
    ///   - point: The point; without a stamp it is of now.
    ///   - datastream: The datastream's id.
    ///   - feed: Its feed.
    /// - Returns: The point as it was stored.
    /// - Throws: ``CosmError``; `CancellationError`.
    @discardableResult
    public func storeDatapoint(_ point: Datapoint, of datastream: String, in feed: Feed.ID) async throws -> Datapoint {
        var point = point
        if point.at == nil { point.at = now }
        try await write(.post, [point], to: .datapoints(feed, datastream), as: .json)
        return point
    }

    /// Stores datapoints in their order, at most 500 with each request, of which each is stored whole or not at all. Of
    /// several with one instant the last counts, and overwrites what was stored before.
    ///
    /// `POST /feeds/{feed}/datastreams/{datastream}/datapoints`; needs `post` on the datastream (§6). Without points nothing
    /// is sent.
    ///
    /// - Parameters:
    ///   - points: The points, each with a stamp.
    ///   - datastream: The datastream's id.
    ///   - feed: Its feed.
    ///   - format: The requests' format.
    ///   - progress: Told after each request.
    /// - Throws: ``CosmError``, whose ``CosmError/storedCount`` says how many points were stored before the request that
    ///   failed; before anything is sent, if a point has no stamp; `CancellationError`.
    public func storeDatapoints(
        _ points: [Datapoint],
        of datastream: String,
        in feed: Feed.ID,
        format: CosmFormat = .json,
        progress: (@Sendable (BatchProgress) -> Void)? = nil
    ) async throws {
        if let index = points.firstIndex(where: { $0.at == nil }) {
            throw CosmError.rule("point \(index) has no timestamp")
        }
        // All are encoded before the first is sent: what can't be leaves nothing half stored.
        let parts = DatapointBatch.parts(of: points)
        let bodies = try parts.map { try Self.encoded(Array($0), as: format) }
        var batch = BatchProgress(stored: 0, total: points.count)
        for (part, body) in zip(parts, bodies) {
            do {
                try await send(.post, .datapoints(feed, datastream), as: format, body: body)
            } catch var error as CosmError {
                error.storedCount = batch.stored
                throw error
            }
            batch.stored += part.count
            progress?(batch)
        }
    }

    /// Changes the value of a datapoint that is there.
    ///
    /// `PUT /feeds/{feed}/datastreams/{datastream}/datapoints/{at}`; needs `put` on the datastream (§6).
    ///
    /// - Parameters:
    ///   - at: The instant, to the microsecond.
    ///   - value: The new value.
    ///   - datastream: The datastream's id.
    ///   - feed: Its feed.
    ///   - format: The request's format.
    /// - Throws: ``CosmError``, of kind ``CosmError/Kind/notFound`` if there is none; `CancellationError`.
    public func updateDatapoint(
        at: Timestamp,
        value: DatapointValue,
        of datastream: String,
        in feed: Feed.ID,
        format: CosmFormat = .json
    ) async throws {
        try await write(.put, Datapoint(value: value), to: .datapoint(feed, datastream, at), as: format)
    }

    /// Deletes the datapoint of an instant.
    ///
    /// `DELETE /feeds/{feed}/datastreams/{datastream}/datapoints/{at}`; needs `delete` on the datastream (§6).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func deleteDatapoint(at: Timestamp, of datastream: String, in feed: Feed.ID) async throws {
        try await send(.delete, .datapoint(feed, datastream, at))
    }

    /// Deletes the datapoints of a range.
    ///
    /// `DELETE /feeds/{feed}/datastreams/{datastream}/datapoints`; needs `delete` on the datastream (§6).
    ///
    /// - Throws: ``CosmError``, before anything is sent for a range without any bound; `CancellationError`.
    public func deleteDatapoints(
        _ range: DatapointRange,
        of datastream: String,
        in feed: Feed.ID
    ) async throws {
        try await send(.delete, .datapoints(feed, datastream), try range.parameters())
    }
}

/// How far the storing of many datapoints is.
public struct BatchProgress: Hashable, Sendable {
    /// How many are stored.
    public var stored: Int

    /// How many there are.
    public let total: Int
}

enum DatapointBatch {
    /// The most points of one request (§6).
    static let maximum = 500

    /// The points in their order, no more than that at once.
    static func parts(of points: [Datapoint]) -> [ArraySlice<Datapoint>] {
        stride(from: 0, to: points.count, by: maximum).map { points[$0..<min($0 + maximum, points.count)] }
    }
}
