internal import GRDB

/// Removes staged bytes that no row names, and rows of unused files whose engine has ended.
struct StagedCollection: Sendable {
    let context: EngineContext
    let owners: any ClaimOwners

    func run() async throws {
        let (staged, owners) = (context.staged, owners)
        // Most stores have no files.
        guard !staged.names().isEmpty else { return }
        let term = try context.life.term()
        // Rows and bytes are removed separately: rolling back a transaction cannot restore bytes.
        try await context.write(term) { try PendingFileTable(database: $0).deleteOrphaned(owners) }
        // In a transaction, because files get their final names in a transaction.
        try await context.write(term) { database in
            // Before the rows are read: an engine that has ended inserts no more rows.
            let names = staged.names().filter { name in
                guard let owner = StagedName.owner(of: name) else { return true }
                return owner != owners.own && !owners.isAlive(owner)
            }
            let used = try String.fetchSet(database.cachedStatement(sql: "SELECT staged_path FROM pending_file"))
            for name in names where !used.contains(name) { staged.remove(name) }
        }
    }
}
