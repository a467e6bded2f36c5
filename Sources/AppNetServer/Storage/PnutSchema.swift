internal import GRDB

extension AppNetSchema.Migration {
    /// What only pnut's calls keep (§6.2).
    static let pnut = Self(name: "pnut") { try PnutTable.createTables($0) }
}
