internal import HTTPTypes
internal import HeliumServerKit

extension CosmCall {
    func createDatapoints(_ id: String, of feedID: Int, _ points: [Datapoint]) throws -> CosmResponse {
        var (writer, stream) = try writableDatastream(id, of: feedID)
        // An empty batch does not count as an update.
        if points.isEmpty { return .done }
        try writer.append(points, to: stream)
        try writer.touch()
        return .wrote(writer.effect)
    }

    func readDatapoint(_ at: ServerInstant, _ id: String, of feedID: Int) throws -> CosmResponse {
        let stream = try grantedDatastream(id, of: feedID).stream
        guard let value = try datapoints.value(at: at, of: stream.object.number) else { throw CosmFailure.notFound }
        let point = Datapoint(at: at, value: value)
        // A key with a limited resolution reads only the points that its history has.
        let source = StoredPoints(database: database, stream: stream.object.number, work: HistoryWork())
        guard try HistoryLimit(stream.minimumInterval).shows(point, of: source, at: now) else {
            throw CosmFailure.notFound
        }
        return .reading(.datapoint(point, of: stream))
    }

    func updateDatapoint(_ point: Datapoint, _ id: String, of feedID: Int) throws -> CosmResponse {
        var (writer, stream) = try writableDatastream(id, of: feedID)
        guard try datapoints.value(at: point.at, of: stream.number) != nil else { throw CosmFailure.notFound }
        try writer.append([point], to: stream)
        try writer.touch()
        return .wrote(writer.effect)
    }

    func deleteDatapoint(_ at: ServerInstant, _ id: String, of feedID: Int) throws -> CosmResponse {
        guard try deletePoints(from: at, through: at, id, of: feedID) != nil else { throw CosmFailure.notFound }
        return .done
    }

    func deleteDatapoints(_ window: HistoryWindow, _ id: String, of feedID: Int) throws -> CosmResponse {
        let count = try deletePoints(from: window.start ?? .earliest, through: window.end ?? .latest, id, of: feedID)
        return count == Self.pointsPerTransaction ? .unfinished() : .done
    }

    /// The number of points of a range that are deleted in one transaction.
    static let pointsPerTransaction = 5_000

    /// Deletes the first points of a range and returns their number; `nil` if there are none. The current value and the
    /// extremes stay unchanged (Docs/Protocols/Cosm.md §6).
    private func deletePoints(
        from start: ServerInstant,
        through end: ServerInstant,
        _ id: String,
        of feedID: Int
    ) throws -> Int? {
        var (writer, stream) = try writableDatastream(id, of: feedID)
        let count = try datapoints.delete(
            from: start,
            through: end,
            of: stream.number,
            limit: Self.pointsPerTransaction
        )
        if count > 0 {
            stream.pointCount -= count
            try datastreams.update(stream)
        }
        // The time of the write is noted at its end, because a further write would be too early after it.
        if isContinued || count > 0, count < Self.pointsPerTransaction { try writer.touch() }
        return count > 0 ? count : nil
    }
}
