internal import Foundation
internal import GRDB

/// Compares a full-text index with its table, in one snapshot and without writing.
///
/// SQLite's own check of an index is a command that needs the right to write, and waits for other writers.
struct TextIndexCheck {
    let database: Database
    let index: WordIndex

    /// Returns a problem of the index; `nil` if it has exactly the words of its table.
    func problem() throws -> String? {
        do {
            let expected = try contentTokens()
            guard let expected, try expected == indexTokens() else {
                return "the full-text index \(index.name) does not match its table"
            }
            return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return "the full-text index \(index.name) is damaged"
        }
    }

    /// A set of tokens: their number, and the sum of their hash values.
    private struct Tokens: Equatable {
        private var count = 0
        private var sum: UInt64 = 0

        mutating func append(_ token: some Sequence<UInt8>, of rowID: Int64, at offset: Int64) {
            // FNV-1a.
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            for byte in token { add(byte) }
            for number in [rowID, offset] {
                for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
            }
            count += 1
            sum &+= hash
        }
    }

    /// Returns the tokens of the stored words; `nil` if the words are not those of the table.
    private func contentTokens() throws -> Tokens? {
        // Rows that an upgrade has not reached yet are in the old index.
        let isPartial = try database.hasTable(index.legacy.words)
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT t.\(index.key), t.\(index.column), i.\(index.column) FROM \(index.table) AS t
                LEFT JOIN \(index.name) AS i ON i.rowid = t.\(index.key)
                """
        )
        var tokens = Tokens()
        while let row = try rows.next() {
            let words = row[2] as String?
            if isPartial, words == nil { continue }
            guard let words, let text = row[1] as String? else {
                if words == nil, row[1] as String? == nil { continue }
                return nil
            }
            guard Array(words.utf8) == Array(IndexedText.words(of: text).utf8) else { return nil }
            Self.append(words, of: row[0], to: &tokens)
        }
        let orphan = try Int.fetchOne(
            database,
            sql: """
                SELECT 1 FROM \(index.name) WHERE rowid NOT IN (
                    SELECT \(index.key) FROM \(index.table) WHERE \(index.column) IS NOT NULL
                ) LIMIT 1
                """
        )
        return orphan == nil ? tokens : nil
    }

    /// Adds the tokens that SQLite's tokenizer `ascii` makes of a text.
    private static func append(_ words: String, of rowID: Int64, to tokens: inout Tokens) {
        var offset: Int64 = 0
        for token in words.utf8.split(whereSeparator: { !isTokenByte($0) }) {
            let bytes = token.prefix(longestToken).lazy.map { 65...90 ~= $0 ? $0 | 0x20 : $0 }
            tokens.append(bytes, of: rowID, at: offset)
            offset += 1
        }
    }

    /// The number of bytes after which SQLite cuts a token.
    private static let longestToken = 32_768

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, 0x80...: true
        default: false
        }
    }

    /// Returns the tokens that the index has.
    private func indexTokens() throws -> Tokens {
        // The table is a view of the index. A connection that only reads can create it too.
        try database.execute(
            sql: "CREATE VIRTUAL TABLE temp.word_instance USING fts5vocab('main', '\(index.name)', 'instance')"
        )
        let tokens = Result { try readInstances() }
        try database.execute(sql: "DROP TABLE temp.word_instance")
        return try tokens.get()
    }

    private func readInstances() throws -> Tokens {
        let rows = try Row.fetchCursor(database, sql: "SELECT term, doc, offset FROM temp.word_instance")
        var tokens = Tokens()
        while let row = try rows.next() {
            let (rowID, offset): (Int64, Int64) = (row[1], row[2])
            try row.withUnsafeData(atIndex: 0) { tokens.append($0 ?? Data(), of: rowID, at: offset) }
        }
        return tokens
    }
}
