/// Parts CSV into rows and cells (RFC 4180, §12) on its bytes: nothing is copied before a cell is wanted.
struct CSVScanner {
    /// A cell: its bytes without quotes and without blanks around.
    struct Cell {
        var start: Int
        var end: Int
        /// Whether doubled quotes in it stand for single ones.
        var hasDoubledQuotes = false

        var isEmpty: Bool { start == end }
    }

    let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int
    /// The line at which the next row begins.
    private(set) var nextLine: Int

    /// The row's cells.
    private(set) var cells: [Cell] = []
    /// The line on which the row begins.
    private(set) var line = 0
    /// Whether the row is an empty line.
    private(set) var isBlank = false

    /// Scans from the beginning.
    ///
    /// - Parameter line: The first line's number.
    init(_ bytes: UnsafeBufferPointer<UInt8>, line: Int = 1) {
        self.bytes = bytes
        nextLine = line
        let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        position = line == 1 && hasMark ? 3 : 0
        cells.reserveCapacity(8)
    }

    /// Takes the next row's cells; `false` at the end.
    ///
    /// - Throws: ``CosmDocumentError`` for a stray or an open quote.
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
                // A comma at the end is followed by an empty cell.
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
            if byte == Character.quote { throw fault("a quote stands inside a cell that has none at its beginning") }
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
            guard index < bytes.count else { throw fault("the quote that begins a cell is not closed") }
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
        // A carriage return belongs to the line's end.
        if position &+ 1 < bytes.count, bytes[position] == 0x0D, bytes[position &+ 1] == Character.lineFeed {
            position &+= 1
        }
        if position < bytes.count, bytes[position] != Character.comma, bytes[position] != Character.lineFeed {
            throw fault("something stands behind a cell's closing quote")
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

        /// Space, and tab to carriage return.
        static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }
    }
}

// MARK: Cells

extension CSVScanner {
    /// What is wrong with the row.
    func fault(_ reason: String) -> CosmDocumentError {
        CosmDocumentError(format: .csv, reason: reason, line: line)
    }

    /// A cell's bytes as they stand.
    func raw(_ cell: Cell) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[cell.start..<cell.end]) }

    /// A cell's text.
    ///
    /// - Throws: ``CosmDocumentError`` for what is no UTF-8.
    func text(_ cell: Cell) throws(CosmDocumentError) -> String {
        let raw = raw(cell)
        if let first = raw.first, raw.count < 16, first < 0x80, raw.allSatisfy({ $0 < 0x80 }), !cell.hasDoubledQuotes {
            return String(decoding: raw, as: UTF8.self)
        }
        guard let text = String(validating: raw, as: UTF8.self) else { throw fault("a cell is no UTF-8") }
        // Ids and values are compared and hashed as strings.
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

    /// A stamp; `nil` for an empty cell.
    ///
    /// - Throws: ``CosmDocumentError`` for what is none.
    func stamp(_ cell: Cell) throws(CosmDocumentError) -> Timestamp? {
        if cell.isEmpty { return nil }
        if let stamp = Timestamp(bytes: raw(cell)) { return stamp }
        throw fault(Timestamp.complaint(about: try text(cell)))
    }

    /// A value, an empty one too.
    ///
    /// - Throws: ``CosmDocumentError`` for what is no UTF-8.
    func value(_ cell: Cell) throws(CosmDocumentError) -> DatapointValue { DatapointValue(try text(cell)) }
}

/// The rows of a document: empty lines before the first and behind the last are passed over.
struct CSVRows {
    private(set) var scanner: CSVScanner
    /// Whether a row came.
    private(set) var hasBegun: Bool
    /// An empty line that is an error if a row follows.
    private var blankLine: Int?

    /// What of the rows before has a say in those that follow.
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

    /// Where the rows after these begin.
    var position: Position { Position(line: scanner.nextLine, hasBegun: hasBegun, blankLine: blankLine) }

    /// Takes the next row; `false` at the end.
    ///
    /// - Throws: ``CosmDocumentError`` for stray quotes, and for an empty line between rows.
    mutating func next() throws(CosmDocumentError) -> Bool {
        while try scanner.next() {
            if scanner.isBlank {
                if hasBegun, blankLine == nil { blankLine = scanner.line }
                continue
            }
            if let blankLine {
                throw CosmDocumentError(format: .csv, reason: "an empty line stands between rows", line: blankLine)
            }
            hasBegun = true
            return true
        }
        return false
    }
}
