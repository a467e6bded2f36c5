internal import HeliumJSON
internal import HeliumServerKit

/// Reads the CSV of requests, for each kind of resource (Docs/Protocols/Cosm.md §12). It supports version 2 only,
/// because `/v2` does not detect versions.
enum CSVInput {
    /// Reads rows `id,value` or `id,at,value`. One row with an id is its current value, several are datapoints.
    static func feed(_ rows: [[String]]) throws(CosmFailure) -> FeedInput {
        var order: [String] = []
        var groups: [ByteText: [(at: ServerInstant?, value: String)]] = [:]
        for row in rows {
            guard 2...3 ~= row.count else { throw badRow(row, "2 or 3") }
            let at = row.count == 3 ? try stamp(row[1]) : nil
            if groups[row[0]] == nil { order.append(row[0]) }
            groups[row[0], default: []].append((at, row[row.count - 1]))
        }
        var input = FeedInput()
        for id in order {
            var stream = DatastreamInput(id: id)
            try fill(&stream, groups[id] ?? [])
            input.datastreams.append(stream)
        }
        return input
    }

    /// Reads rows `value` or `at,value`. One row is the current value, several are datapoints.
    static func datastream(_ rows: [[String]]) throws(CosmFailure) -> DatastreamInput {
        var values: [(at: ServerInstant?, value: String)] = []
        for row in rows {
            guard 1...2 ~= row.count else { throw badRow(row, "1 or 2") }
            values.append((row.count == 2 ? try stamp(row[0]) : nil, row[row.count - 1]))
        }
        var stream = DatastreamInput()
        try fill(&stream, values)
        return stream
    }

    /// Reads rows `at,value`.
    static func datapoints(_ rows: [[String]]) throws(CosmFailure) -> [Datapoint] {
        var points: [Datapoint] = []
        points.reserveCapacity(rows.count)
        for row in rows {
            guard row.count == 2 else { throw badRow(row, "2") }
            guard let at = try stamp(row[0]) else { throw .invalidStamp(.csv) }
            points.append(Datapoint(at: at, value: row[1]))
        }
        return points
    }

    /// Reads a single cell with a value.
    static func value(_ rows: [[String]]) throws(CosmFailure) -> String {
        guard rows.count == 1, rows[0].count == 1 else { throw .unreadable(.csv, "there must be one value") }
        return rows[0][0]
    }

    private static func badRow(_ row: [String], _ expected: String) -> CosmFailure {
        .unreadable(.csv, "a row has \(row.count) \(row.count == 1 ? "cell" : "cells") instead of \(expected)")
    }

    private static func fill(
        _ stream: inout DatastreamInput,
        _ values: [(at: ServerInstant?, value: String)]
    ) throws(CosmFailure) {
        if values.count == 1 {
            // An empty cell is an empty value, not an absent one.
            stream.currentValue = .set(values[0].value)
            stream.at = values[0].at
            return
        }
        for (at, value) in values {
            guard let at else { throw .invalidStamp(.csv) }
            stream.datapoints.append(Datapoint(at: at, value: value))
        }
    }

    /// Returns the timestamp in a cell; `nil` for an empty cell.
    private static func stamp(_ cell: String) throws(CosmFailure) -> ServerInstant? {
        if cell.isEmpty { return nil }
        guard let instant = ServerInstant(cell) else { throw .invalidStamp(.csv) }
        return instant
    }
}
