/// Splits CSV into rows and cells (RFC 4180, Docs/Protocols/Cosm.md §12). It works on bytes and copies nothing until a
/// cell is read.
struct CSVScanner {
    /// A range of bytes without the quotes and without surrounding blanks.
    struct Cell {
        var start: Int
        var end: Int
        /// Whether it contains doubled quotes, each of which means one quote.
        var hasDoubledQuotes = false

        var isEmpty: Bool { start == end }
    }

    let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int
    /// The number of the line at which the next row begins.
    private(set) var nextLine: Int

    /// The cells of the current row.
    private(set) var cells: [Cell] = []
    /// The number of the line on which the current row begins.
    private(set) var line = 0
    /// Whether the current row is an empty line.
    private(set) var isBlank = false

    /// Creates a scanner that begins with the first byte.
    ///
    /// - Parameter line: The number of the first line.
    init(_ bytes: UnsafeBufferPointer<UInt8>, line: Int = 1) {
        self.bytes = bytes
        nextLine = line
        let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        position = line == 1 && hasMark ? 3 : 0
        cells.reserveCapacity(8)
    }

    /// Reads the cells of the next row. Returns `false` at the end.
    ///
    /// - Throws: ``CosmDocumentError`` for a stray or unclosed quote.
    mutating func next() throws(CosmDocumentError) -> Bool {
        guard position < bytes.count else { return false }
        cells.removeAll(keepingCapacity: true)
        line = nextLine
        isBlank = false
        while true {
            let isQuoted = position < bytes.count && bytes[position] == Character.quote
            cells.append(isQuoted ? try quotedCell() : try plainCell())
            guard position < bytes.count else { break }
            let byte = bytes[position]
            position &+= 1
            if byte == Character.comma {
                // A comma at the end of the document is followed by an empty cell.
                if position == bytes.count {
                    cells.append(Cell(start: position, end: position))
                    break
                }
                continue
            }
            nextLine &+= 1
            if cells.count == 1, cells[0].isEmpty, !isQuoted { isBlank = true }
            return true
        }
        if cells.count == 1, cells[0].isEmpty, bytes[position - 1] != Character.quote { isBlank = true }
        return true
    }

    private mutating func plainCell() throws(CosmDocumentError) -> Cell {
        let start = position
        var index = position
        while index < bytes.count {
            let byte = bytes[index]
            if byte == Character.comma || byte == Character.lineFeed { break }
            if byte == Character.quote { throw fault("a quote inside an unquoted cell") }
            index &+= 1
        }
        position = index
        return trimmed(start, index)
    }

    private mutating func quotedCell() throws(CosmDocumentError) -> Cell {
        let start = position &+ 1
        var index = start
        var hasDoubledQuotes = false
        var lineFeeds = 0
        while true {
            guard index < bytes.count else { throw fault("a quoted cell is not closed") }
            let byte = bytes[index]
            if byte == Character.quote {
                guard index &+ 1 < bytes.count, bytes[index &+ 1] == Character.quote else { break }
                hasDoubledQuotes = true
                index &+= 1
            } else if byte == Character.lineFeed {
                lineFeeds &+= 1
            }
            index &+= 1
        }
        var cell = trimmed(start, index)
        cell.hasDoubledQuotes = hasDoubledQuotes
        position = index &+ 1
        // A carriage return before a line feed belongs to the end of the line.
        if position &+ 1 < bytes.count, bytes[position] == 0x0D, bytes[position &+ 1] == Character.lineFeed {
            position &+= 1
        }
        if position < bytes.count, bytes[position] != Character.comma, bytes[position] != Character.lineFeed {
            throw fault("text after the closing quote of a cell")
        }
        nextLine &+= lineFeeds
        return cell
    }

