internal import AppNet
internal import GRDB
internal import HeliumJSON

/// The files to delete on the service. A deletion has no claim, because repeating it is harmless.
struct FileDeletionTable {
    let database: Database

    struct Entry: Sendable {
        let id: File.ID
        /// The number of attempts that the service answered with a failure that may pass.
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

    func postpone(_ id: File.ID, until next: Milliseconds, attempts: Int) throws {
        try database.cachedStatement(
            sql: "UPDATE pending_file_deletion SET attempts = ?, next_attempt_ms = ? WHERE file_id = ?"
        ).execute(arguments: [attempts, next.value, id.text])
    }

    /// Keeps a deletion until the user decides.
    func park(_ id: File.ID, reason: String) throws {
        try database.cachedStatement(
            sql: "UPDATE pending_file_deletion SET parked = 1, last_error = ? WHERE file_id = ?"
        ).execute(arguments: [reason, id.text])
    }

    /// Makes a parked deletion due.
    ///
    /// - Returns: Whether there was one.
    func unpark(_ id: File.ID) throws -> Bool {
        try database.cachedStatement(
            sql: """
                UPDATE pending_file_deletion SET parked = 0, last_error = NULL, attempts = 0, next_attempt_ms = 0
                WHERE file_id = ? AND parked = 1
                """
        ).execute(arguments: [id.text])
        return database.changesCount > 0
    }

    /// Removes a parked deletion. The file stays on the service.
    ///
    /// - Returns: Whether there was one.
    func discard(_ id: File.ID) throws -> Bool {
        try database.cachedStatement(sql: "DELETE FROM pending_file_deletion WHERE file_id = ? AND parked = 1")
            .execute(arguments: [id.text])
        return database.changesCount > 0
    }

    /// Returns the parked deletions, oldest first.
    func parked() throws -> [ParkedFileDeletion] {
        guard try hasParked() else { return [] }
        let statement = try database.cachedStatement(
            sql: "SELECT file_id, last_error FROM pending_file_deletion WHERE parked = 1 ORDER BY rowid"
        )
        return try Row.fetchAll(statement).map { row in
            ParkedFileDeletion(fileID: File.ID(row[0] as String), reason: row[1] ?? "")
        }
    }

    /// Returns the number of parked deletions.
    func parkedCount() throws -> Int {
        guard try hasParked() else { return 0 }
        let statement = try database.cachedStatement(sql: "SELECT count(*) FROM pending_file_deletion WHERE parked = 1")
        return try Int.fetchOne(statement) ?? 0
    }

    /// Returns whether deletions can be parked. A store that is only read may have the schema of an earlier version, which
    /// parked none.
    private func hasParked() throws -> Bool {
        try database.columns(in: "pending_file_deletion").contains { $0.name == "parked" }
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
            sql: "SELECT file_id, attempts, next_attempt_ms FROM pending_file_deletion WHERE parked = 0 ORDER BY rowid"
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
