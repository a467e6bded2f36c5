internal import AppNet
internal import GRDB
internal import HeliumJSON

/// The files to delete on the service. A deletion has no claim, because repeating it is harmless.
struct FileDeletionTable {
    let database: Database

    struct Entry: Sendable {
        let id: File.ID
        let attempts: Int
    }

    /// Queues the deletion of a file. Does nothing if it is already queued.
    func insert(_ id: File.ID) throws {
        try database.cachedStatement(
            sql: "INSERT INTO pending_file_deletion (file_id) VALUES (?) ON CONFLICT (file_id) DO NOTHING"
        ).execute(arguments: [id.text])
    }

    /// Queues the deletion of all files that a sent message shows.
    func insertFiles(of localID: Int64) throws {
        let json = try String.fetchOne(
            database.cachedStatement(sql: "SELECT json FROM message WHERE local_id = ? AND kind = 'sent'"),
            arguments: [localID]
        )
        for id in Self.files(in: json) { try insert(id) }
    }

    /// Removes the deletions of all files that a restored message shows.
    func cancel(filesOf json: String) throws {
        for id in Self.files(in: json) { try delete(id) }
    }

    private static func files(in json: String?) -> [File.ID] {
        json.flatMap { try? HeliumJSONDecoder().decode(Message.self, from: $0) }?.fileIDs ?? []
    }

    func delete(_ id: File.ID) throws {
        try database.cachedStatement(sql: "DELETE FROM pending_file_deletion WHERE file_id = ?")
            .execute(arguments: [id.text])
    }

    func postpone(_ id: File.ID, until next: Milliseconds) throws {
        try database.cachedStatement(
            sql: "UPDATE pending_file_deletion SET attempts = attempts + 1, next_attempt_ms = ? WHERE file_id = ?"
        ).execute(arguments: [next.value, id.text])
    }

    /// Makes all deletions due.
    func expedite() throws {
        try database.cachedStatement(
            sql: "UPDATE pending_file_deletion SET next_attempt_ms = 0 WHERE next_attempt_ms <> 0"
        ).execute()
    }

    /// Returns the oldest deletion that is due, or the delay until one is due.
    func next(now: Milliseconds) throws -> (due: Entry?, delay: Duration?) {
        let statement = try database.cachedStatement(
            sql: "SELECT file_id, attempts, next_attempt_ms FROM pending_file_deletion ORDER BY rowid"
        )
        let rows = try Row.fetchCursor(statement)
        var earliest: Duration?
        while let row = try rows.next() {
            guard let delay = Milliseconds(row[2] as Int64).delay(after: now) else {
                return (Entry(id: File.ID(row[0] as String), attempts: row[1]), nil)
            }
            earliest = min(earliest ?? delay, delay)
        }
        return (nil, earliest)
    }
}
