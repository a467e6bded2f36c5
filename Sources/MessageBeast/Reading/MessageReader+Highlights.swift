internal import Foundation
internal import GRDB

extension MessageReader {
    /// Finds the parts of the texts that matched.
    func hits(_ messages: [MessagePlus], pattern: String?, runs: [String]) throws -> [SearchHit] {
        let highlighted = try pattern.map { try self.highlighted(messages.map(\.id.rawValue), $0) } ?? [:]
        return messages.map { message in
            let text = message.message.text ?? ""
            var ranges = highlighted[message.id.rawValue].map { Highlight.ranges(in: text, marked: $0) } ?? []
            for run in runs { ranges += Highlight.ranges(of: run, in: text) }
            return SearchHit(message: message, matches: Highlight.merged(ranges))
        }
    }

    /// The texts of messages, with marks around the parts that matched.
    private func highlighted(_ localIDs: [Int64], _ pattern: String) throws -> [Int64: String] {
        guard !localIDs.isEmpty else { return [:] }
        let marks: StatementArguments = [String(Highlight.opening), String(Highlight.closing)]
        let list = JSONList.text(localIDs)
        let rows: RowCursor
        if let range = HitSource.denseRange(of: localIDs) {
            // The sign keeps SQLite from opening the index for each id.
            let statement = try database.cachedStatement(
                sql: """
                    SELECT rowid, highlight(message_fts, 0, ?, ?) FROM message_fts
                    WHERE message_fts MATCH ? AND rowid BETWEEN ? AND ? AND +rowid IN (SELECT value FROM json_each(?))
                    """
            )
            let arguments: StatementArguments = [pattern, range.lowerBound, range.upperBound, list]
            rows = try Row.fetchCursor(statement, arguments: marks + arguments)
        } else {
            let statement = try database.cachedStatement(
                sql: """
                    SELECT message_fts.rowid, highlight(message_fts, 0, ?, ?)
                    FROM json_each(?) AS list CROSS JOIN message_fts ON message_fts.rowid = list.value
                    WHERE message_fts MATCH ?
                    """
            )
            rows = try Row.fetchCursor(statement, arguments: marks + [list, pattern])
        }
        var texts: [Int64: String] = [:]
        while let row = try rows.next() { texts[row[0]] = row[1] }
        return texts
    }
}

/// Parts of a text that are shown as found.
enum Highlight {
    // Control characters, which no service keeps in a text.
    static let opening: Unicode.Scalar = "\u{2}"
    static let closing: Unicode.Scalar = "\u{3}"

    /// The ranges in a text that are between marks in a copy of it.
    static func ranges(in text: String, marked: String) -> [Range<String.Index>] {
        let scalars = text.unicodeScalars
        var ranges: [Range<String.Index>] = []
        var index = scalars.startIndex
        var start: String.Index?
        for scalar in marked.unicodeScalars {
            if scalar == opening, start == nil {
                start = index
            } else if scalar == closing, let begin = start {
                if begin < index { ranges.append(begin..<index) }
                start = nil
            } else if index < scalars.endIndex {
                index = scalars.index(after: index)
            }
        }
        return ranges
    }

    /// The places of a word in a text, without differences of case and width.
    static func ranges(of word: String, in text: String) -> [Range<String.Index>] {
        var ranges: [Range<String.Index>] = []
        var start = text.startIndex
        while start < text.endIndex,
            let range = text.range(
                of: word,
                options: [.caseInsensitive, .widthInsensitive],
                range: start..<text.endIndex
            ),
            !range.isEmpty
        {
            ranges.append(range)
            start = range.upperBound
        }
        return ranges
    }

    /// The ranges in ascending order, those that overlap united.
    static func merged(_ ranges: [Range<String.Index>]) -> [Range<String.Index>] {
        var merged: [Range<String.Index>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}
