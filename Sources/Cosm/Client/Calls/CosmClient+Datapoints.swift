internal import HTTPTypes
internal import HeliumKit

extension CosmClient {
    /// Reads the datapoint of an instant.
    ///
    /// `GET /feeds/{feed}/datastreams/{datastream}/datapoints/{at}`; needs `get` on the datastream
    /// (Docs/Protocols/Cosm.md §6).
    ///
    /// - Parameters:
    ///   - at: The instant, to the microsecond.
    ///   - datastream: The datastream's id.
    ///   - feed: The feed of the datastream.
    ///   - format: The document's format. CSV has the value only.
    /// - Throws: ``CosmError``, of kind ``CosmError/Kind/notFound`` if there is no such point; `CancellationError`.
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

    /// Stores a datapoint. A stored point of the same instant is overwritten.
    ///
    /// `POST /feeds/{feed}/datastreams/{datastream}/datapoints`; needs `post` on the datastream
    /// (Docs/Protocols/Cosm.md §6).
    ///
    /// - Parameters:
    ///   - point: The point. Without a timestamp it gets the current time.
    ///   - datastream: The datastream's id.
    ///   - feed: The feed of the datastream.
    /// - Returns: The point as it was stored.
    /// - Throws: ``CosmError``; `CancellationError`.
    @discardableResult
    public func storeDatapoint(_ point: Datapoint, of datastream: String, in feed: Feed.ID) async throws -> Datapoint {
        var point = point
        if point.at == nil { point.at = now }
        try await write(.post, [point], to: .datapoints(feed, datastream), as: .json)
        return point
    }

    /// Stores datapoints in their order.
    ///
    /// `POST /feeds/{feed}/datastreams/{datastream}/datapoints`; needs `post` on the datastream
    /// (Docs/Protocols/Cosm.md §6). Each request has at most 500 points, and stores all of them or none. If several
    /// points have the same instant, the last one is stored. Stored points of the same instant are overwritten. Nothing
    /// is sent if there are no points.
    ///
    /// - Parameters:
    ///   - points: The points. Each needs a timestamp.
    ///   - datastream: The datastream's id.
    ///   - feed: The feed of the datastream.
    ///   - format: The format of the requests.
    ///   - progress: Called after each request.
    /// - Throws: ``CosmError``, whose ``CosmError/storedCount`` is the number of points that were stored before the
    ///   request that failed. Throws before anything is sent if a point has no timestamp. `CancellationError`.
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
        // All parts are encoded before the first is sent, so that a point that cannot be encoded does not leave half of
        // them stored.
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

    /// Changes the value of an existing datapoint.
    ///
    /// `PUT /feeds/{feed}/datastreams/{datastream}/datapoints/{at}`; needs `put` on the datastream
    /// (Docs/Protocols/Cosm.md §6).
    ///
    /// - Parameters:
    ///   - at: The instant, to the microsecond.
    ///   - value: The new value.
    ///   - datastream: The datastream's id.
    ///   - feed: The feed of the datastream.
    ///   - format: The format of the request.
    /// - Throws: ``CosmError``, of kind ``CosmError/Kind/notFound`` if there is no such point; `CancellationError`.
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
    /// `DELETE /feeds/{feed}/datastreams/{datastream}/datapoints/{at}`; needs `delete` on the datastream
    /// (Docs/Protocols/Cosm.md §6).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func deleteDatapoint(at: Timestamp, of datastream: String, in feed: Feed.ID) async throws {
        try await send(.delete, .datapoint(feed, datastream, at))
    }

    /// Deletes the datapoints of a range.
    ///
    /// `DELETE /feeds/{feed}/datastreams/{datastream}/datapoints`; needs `delete` on the datastream
    /// (Docs/Protocols/Cosm.md §6).
    ///
    /// - Throws: ``CosmError``, also before anything is sent if the range has no bound; `CancellationError`.
    public func deleteDatapoints(
        _ range: DatapointRange,
        of datastream: String,
        in feed: Feed.ID
    ) async throws {
        try await send(.delete, .datapoints(feed, datastream), try range.parameters())
    }
}

/// The progress of storing many datapoints.
public struct BatchProgress: Hashable, Sendable {
    /// The number of points stored so far.
    public var stored: Int

    /// The number of all points.
    public let total: Int
}

enum DatapointBatch {
    /// The maximum number of points in a request (Docs/Protocols/Cosm.md §6).
    static let maximum = 500

    /// Returns the points in their order, in parts of at most ``maximum`` points.
    static func parts(of points: [Datapoint]) -> [ArraySlice<Datapoint>] {
        stride(from: 0, to: points.count, by: maximum).map { points[$0..<min($0 + maximum, points.count)] }
    }
}
