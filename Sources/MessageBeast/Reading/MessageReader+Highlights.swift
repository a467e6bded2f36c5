internal import Foundation
internal import GRDB

extension MessageReader {
    /// Returns the hits with the parts of their texts that matched.
    func hits(_ found: FoundMessages, pattern: String?, runs: [String]) throws -> [SearchHit] {
        let highlighted = try pattern.map { try self.highlighted(found.messages.map(\.id.rawValue), $0) } ?? [:]
        return zip(found.messages, found.ranks).map { message, rank in
            let text = message.message.text ?? ""
            var ranges = highlighted[message.id.rawValue].map { Highlight.ranges(in: text, marked: $0) } ?? []
            ranges += Highlight.ranges(of: runs, in: text)
            return SearchHit(message: message, matches: Highlight.merged(ranges), rankCursor: rank)
        }
    }

    /// Returns the texts of messages, with marks around the parts that matched.
    private func highlighted(_ localIDs: [Int64], _ pattern: String) throws -> [Int64: String] {
        guard !localIDs.isEmpty else { return [:] }
        let marks: StatementArguments = [String(Highlight.opening), String(Highlight.closing)]
        // The unary plus prevents SQLite from opening the index for each id.
        let statement = try database.cachedStatement(
            sql: """
                SELECT rowid, highlight(message_fts, 0, ?, ?) FROM message_fts
                WHERE message_fts MATCH ? AND rowid BETWEEN ? AND ? AND +rowid IN (SELECT value FROM json_each(?))
                """
        )
        var texts: [Int64: String] = [:]
        for cluster in HitSource.clusters(of: localIDs) {
            let range = cluster.range
            let bounds: StatementArguments = [
                pattern, range.lowerBound, range.upperBound, JSONList.text(cluster.localIDs),
            ]
            let rows = try Row.fetchCursor(statement, arguments: marks + bounds)
            while let row = try rows.next() { texts[row[0]] = row[1] }
        }
        return texts
    }
}
