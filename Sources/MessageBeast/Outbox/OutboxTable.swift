internal import GRDB
internal import HeliumJSON

/// A row of the outbox.
struct OutboxRow: Sendable, Hashable {
    enum State: String, Sendable {
        case queued
        case uploading
        case sending
        case parked
    }

    let localID: Int64
    let channel: String
    /// The temporary id.
    let token: String
    let state: State
    let attempts: Int
    let nextAttempt: Milliseconds
    let errorCode: String?
    let errorText: String?
    /// Whether the message is parked until it is edited.
    let isRejected: Bool
    /// Whether the message was restored as parked. The exported store may have sent it since.
    let isRestored: Bool
    /// The newest known id of the channel before the last attempt; `nil` if no id was known.
    let attemptCursor: Int64?
    let claimed: Milliseconds?
    let owner: String?
    let isCancelled: Bool
    /// Whether another unsent message must be sent first. An action with a temporary id always waits.
    let isWaiting: Bool
}

extension String {
    /// Removes a prefix.
    ///
    /// - Returns: Whether the text had it.
    fileprivate mutating func removePrefix(_ prefix: String) -> Bool {
        guard hasPrefix(prefix) else { return false }
        removeFirst(prefix.count)
        return true
    }
}

/// The messages that wait to be sent.
struct OutboxTable {
    let database: Database

    /// The reason of a parked message whose outcome is unknown. The outcome is determined before the message is sent
    /// again.
    static let unknownOutcome = "outcomeUnknown"

    /// The prefix of the stored code of a message that is parked until it is edited.
    private static let rejection = "reject:"

    /// The prefix of the stored code of a parked message that was restored from an export.
    private static let restoration = "restored:"

    private static let selection = """
        SELECT o.local_id, m.channel_id, coalesce(m.client_token, m.id), o.state, o.attempts, o.next_attempt_ms,
            o.last_error_code, o.last_error_text, o.attempt_cursor, o.claimed_ms, o.owner, o.cancel_requested,
            EXISTS (SELECT 1 FROM outbox AS other WHERE other.local_id = o.depends_on_local_id)
            OR EXISTS (SELECT 1 FROM action_spec AS spec WHERE spec.action_local_id = o.local_id
                AND spec.target_message_id GLOB '*[^0-9]*')
        FROM outbox AS o CROSS JOIN message AS m ON m.local_id = o.local_id
        """

    func row(_ localID: Int64) throws -> OutboxRow? {
        try fetch("WHERE o.local_id = ?", [localID]).first
    }

    /// Calls a function for the unparked rows of a channel, in sending order, and returns its first result. Later rows
    /// are not read.
    func first<Result>(in channel: String, _ body: (OutboxRow) throws -> Result?) throws -> Result? {
        let condition = "WHERE m.channel_id = ? AND o.state <> 'parked' ORDER BY o.queue_seq"
        let statement = try database.cachedStatement(sql: "\(Self.selection) \(condition)")
        let rows = try Row.fetchCursor(statement, arguments: [channel])
        while let row = try rows.next() {
            if let result = try body(Self.row(row)) { return result }
        }
        return nil
    }

    /// Returns the first message of a channel that an engine has claimed; `nil` if there is none.
    ///
    /// An outbox may have many rows, but each channel has one claim at most, and an index has the claims only.
    func claimed(in channel: String) throws -> OutboxRow? {
        let claims = try Int64.fetchAll(
            database.cachedStatement(sql: "SELECT local_id FROM outbox WHERE state = 'sending' ORDER BY queue_seq")
        )
        for localID in claims {
            if let row = try row(localID), row.channel.hasSameBytes(as: channel) { return row }
        }
        return nil
    }

    /// Returns the parked rows of all channels, oldest first.
    func parked() throws -> [OutboxRow] {
        try fetch("WHERE o.state = 'parked' AND m.hidden = 0 ORDER BY o.queue_seq", [])
    }

    /// Returns the rows of a channel that are not hidden, in sending order.
    func visible(in channel: String?) throws -> [OutboxRow] {
        try fetch("WHERE (?1 IS NULL OR m.channel_id = ?1) AND m.hidden = 0 ORDER BY o.queue_seq", [channel])
    }

