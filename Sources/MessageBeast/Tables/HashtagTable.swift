internal import GRDB

/// The hashtags of messages.
struct HashtagTable {
    private let insertion: Statement
    private let deletion: Statement

    init(_ database: Database) throws {
        insertion = try database.cachedStatement(
            sql: "INSERT INTO hashtag_instance (folded, local_id, name) VALUES (?, ?, ?)"
        )
        deletion = try database.cachedStatement(sql: "DELETE FROM hashtag_instance WHERE local_id = ?")
    }

    func insert(_ hashtag: MessageDerivation.Hashtag, of localID: Int64) throws {
        try insertion.execute(arguments: [hashtag.folded, localID, hashtag.name])
    }

    func delete(of localID: Int64) throws { try deletion.execute(arguments: [localID]) }
}
