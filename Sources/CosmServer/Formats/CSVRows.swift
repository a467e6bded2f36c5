internal import Foundation
internal import HeliumServerKit

/// Parses comma-separated values (RFC 4180, Docs/Protocols/Cosm.md §12). Cells are trimmed after unquoting, and blank
/// lines at both ends are dropped.
enum CSVRows {
    /// The maximum number of rows of a document, and of cells of a row. The documents of requests have at most
    /// ``CosmContent/maximumValues`` rows of three cells, and blank lines.
    static let maximumRows = 10_000
    static let maximumCells = 16

    /// Returns the rows of a body.
    ///
    /// - Throws: ``CosmFailure`` with 400 for stray quotes, invalid UTF-8, and a body without rows.
    static func parse(_ bytes: [UInt8]) throws(CosmFailure) -> [[String]] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .unreadable(.csv, "the document is not in UTF-8")
        }
        if let fault = text.textFault { throw .unusable(fault, .csv) }
        var reader = Reader(bytes: bytes)
        var rows: [[String]] = []
        while let row = try reader.row() {
            guard rows.count < maximumRows else { throw .unreadable(.csv, "more than \(maximumRows) rows") }
            rows.append(row)
        }
        let isBlank: ([String]) -> Bool = { $0.count == 1 && $0[0].isEmpty }
        while let last = rows.last, isBlank(last) { rows.removeLast() }
        let kept = rows.drop(while: isBlank)
        if kept.isEmpty { throw .unreadable(.csv, "the document has no rows") }
        return Array(kept)
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0
        var line = 1

        mutating func row() throws(CosmFailure) -> [String]? {
            guard position < bytes.count else { return nil }
            var row: [String] = []
            while true {
                guard row.count < maximumCells else {
                    throw .unreadable(.csv, "a row has more than \(maximumCells) cells")
                }
                row.append(try cell())
                guard position < bytes.count else { return row }
                let separator = bytes[position]
                position += 1
                if separator == UInt8(ascii: ",") { continue }
                line += 1
                return row
            }
        }

        /// Reads a cell. It stops before the comma or line feed after the cell, or at the end.
        private mutating func cell() throws(CosmFailure) -> String {
            while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
            if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return try quotedCell() }
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: ","), bytes[position] != 0x0A {
                if bytes[position] == UInt8(ascii: "\"") { throw stray }
                position += 1
            }
            return Self.trimmed(bytes[start..<position])
        }

        private mutating func quotedCell() throws(CosmFailure) -> String {
            position += 1
            var content: [UInt8] = []
            while true {
                guard position < bytes.count else { throw stray }
                let byte = bytes[position]
                position += 1
                if byte != UInt8(ascii: "\"") {
                    if byte == 0x0A { line += 1 }
                    content.append(byte)
                } else if position < bytes.count, bytes[position] == byte {
                    content.append(byte)
                    position += 1
                } else {
                    break
                }
            }
            while position < bytes.count, bytes[position] != UInt8(ascii: ","), bytes[position] != 0x0A {
                guard [0x20, 0x09, 0x0D].contains(bytes[position]) else { throw stray }
                position += 1
            }
            return Self.trimmed(content[...])
        }

        private var stray: CosmFailure { .unreadable(.csv, "an unexpected quote in line \(line)") }

        private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
            String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
