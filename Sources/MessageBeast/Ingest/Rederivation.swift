internal import AppNet
internal import GRDB
internal import HeliumJSON

/// Derives the rows of all stored messages again after a change of the configuration.
///
/// It runs in steps, each in one transaction, and continues after an interruption.
struct Rederivation {
    let configuration: MessageManagerConfiguration
    let now: Milliseconds

    /// Returns whether the derived rows were made with another configuration.
    func isNeeded(in database: Database) throws -> Bool {
        let meta = MetaTable(database: database)
        // An interrupted derivation has already changed some rows.
        return try meta.value(.fingerprint) != configuration.fingerprint || meta.value(.rederivation) != nil
    }

    /// Derives the rows of the next messages.
    ///
    /// - Returns: Whether messages remain.
    func step(in database: Database, count: Int = 500) throws -> Bool {
        let meta = MetaTable(database: database)
        guard try isNeeded(in: database) else { return false }
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT local_id, channel_id, created_ms, json FROM message
                    WHERE local_id > ? AND kind <> 'draft' ORDER BY local_id LIMIT ?
                    """
            ),
            arguments: [position(try meta.value(.rederivation)), count]
        )
        var tables: [String: DerivedRows] = [:]
        for row in rows { try derive(row, &tables, in: database) }
        // SQLite does not report changes of the hashtag and annotation tables, which have no row ids.
        try database.notifyChanges(in: Table("message"))
        guard rows.count == count, let last = rows.last else {
            try meta.set(.fingerprint, configuration.fingerprint)
            try meta.set(.rederivation, nil)
            return false
        }
        try meta.set(.rederivation, "\(configuration.fingerprint) \(last[0] as Int64)")
        return true
    }

    func derive(_ row: Row, _ tables: inout [String: DerivedRows], in database: Database) throws {
        let localID: Int64 = row[0]
        let channelID: String = row[1]
        guard let channel = try tables[channelID]?.channel ?? ChannelTable(database: database).channel(channelID),
            var message = try? HeliumJSONDecoder().decode(Message.self, from: row[3] as String)
        else { return }
        // An unsent message counts as having the annotations of its files. Sent messages have no pending files.
        message.append(try PendingFileTable(database: database).placeholders(of: localID))
        let derived =
            try tables[channelID]
            ?? DerivedRows(
                database: database,
                channel: channel,
                configuration: configuration,
                now: now
            )
        tables[channelID] = derived
        let created = Milliseconds(row[2] as Int64).date
        let derivation = MessageDerivation(message, createdAt: created, configuration: configuration)
        try MessageTable(database: database).setDisplayDate(derivation.displayDate, of: localID)
        try derived.replace(of: localID, with: derivation)
    }

    /// Returns the last processed message; 0 if another derivation was interrupted.
    private func position(_ text: String?) -> Int64 {
        guard let text, let space = text.lastIndex(of: " "), text[..<space] == configuration.fingerprint else {
            return 0
        }
        return Int64(text[text.index(after: space)...]) ?? 0
    }
}
