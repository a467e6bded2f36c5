internal import HTTPTypes
internal import HeliumServerKit

extension CosmCall {
    /// The maximum number of points of a request (Docs/Protocols/Cosm.md §6).
    static let maximumBatch = 500

    func createDatapoints(_ id: String, of feedID: Int) throws -> CosmResponse {
        var writer = try writer(feedID, datastream: id)
        guard let stream = try datastreams.datastream(id, of: feedID) else { throw CosmFailure.notFound }
        let points = try body(json: JSONInput.datapoints, xml: XMLInput.datapoints, csv: CSVInput.datapoints)
        guard points.count <= Self.maximumBatch else {
            throw CosmFailure.badParameter("More than \(Self.maximumBatch) datapoints in one request")
        }
        // An empty batch does not count as an update.
        return points.isEmpty ? .done : try write(points, to: stream, &writer)
    }

    func readDatapoint(_ at: String, _ id: String, of feedID: Int) throws -> CosmResponse {
        let stream = try authorizedDatastream(id, of: feedID).stream
        let instant = try instant(at)
        guard let value = try datapoints.value(at: instant, of: stream.number) else { throw CosmFailure.notFound }
        return .reading(.datapoint(Datapoint(at: instant, value: value)))
    }

    func updateDatapoint(_ at: String, _ id: String, of feedID: Int) throws -> CosmResponse {
        var writer = try writer(feedID, datastream: id)
        guard let stream = try datastreams.datastream(id, of: feedID) else { throw CosmFailure.notFound }
        let instant = try instant(at)
        guard try datapoints.value(at: instant, of: stream.number) != nil else { throw CosmFailure.notFound }
        let value = try body(json: JSONInput.value, xml: XMLInput.value, csv: CSVInput.value)
        return try write([Datapoint(at: instant, value: value)], to: stream, &writer)
    }

    private func write(
        _ points: [Datapoint],
        to stream: DatastreamRecord,
        _ writer: inout FeedWriter
    ) throws -> CosmResponse {
        try require(Self.violations(of: points))
        try writer.append(points, to: stream)
        try writer.touch()
        return .wrote(writer.effect)
    }

    func deleteDatapoint(_ at: String, _ id: String, of feedID: Int) throws -> CosmResponse {
        let instant = try instant(at)
        guard try deletePoints(from: instant, through: instant, id, of: feedID) > 0 else {
            throw CosmFailure.notFound
        }
        return .done
    }

    func deleteDatapoints(_ id: String, of feedID: Int) throws -> CosmResponse {
        let window = try HistoryWindow(parameters, now: now)
        guard window.start != nil || window.end != nil else {
            throw CosmFailure.badParameter("start, end or duration is needed to delete datapoints")
        }
        _ = try deletePoints(from: window.start ?? .earliest, through: window.end ?? .latest, id, of: feedID)
        return .done
    }

    /// Deletes the points of a range and returns their number. The current value and the extremes stay unchanged
    /// (Docs/Protocols/Cosm.md §6).
    private func deletePoints(
        from start: ServerInstant,
        through end: ServerInstant,
        _ id: String,
        of feedID: Int
    ) throws -> Int {
        var writer = try writer(feedID, datastream: id)
        guard var stream = try datastreams.datastream(id, of: feedID) else { throw CosmFailure.notFound }
        let count = try datapoints.delete(from: start, through: end, of: stream.number)
        if count > 0 {
            stream.pointCount -= count
            try datastreams.update(stream)
            try writer.touch()
        }
        return count
    }

    private func instant(_ text: String) throws(CosmFailure) -> ServerInstant {
        guard let instant = ServerInstant(text) else { throw .invalidStamp(.json) }
        return instant
    }

    private static func violations(of points: [Datapoint]) -> [String] {
        points.contains { $0.value.unicodeScalars.count > FeedRules.maximumValue }
            ? ["Value is too long (maximum is \(FeedRules.maximumValue) characters)"] : []
    }
}