    private func trimmed(_ start: Int, _ end: Int) -> Cell {
        var cell = Cell(start: start, end: end)
        while cell.start < cell.end, Character.isBlank(bytes[cell.start]) { cell.start &+= 1 }
        while cell.end > cell.start, Character.isBlank(bytes[cell.end &- 1]) { cell.end &-= 1 }
        return cell
    }

    enum Character {
        static let quote = UInt8(ascii: "\"")
        static let comma = UInt8(ascii: ",")
        static let lineFeed = UInt8(ascii: "\n")

        /// Returns whether a byte is a space, or lies between tab and carriage return.
        static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }
    }
}

// MARK: Cells

extension CSVScanner {
    /// Returns an error for the current row.
    func fault(_ reason: String) -> CosmDocumentError {
        CosmDocumentError(format: .csv, reason: reason, line: line)
    }

    /// Returns the bytes of a cell without removing doubled quotes.
    func raw(_ cell: Cell) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[cell.start..<cell.end]) }

    /// Returns the text of a cell.
    ///
    /// - Throws: ``CosmDocumentError`` if it is not valid UTF-8 or has too many combining marks in a row.
    func text(_ cell: Cell) throws(CosmDocumentError) -> String {
        let raw = raw(cell)
        if let first = raw.first, raw.count < 16, first < 0x80, raw.allSatisfy({ $0 < 0x80 }), !cell.hasDoubledQuotes {
            return String(decoding: raw, as: UTF8.self)
        }
        guard let text = String(validating: raw, as: UTF8.self) else { throw fault("a cell is not UTF-8") }
        // Ids and values are compared and hashed as strings, which is slow for such texts.
        if text.isSlowToCompare { throw fault("a cell has more than 256 combining marks in a row") }
        guard cell.hasDoubledQuotes else { return text }
        var isSecond = false
        return String(
            text.unicodeScalars.filter { scalar in
                isSecond = scalar == "\"" && !isSecond
                return !isSecond
            }
        )
    }

    /// Returns the timestamp in a cell; `nil` for an empty cell.
    ///
    /// - Throws: ``CosmDocumentError`` for an invalid timestamp.
    func stamp(_ cell: Cell) throws(CosmDocumentError) -> Timestamp? {
        if cell.isEmpty { return nil }
        if let stamp = Timestamp(bytes: raw(cell)) { return stamp }
        throw fault(Timestamp.complaint(about: try text(cell)))
    }

    /// Returns the value in a cell. An empty cell is an empty value.
    ///
    /// - Throws: ``CosmDocumentError`` if it is not valid UTF-8.
    func value(_ cell: Cell) throws(CosmDocumentError) -> DatapointValue { DatapointValue(try text(cell)) }
}

/// The rows of a document. Empty lines before the first and after the last row are skipped.
struct CSVRows {
    private(set) var scanner: CSVScanner
    /// Whether a row has been read.
    private(set) var hasBegun: Bool
    /// The number of an empty line after a row. It is an error if another row follows.
    private var blankLine: Int?

    /// The state that reading further rows needs.
    struct Position: Hashable, Sendable {
        var line = 1
        var hasBegun = false
        var blankLine: Int?
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Position = Position()) {
        scanner = CSVScanner(bytes, line: position.line)
        hasBegun = position.hasBegun
        blankLine = position.blankLine
    }

    /// The position after the rows that were read.
    var position: Position { Position(line: scanner.nextLine, hasBegun: hasBegun, blankLine: blankLine) }

    /// Reads the next row. Returns `false` at the end.
    ///
    /// - Throws: ``CosmDocumentError`` for stray quotes, and for an empty line between rows.
    mutating func next() throws(CosmDocumentError) -> Bool {
        while try scanner.next() {
            if scanner.isBlank {
                if hasBegun, blankLine == nil { blankLine = scanner.line }
                continue
            }
            if let blankLine {
                throw CosmDocumentError(format: .csv, reason: "an empty line between rows", line: blankLine)
            }
            hasBegun = true
            return true
        }
        return false
    }
}
