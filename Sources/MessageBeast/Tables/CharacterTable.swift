internal import GRDB

/// The index of CJK text.
struct CharacterTable {
    private let insertion: Statement
    private let deletion: Statement

    init(_ database: Database) throws {
        insertion = try database.cachedStatement(sql: "INSERT INTO message_cjk (rowid, pairs) VALUES (?, ?)")
        deletion = try database.cachedStatement(sql: "DELETE FROM message_cjk WHERE rowid = ?")
    }

    func insert(_ pairs: String, of localID: Int64) throws { try insertion.execute(arguments: [localID, pairs]) }

    func delete(of localID: Int64) throws { try deletion.execute(arguments: [localID]) }
}
