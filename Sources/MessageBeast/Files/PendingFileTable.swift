internal import AppNet
internal import GRDB

/// The files that wait for upload or that unsent messages use.
struct PendingFileTable {
    let database: Database

    func row(_ id: String) throws -> PendingFileRow? { try fetch("WHERE f.id = ?", [id]).first }

    /// Returns all rows, in the order in which they were staged.
    func all() throws -> [PendingFileRow] { try fetch("ORDER BY f.rowid", []) }

    private func fetch(_ condition: String, _ arguments: StatementArguments) throws -> [PendingFileRow] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(PendingFileRow.columns) FROM pending_file AS f \(condition)"
        )
        return try Row.fetchAll(statement, arguments: arguments).map(PendingFileRow.init)
    }

    /// Returns the total size of the staged files, in bytes.
    func byteCount() throws -> Int64 {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT coalesce(sum(byte_count), 0) FROM pending_file")) ?? 0
    }

    /// Inserts a file whose bytes are staged under its id.
    ///
    /// - Parameter owner: The engine that stages the file. Until a message uses the file, it is removed when that
    ///   engine ends.
    func insert(_ file: PendingFile, token: String, owner: String) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO pending_file (id, staged_path, type, name, mime, kind, is_public, byte_count, sha256, token,
                    state, owner)
                VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'waiting', ?10)
                """
        ).execute(arguments: [
            file.id, file.type, file.name, file.mimeType, file.kind?.rawValue, file.isPublic, file.byteCount,
            file.sha256, token, owner,
        ])
    }

    func delete(_ id: String) throws {
        try database.cachedStatement(sql: "DELETE FROM pending_file WHERE id = ?").execute(arguments: [id])
    }

    // MARK: State changes

    /// Claims a file for one engine. The time of an earlier claim whose outcome is unknown is kept.
    func claim(_ id: String, owner: String, now: Milliseconds) throws {
        try database.cachedStatement(
            sql: "UPDATE pending_file SET owner = ?, claimed_ms = coalesce(claimed_ms, ?) WHERE id = ?"
        ).execute(arguments: [owner, now.value, id])
    }

    /// Releases a file whose request did not take effect.
    func release(_ id: String, until next: Milliseconds, failure: ParkedReason? = nil) throws {
        try database.cachedStatement(
            sql: """
                UPDATE pending_file SET owner = NULL, claimed_ms = NULL, next_attempt_ms = ?2,
                    last_error = coalesce(?3, last_error)
                WHERE id = ?1
                """
        ).execute(arguments: [id, next.value, failure?.stored])
    }

    /// Releases a file whose request has an unknown outcome. The claim time is kept.
    func postpone(_ id: String, until next: Milliseconds, attempts: Int, failure: ParkedReason?) throws {
        try database.cachedStatement(
            sql: """
                UPDATE pending_file SET owner = NULL, next_attempt_ms = ?2, attempts = ?3,
                    last_error = coalesce(?4, last_error)
                WHERE id = ?1
                """
        ).execute(arguments: [id, next.value, attempts, failure?.stored])
    }

    /// Records the file of the service.
    func set(_ state: PendingFile.State, _ file: File, of id: String) throws {
        try database.cachedStatement(
            sql: """
                UPDATE pending_file SET state = ?2, file_json = ?3, owner = NULL, claimed_ms = NULL, next_attempt_ms = 0,
                    last_error = NULL
                WHERE id = ?1
                """
        ).execute(arguments: [id, state.rawValue, try PendingFileRow.json(of: file)])
    }

    /// Restarts a file with another token, because the service has another file or none.
    func renew(_ id: String, token: String, attempts: Int, until next: Milliseconds) throws {
        try database.cachedStatement(
            sql: """
                UPDATE pending_file SET state = 'waiting', token = ?2, attempts = ?3, next_attempt_ms = ?4, owner = NULL,
                    claimed_ms = NULL, file_json = NULL
                WHERE id = ?1
                """
        ).execute(arguments: [id, token, attempts, next.value])
    }

    /// Parks a file.
    ///
    /// - Parameter isKnown: Whether the last request is known to have had no effect. If `false`, a retry first
    ///   determines the outcome.
    func park(_ id: String, _ reason: ParkedReason, attempts: Int, isKnown: Bool) throws {
        try database.cachedStatement(
            sql: """
                UPDATE pending_file SET state = 'parked', owner = NULL, last_error = ?2, attempts = ?3,
                    claimed_ms = CASE WHEN ?4 THEN NULL ELSE claimed_ms END
                WHERE id = ?1
                """
        ).execute(arguments: [id, reason.stored, attempts, isKnown])
    }

    /// Resumes the upload of a parked file.
    func unpark(_ id: String) throws {
        try database.cachedStatement(
            sql: """
                UPDATE pending_file SET state = CASE WHEN file_json IS NULL THEN 'waiting' ELSE 'created' END,
                    attempts = 0, next_attempt_ms = 0, last_error = NULL
                WHERE id = ? AND state = 'parked'
                """
        ).execute(arguments: [id])
    }
}
