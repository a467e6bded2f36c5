internal import Foundation

/// Reads and writes documents in CSV (Docs/Protocols/Cosm.md §12).
enum CSVFormat {
    static func rows<Value>(
        _ data: Data,
        _ body: (inout CSVRows) throws(CosmDocumentError) -> Value
    ) throws(CosmDocumentError) -> Value {
        let result = data.withUnsafeBytes { raw in
            raw.withMemoryRebound(to: UInt8.self) { bytes -> Result<Value, CosmDocumentError> in
                var rows = CSVRows(bytes)
                do throws(CosmDocumentError) {
                    let value = try body(&rows)
                    guard rows.hasBegun else {
                        throw CosmDocumentError(format: .csv, reason: "the document has no rows", line: 1)
                    }
                    return .success(value)
                } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }

    static func refusal(_ what: String) -> CosmDocumentError {
        CosmDocumentError(format: .csv, reason: "CSV can't represent \(what)")
    }

    // MARK: Datapoints

    /// Reads rows `at,value`.
    static func readDatapoints(_ data: Data) throws(CosmDocumentError) -> [Datapoint] {
        try rows(data) { rows throws(CosmDocumentError) in
            var points: [Datapoint] = []
            // A point with a full timestamp and a short value has about 36 bytes.
            points.reserveCapacity(rows.scanner.bytes.count / 36 + 1)
            while try rows.next() { points.append(try datapoint(rows.scanner)) }
            return points
        }
    }

    @inline(__always)
    static func datapoint(_ row: CSVScanner) throws(CosmDocumentError) -> Datapoint {
        guard row.cells.count == 2 else { throw row.fault("\(count(row)), expected `at,value`") }
        guard let at = try row.stamp(row.cells[0]) else { throw row.fault("a row has no timestamp") }
        return Datapoint(at: at, value: try row.value(row.cells[1]))
    }

    /// Reads the value of one point.
    static func readDatapoint(_ data: Data) throws(CosmDocumentError) -> Datapoint {
        try rows(data) { rows throws(CosmDocumentError) in
            guard try rows.next() else { return Datapoint() }
            let row = rows.scanner
            guard row.cells.count == 1 else { throw row.fault("\(count(row)), expected one value") }
            let point = Datapoint(value: try row.value(row.cells[0]))
            try refuseMore(&rows)
            return point
        }
    }

    // MARK: Datastreams

    /// Reads one row `value` or `at,value`, or several rows `at,value`.
    static func readDatastream(_ data: Data, _ dialect: CosmDialect) throws(CosmDocumentError) -> Datastream {
        try rows(data) { rows throws(CosmDocumentError) in
            var group = RowGroup(id: nil)
            let most = dialect == .version1 ? 1 : 2
            while try rows.next() {
                let row = rows.scanner
                guard row.cells.count <= most, let last = row.cells.last else {
                    throw row.fault(
                        "\(count(row)), expected \(most == 1 ? "one value" : "`value` or `at,value`")"
                    )
                }
                let at = row.cells.count == 2 ? try row.stamp(row.cells[0]) : nil
                group.append(at, try row.value(last), line: row.line)
                if dialect == .version1 { try refuseMore(&rows) }
            }
            return try group.datastream()
        }
    }

    // MARK: Errors

    static func count(_ row: CSVScanner) -> String { row.cells.count == 1 ? "1 cell" : "\(row.cells.count) cells" }

    static func refuseMore(_ rows: inout CSVRows) throws(CosmDocumentError) {
        if try rows.next() { throw rows.scanner.fault("expected one row, found another") }
    }
}

/// The rows of one datastream.
struct RowGroup {
    private var stream: Datastream
    private var points: [Datapoint] = []
    /// The line of the first row without a timestamp.
    private var stamplessLine: Int?

    init(id: String?) { stream = Datastream(id: id) }

    mutating func append(_ at: Timestamp?, _ value: DatapointValue, line: Int) {
        if at == nil, stamplessLine == nil { stamplessLine = line }
        points.append(Datapoint(at: at, value: value))
    }

    /// Returns the datastream. A single row is its current value. Several rows are datapoints, each of which needs a
    /// timestamp.
    consuming func datastream() throws(CosmDocumentError) -> Datastream {
        if points.count == 1 {
            stream.currentValue = points[0].value
            stream.at = points[0].at
        } else if let stamplessLine {
            let whose = stream.id.map { " of \"\($0)\"" } ?? ""
            throw CosmDocumentError(
                format: .csv,
                reason: "a row\(whose) has no timestamp: each row needs one if there are several",
                line: stamplessLine
            )
        } else if !points.isEmpty {
            stream.datapoints = points
        }
        return stream
    }
}
