internal import Foundation

/// Writes rows joined by line feeds (Docs/Protocols/Cosm.md §12).
struct CSVWriter {
    private(set) var bytes: [UInt8] = []
    private var isRowBegun = false
    private var hasRows = false
    /// The day that was written last. Most timestamps have the same day as the previous one.
    private var day: Int64 = .min
    private var stamp: InlineStamp = InlineStamp()

    /// Storage for the text of a timestamp.
    private struct InlineStamp {
        var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    }

    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    private mutating func beginCell() {
        if isRowBegun {
            bytes.append(CSVScanner.Character.comma)
        } else if hasRows {
            bytes.append(CSVScanner.Character.lineFeed)
        }
        isRowBegun = true
        hasRows = true
    }

    mutating func endRow() { isRowBegun = false }

    /// Writes a timestamp, or an empty cell for `nil`.
    mutating func cell(_ at: Timestamp?) {
        beginCell()
        guard let at else { return }
        var (day, time) = at.microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
        if time < 0 {
            time += 86_400_000_000
            day -= 1
        }
        let isSameDay = day == self.day
        self.day = day
        withUnsafeMutableBytes(of: &stamp.bytes) { raw in
            raw.withMemoryRebound(to: UInt8.self) { room in
                guard let start = room.baseAddress else { return }
                if !isSameDay { Timestamp.writeDay(Int(day), to: start) }
                Timestamp.writeTime(Int(time), to: start)
                bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: Timestamp.textLength))
            }
        }
    }

    /// Writes a text.
    ///
    /// - Parameter isAlone: Whether it is the only cell of its row. Such a cell must not look like an empty line.
    mutating func cell(_ text: String, isAlone: Bool = false) {
        beginCell()
        // At the very beginning of the document, U+FEFF would be read as a byte order mark.
        let isMark = bytes.isEmpty && text.unicodeScalars.first == "\u{FEFF}"
        var text = text
        text.withUTF8 { utf8 in
            if utf8.isEmpty && !isAlone { return }
            let needsQuotes =
                utf8.isEmpty || isMark
                || utf8.contains {
                    $0 == CSVScanner.Character.comma || $0 == CSVScanner.Character.quote || $0 &- 0x0A < 4
                } || (isAlone && utf8.allSatisfy(CSVScanner.Character.isBlank))
            guard needsQuotes else {
                bytes.append(contentsOf: utf8)
                return
            }
            bytes.append(CSVScanner.Character.quote)
            for byte in utf8 {
                if byte == CSVScanner.Character.quote { bytes.append(byte) }
                bytes.append(byte)
            }
            bytes.append(CSVScanner.Character.quote)
        }
    }
}
