internal import GRDB

extension AppNetSchema.Migration {
    /// Files, derived files and read tokens (§2.4).
    static let files = Self(name: "files") { try FileTable.createTables($0) }
}
