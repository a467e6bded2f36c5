internal import GRDB

/// What of their storage users have used up.
enum StorageUse {
    /// The bytes of all files of a user, derived files included.
    static func bytes(of user: Int64, _ database: Database) throws -> Int {
        try FileTable(database: database).usedBytes(of: user)
    }
}
