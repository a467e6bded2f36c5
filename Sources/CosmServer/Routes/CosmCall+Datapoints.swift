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
        guard try deletePoints(from: at, through: at, id, of: feedID) > 0 else { throw CosmFailure.notFound }
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
        var (writer, stream) = try writableDatastream(id, of: feedID)
        let count = try datapoints.delete(from: start, through: end, of: stream.number)
        if count > 0 {
            stream.pointCount -= count
            try datastreams.update(stream)
            try writer.touch()
        }
        return count
    }
}
