public import Foundation

/// Reads rows `at,value` in parts as they arrive (Docs/Protocols/Cosm.md §12). Use it for large files, standard input
/// and network streams.
///
/// ```swift
/// var rows = DatapointRows()
/// while let chunk = try input.read(upToCount: 1 << 16) { store(try rows.append(chunk)) }
/// store(try rows.finish())
/// ```
///
/// It buffers no more than the current incomplete row.
public struct DatapointRows: Sendable {
    /// Whether a row may consist of a value alone. Its point has no timestamp. Default: `false`.
    public let allowsBareValues: Bool

    /// The maximum length of a row, in bytes. Default: 64 KiB.
    public let maximumRowLength: Int

    private var rest = Data()
    /// The number of bytes of ``rest`` that were searched for the end of the row.
    private var scanned = 0
    private var isQuoted = false
    private var position = CSVRows.Position()
    /// The error that ended reading. Later calls throw it again.
    private var failure: CosmDocumentError?

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - allowsBareValues: Whether a row may consist of a value alone.
    ///   - maximumRowLength: The maximum length of a row, in bytes.
    public init(allowsBareValues: Bool = false, maximumRowLength: Int = 64 << 10) {
        self.allowsBareValues = allowsBareValues
        self.maximumRowLength = maximumRowLength
    }

    /// Appends bytes and returns the points of the rows that are complete.
    ///
    /// - Throws: ``CosmDocumentError`` with the line. The rows before it in the same bytes are lost. Every later call
    ///   throws the same error.
    public mutating func append(_ chunk: Data) throws(CosmDocumentError) -> [Datapoint] {
        if let failure { throw failure }
        rest.append(chunk)
        var end = 0
        rest.withUnsafeBytes { bytes in
            for index in scanned..<bytes.count {
                if bytes[index] == CSVScanner.Character.quote {
                    isQuoted.toggle()
                } else if bytes[index] == CSVScanner.Character.lineFeed, !isQuoted {
                    end = index + 1
                }
            }
            scanned = bytes.count
        }
        let whole = rest.prefix(end)
        rest = Data(rest.dropFirst(end))
        scanned = rest.count
        let points = try read(whole)
        if rest.count > maximumRowLength {
            throw fail(
                CosmDocumentError(
                    format: .csv,
                    reason: "a row is longer than \(maximumRowLength) bytes",
                    line: position.line
                )
            )
        }
        return points
    }

    /// Returns the points of the remaining bytes: a last row without a line end.
    ///
    /// - Throws: ``CosmDocumentError`` with the line.
    public mutating func finish() throws(CosmDocumentError) -> [Datapoint] {
        if let failure { throw failure }
        let last = rest
        rest = Data()
        scanned = 0
        return try read(last)
    }

    private mutating func fail(_ error: CosmDocumentError) -> CosmDocumentError {
        failure = error
        rest = Data()
        scanned = 0
        return error
    }

    private mutating func read(_ whole: Data) throws(CosmDocumentError) -> [Datapoint] {
        if let failure { throw failure }
        if whole.isEmpty { return [] }
        let allowsBareValues = allowsBareValues
        let start = position
        let result = whole.withUnsafeBytes { raw in
            raw.withMemoryRebound(to: UInt8.self) { bytes in
                Result { () throws(CosmDocumentError) in
                    var rows = CSVRows(bytes, at: start)
                    var points: [Datapoint] = []
                    while try rows.next() {
                        let row = rows.scanner
                        if allowsBareValues, row.cells.count == 1 {
                            points.append(Datapoint(value: try row.value(row.cells[0])))
                        } else {
                            points.append(try CSVFormat.datapoint(row))
                        }
                    }
                    return (points, rows.position)
                }
            }
        }
        do throws(CosmDocumentError) {
            let (points, position) = try result.get()
            self.position = position
            return points
        } catch {
            throw fail(error)
        }
    }
}
