internal import GRDB

/// Removes messages with everything that is derived from them and depends on them.
struct MessageRemoval {
    let database: Database

    /// Removes messages: their rows, the specs of actions on them, and unsent messages that depend on them. Tokens of
    /// removed messages will be retired here.
    func remove(_ localIDs: [Int64]) throws {
        var all = localIDs
        var seen = Set(localIDs)
        var index = 0
        while index < all.count {
            let dependants = try Int64.fetchAll(
                database.cachedStatement(sql: "SELECT local_id FROM outbox WHERE depends_on_local_id = ?"),
                arguments: [all[index]]
            )
            all += dependants.filter { seen.insert($0).inserted }
            index += 1
        }
        let independence = try database.cachedStatement(
            sql: """
                UPDATE outbox SET depends_on_local_id = NULL WHERE local_id = ? AND depends_on_local_id IS NOT NULL
                """
        )
        let deletion = try database.cachedStatement(sql: "DELETE FROM message WHERE local_id = ?")
        let specs = ActionSpecTable(database: database)
        for localID in all { try independence.execute(arguments: [localID]) }
        for localID in all {
            try specs.delete(target: localID)
            try deletion.execute(arguments: [localID])
        }
    }
}