    private func fetch(_ condition: String, _ arguments: StatementArguments) throws -> [OutboxRow] {
        let statement = try database.cachedStatement(sql: "\(Self.selection) \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map(Self.row)
    }

    private static func row(_ row: Row) -> OutboxRow {
        var code: String? = row[6]
        let isRestored = code?.removePrefix(restoration) == true
        let isRejected = code?.removePrefix(rejection) == true
        return OutboxRow(
            localID: row[0],
            channel: row[1],
            token: row[2],
            state: OutboxRow.State(rawValue: row[3]) ?? .parked,
            attempts: row[4],
            nextAttempt: Milliseconds(row[5] as Int64),
            errorCode: code,
            errorText: row[7],
            isRejected: isRejected,
            isRestored: isRestored,
            attemptCursor: row[8],
            claimed: (row[9] as Int64?).map { Milliseconds($0) },
            owner: row[10],
            isCancelled: row[11],
            isWaiting: row[12]
        )
    }

    func count() throws -> Int {
        try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM outbox")) ?? 0
    }

    /// Returns the number of messages and deletions that wait to be sent, without parked ones.
    func unparkedCount() throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT (SELECT count(*) FROM outbox WHERE state <> 'parked')
                        + (SELECT count(*) FROM pending_message_deletion WHERE parked = 0)
                    """
            )
        ) ?? 0
    }

    /// Returns whether the next message of a channel can be sent now. A message whose files are being uploaded cannot.
    func isDue(_ channel: String, now: Milliseconds) throws -> Bool {
        let next = try claimed(in: channel) ?? first(in: channel) { row -> OutboxRow? in row.isWaiting ? nil : row }
        guard let next, next.state != .uploading else { return false }
        return next.nextAttempt.delay(after: now) == nil
    }

    /// Checks that the outbox has room for another message.
    ///
    /// - Throws: ``MessageBeastError/Kind/queueFull``.
    func checkRoom(_ limit: Int) throws {
        guard try count() < limit else {
            throw MessageBeastError(.queueFull, "\(limit) messages are already waiting to be sent")
        }
    }

    /// Returns the sequence number of the next message.
    func nextSequence() throws -> Int64 {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT coalesce(max(queue_seq), 0) + 1 FROM outbox")
        ) ?? 1
    }

    func insert(_ localID: Int64, sequence: Int64, dependingOn dependency: Int64? = nil) throws {
        try database.cachedStatement(
            sql: "INSERT INTO outbox (local_id, queue_seq, state, depends_on_local_id) VALUES (?, ?, 'queued', ?)"
        ).execute(arguments: [localID, sequence, dependency])
    }

    // MARK: State changes

    /// Prepares restored messages to be searched for on the service before they are posted, above the newest message that
    /// was known at the time of the export. Parked ones remain parked until the user decides.
    func determineAll() throws {
        let cursor = """
            (SELECT c.newest_cursor FROM message AS m JOIN channel AS c ON c.id = m.channel_id
            WHERE m.local_id = outbox.local_id)
            """
        try database.execute(
            sql: """
                UPDATE outbox SET state = 'sending', attempt_cursor = \(cursor) WHERE state IN ('queued', 'uploading')
                """
        )
        // An earlier attempt whose outcome is unknown has an older cursor.
        try database.execute(
            sql: """
                UPDATE outbox SET last_error_code = ?1 || coalesce(last_error_code, ''),
                    attempt_cursor = CASE last_error_code WHEN ?2 THEN attempt_cursor ELSE \(cursor) END
                WHERE state = 'parked' AND coalesce(last_error_code, '') NOT GLOB ?1 || '*'
                """,
            arguments: [Self.restoration, Self.unknownOutcome]
        )
    }

    /// Returns the id above which the service has a message that is about to be posted, if it has it; `nil` if no id of
    /// the channel is known.
    ///
    /// Before the first attempt, the message is newer than all that are stored, also than those sent before it that no
    /// fetch has contained yet. An earlier attempt may have reached the service before them.
    func searchStart(of row: OutboxRow, in channel: ChannelRecord) throws -> Int64? {
        guard row.claimed == nil else { return channel.newestCursor }
        let newest = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT max(sort_key) FROM message WHERE channel_id = ? AND sort_key < ?"
            ),
            arguments: [channel.id, MessageTable.unsentSortKey]
        )
        return [channel.newestCursor, newest].compactMap(\.self).max()
    }

    /// Claims a queued message, or one whose files are uploaded, for one engine.
    ///
    /// - Returns: Whether the message was claimed.
    func claim(_ localID: Int64, owner: String, cursor: Int64?, now: Milliseconds) throws -> Bool {
        try database.cachedStatement(
            sql: """
                UPDATE outbox SET state = 'sending', owner = ?, attempt_cursor = ?, claimed_ms = ?
                WHERE local_id = ? AND state IN ('queued', 'uploading')
                """
        ).execute(arguments: [owner, cursor, now.value, localID])
        return database.changesCount == 1
    }

    /// Marks a queued message that waits for its files.
    func setUploading(_ localID: Int64) throws {
        try database.cachedStatement(
            sql: "UPDATE outbox SET state = 'uploading' WHERE local_id = ? AND state = 'queued'"
        ).execute(arguments: [localID])
    }

    /// Takes over the claim of an engine that has ended.
    func takeOver(_ localID: Int64, owner: String) throws {
        try database.cachedStatement(sql: "UPDATE outbox SET owner = ? WHERE local_id = ?")
            .execute(arguments: [owner, localID])
    }

    /// Requeues a message whose request did not take effect.
    func requeue(_ localID: Int64, until next: Milliseconds) throws {
        try database.cachedStatement(
            sql: "UPDATE outbox SET state = 'queued', owner = NULL, next_attempt_ms = ? WHERE local_id = ?"
        ).execute(arguments: [next.value, localID])
    }

    /// Keeps the claim of a message whose outcome is unknown, without an owner: any engine may determine it.
    func postpone(_ localID: Int64, until next: Milliseconds, attempts: Int) throws {
        try database.cachedStatement(
            sql: "UPDATE outbox SET owner = NULL, next_attempt_ms = ?, attempts = ? WHERE local_id = ?"
        ).execute(arguments: [next.value, attempts, localID])
    }

    /// Removes an engine from the claims of a channel, after the requests that it has made are over. Any engine may
    /// determine their outcome.
    func disown(_ channel: String, by owner: String) throws {
        try database.cachedStatement(
            sql: """
                UPDATE outbox SET owner = NULL WHERE state = 'sending' AND owner = ?1
                    AND EXISTS (SELECT 1 FROM message AS m WHERE m.local_id = outbox.local_id AND m.channel_id = ?2)
                """
        ).execute(arguments: [owner, channel])
        try database.cachedStatement(
            sql: "UPDATE pending_message_deletion SET owner = NULL WHERE owner = ?1 AND channel_id = ?2"
        ).execute(arguments: [owner, channel])
    }

    func park(_ localID: Int64, _ reason: ParkedReason, attempts: Int) throws {
        let code = reason.needsEdit ? Self.rejection + reason.code : reason.code
        try database.cachedStatement(
            sql: """
                UPDATE outbox SET state = 'parked', owner = NULL, last_error_code = ?, last_error_text = ?, attempts = ?
                WHERE local_id = ?
                """
        ).execute(arguments: [code, reason.message, attempts, localID])
    }

    /// Puts a parked message back into the queue, at its former position.
    func unpark(_ row: OutboxRow) throws {
        // An unknown outcome is determined first, as after a crash.
        let state = row.isUnknown ? OutboxRow.State.sending : .queued
        try database.cachedStatement(
            sql: """
                UPDATE outbox SET state = ?, owner = NULL, attempts = 0, next_attempt_ms = 0,
                    last_error_code = NULL, last_error_text = NULL
                WHERE local_id = ? AND state = 'parked'
                """
        ).execute(arguments: [state.rawValue, row.localID])
    }

    /// Puts a message whose token or content changed into the queue, at its former position, as if it had never been
    /// sent.
    func renew(_ localID: Int64) throws {
        try database.cachedStatement(
            sql: """
                UPDATE outbox SET state = 'queued', owner = NULL, claimed_ms = NULL, attempt_cursor = NULL, attempts = 0,
                    next_attempt_ms = 0, last_error_code = NULL, last_error_text = NULL
                WHERE local_id = ?
                """
        ).execute(arguments: [localID])
    }

    /// Sets the unsent message that must be sent before another one; `nil` for none.
    func setDependency(_ dependency: Int64?, of localID: Int64) throws {
        try database.cachedStatement(sql: "UPDATE outbox SET depends_on_local_id = ? WHERE local_id = ?")
            .execute(arguments: [dependency, localID])
    }

    /// Makes all messages of a channel due.
    func expedite(_ channel: String) throws {
        try database.cachedStatement(
            sql: """
                UPDATE outbox SET next_attempt_ms = 0
                WHERE next_attempt_ms <> 0 AND EXISTS (
                    SELECT 1 FROM message AS m WHERE m.local_id = outbox.local_id AND m.channel_id = ?
                )
                """
        ).execute(arguments: [channel])
        try database.cachedStatement(
            sql: "UPDATE pending_message_deletion SET next_attempt_ms = 0 WHERE next_attempt_ms <> 0 AND channel_id = ?"
        ).execute(arguments: [channel])
    }

    /// Returns whether messages wait for a message.
    func hasDependants(_ localID: Int64) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM outbox WHERE depends_on_local_id = ? LIMIT 1"
        )
        return try Int.fetchOne(statement, arguments: [localID]) != nil
    }

    /// Returns the channels that have something to send.
    func channels() throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT m.channel_id FROM outbox AS o CROSS JOIN message AS m ON m.local_id = o.local_id
                    WHERE o.state <> 'parked'
                    UNION SELECT channel_id FROM pending_message_deletion WHERE parked = 0 ORDER BY 1
                    """
            )
        )
    }
}
