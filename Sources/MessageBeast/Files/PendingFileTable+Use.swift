internal import AppNet
internal import GRDB

/// A file of a message, as the message refers to it.
struct AttachedFile: Sendable, Hashable {
    let reference: FileReference
    let isOEmbed: Bool

    /// Returns a reference of the usual size, for checking a message before its files have references.
    static func placeholder(isOEmbed: Bool) -> Self {
        let token = String(repeating: "0", count: 64)
        return Self(reference: FileReference(id: "1000000000000000000", token: Secret(token)), isOEmbed: isOEmbed)
    }
}

/// The readiness of an unsent message's files.
enum FileReadiness: Sendable {
    /// All files are on the service.
    case ready
    /// These files are to be uploaded. Others may be retried after the delay.
    case due([String], others: Duration?)
    /// No file can be retried before this delay.
    case wait(Duration)
    /// A file is parked, so the message is parked too.
    case parked(ParkedReason)
}

/// The use of files by messages.
extension PendingFileTable {
    /// Returns the files of a message, in order.
    func files(of localID: Int64) throws -> [(row: PendingFileRow, isOEmbed: Bool)] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(PendingFileRow.columns), a.is_oembed FROM pending_file_attachment AS a
                CROSS JOIN pending_file AS f ON f.id = a.pending_file_id WHERE a.local_id = ? ORDER BY a.position
                """
        )
        return try Row.fetchAll(statement, arguments: [localID]).map { (PendingFileRow($0), $0[18]) }
    }

    func readiness(of localID: Int64, owners: any ClaimOwners, now: Milliseconds) throws -> FileReadiness {
        var due: [String] = []
        var earliest: Duration?
        for (row, _) in try files(of: localID) where row.state != .uploaded {
            if row.state == .parked {
                let reason = row.failure ?? ParkedReason(code: "", message: "a file is parked")
                return .parked(reason.ofMessage)
            }
            let delay = row.isHeld(owners) ? ChannelSender.foreignDelay : row.nextAttempt.delay(after: now)
            if let delay { earliest = min(earliest ?? delay, delay) } else { due.append(row.id) }
        }
        if !due.isEmpty { return .due(due, others: earliest) }
        return earliest.map { .wait($0) } ?? .ready
    }

    /// Returns the references to a message's files, all of which are on the service; `nil` if a file's document cannot
    /// be read.
    func references(of localID: Int64) throws -> [AttachedFile]? {
        let files = try files(of: localID)
        let references = files.compactMap { row, isOEmbed in
            row.file?.reference.map { AttachedFile(reference: $0, isOEmbed: isOEmbed) }
        }
        return references.count == files.count ? references : nil
    }

    /// Attaches files to a message.
    ///
    /// - Throws: ``MessageBeastError/Kind/notFound`` for a file that is not stored,
    ///   ``MessageBeastError/Kind/invalidArgument`` for one that is named twice.
    func attach(_ attachments: [PendingFileAttachment], to localID: Int64) throws {
        try Self.check(attachments)
        for (position, attachment) in attachments.enumerated() {
            guard try row(attachment.pendingFileID) != nil else {
                throw MessageBeastError(.notFound, "no file with the id \(attachment.pendingFileID) is pending")
            }
            try database.cachedStatement(
                sql: """
                    INSERT INTO pending_file_attachment (local_id, position, pending_file_id, is_oembed)
                    VALUES (?, ?, ?, ?)
                    """
            ).execute(arguments: [localID, position, attachment.pendingFileID, attachment.isOEmbed])
        }
    }

    /// Checks that a message uses each file once.
    ///
    /// - Throws: ``MessageBeastError/Kind/invalidArgument``.
    static func check(_ attachments: [PendingFileAttachment]) throws {
        guard Set(attachments.map { ByteText($0.pendingFileID) }).count == attachments.count else {
            throw MessageBeastError(.invalidArgument, "a message can use a file only once")
        }
    }

    /// Returns references of the usual size for the files of a message, in order.
    func placeholders(of localID: Int64) throws -> [AttachedFile] {
        try MessageRow.attachments(of: localID, in: database).map { .placeholder(isOEmbed: $0.isOEmbed) }
    }

    func isUsed(_ id: String) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM pending_file_attachment WHERE pending_file_id = ? LIMIT 1"
        )
        return try Int.fetchOne(statement, arguments: [id]) != nil
    }

    /// Returns the ids of the files of messages.
    func ids(of localIDs: [Int64]) throws -> [String] {
        let statement = try database.cachedStatement(
            sql: "SELECT pending_file_id FROM pending_file_attachment WHERE local_id = ? ORDER BY position"
        )
        return try localIDs.flatMap { try String.fetchAll(statement, arguments: [$0]) }
    }

    /// Returns the unsent messages that wait for a file, oldest first.
    func waiting(for id: String) throws -> [OutboxRow] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT o.local_id FROM pending_file_attachment AS a CROSS JOIN outbox AS o ON o.local_id = a.local_id
                WHERE a.pending_file_id = ? ORDER BY o.queue_seq
                """
        )
        let outbox = OutboxTable(database: database)
        return try Int64.fetchAll(statement, arguments: [id]).compactMap { try outbox.row($0) }
    }

    /// Returns the channels of the unsent messages that wait for a file.
    func channels(waitingFor id: String) throws -> [String] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT DISTINCT m.channel_id FROM pending_file_attachment AS a
                CROSS JOIN outbox AS o ON o.local_id = a.local_id CROSS JOIN message AS m ON m.local_id = a.local_id
                WHERE a.pending_file_id = ? ORDER BY 1
                """
        )
        return try String.fetchAll(statement, arguments: [id])
    }

    /// Returns the files that the messages of a channel wait for.
    func unfinished(in channel: String) throws -> [String] {
        try ids(in: channel, where: "f.state IN ('waiting', 'created')", of: "o.state <> 'parked'")
    }

    /// Returns the files of the unsent messages of a channel, those of parked ones included: an upload that has parked its
    /// message may still be running.
    func used(in channel: String) throws -> [String] { try ids(in: channel, where: "true", of: "true") }

    /// - Parameters:
    ///   - condition: The condition for the files.
    ///   - messages: The condition for the messages.
    private func ids(in channel: String, where condition: String, of messages: String) throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT f.id FROM pending_file AS f WHERE \(condition) AND EXISTS (
                        SELECT 1 FROM pending_file_attachment AS a CROSS JOIN outbox AS o ON o.local_id = a.local_id
                        CROSS JOIN message AS m ON m.local_id = a.local_id
                        WHERE a.pending_file_id = f.id AND m.channel_id = ? AND \(messages)
                    ) ORDER BY f.rowid
                    """
            ),
            arguments: [channel]
        )
    }

    /// Makes the files due that the messages of a channel wait for.
    ///
    /// - Returns: Their ids.
    @discardableResult
    func expedite(_ channel: String) throws -> [String] {
        let ids = try unfinished(in: channel)
        for id in ids {
            try database.cachedStatement(
                sql: "UPDATE pending_file SET next_attempt_ms = 0 WHERE id = ? AND next_attempt_ms <> 0"
            ).execute(arguments: [id])
        }
        return ids
    }

    // MARK: Detaching and removing

    /// Removes the attachments of a sent message, and the files that no other message uses.
    func detach(_ localID: Int64) throws {
        let ids = try ids(of: [localID])
        guard !ids.isEmpty else { return }
        try database.cachedStatement(sql: "DELETE FROM pending_file_attachment WHERE local_id = ?")
            .execute(arguments: [localID])
        let reference = try database.cachedStatement(sql: "UPDATE pending_file SET is_referred = 1 WHERE id = ?")
        for id in ids {
            if try isUsed(id) {
                // The sent message refers to the file, whatever happens to the other messages.
                try reference.execute(arguments: [id])
            } else if try row(id)?.state == .uploaded {
                // The file remains on the service for the sent message.
                try delete(id)
            } else {
                try dispose(of: [id])
            }
        }
    }

    /// Removes files that no unsent message uses any more.
    ///
    /// Their deletion on the service is queued, unless a sent message refers to them. A file whose creation has an
    /// unknown outcome is kept until the outcome is known.
    func dispose(of ids: [String]) throws {
        for id in ids where try !isUsed(id) {
            guard let row = try row(id) else { continue }
            if row.isReferred {
                // The file stays on the service.
            } else if let fileID = row.file?.id {
                try FileDeletionTable(database: database).insert(fileID)
            } else if row.claimed != nil {
                try unpark(id)
                continue
            }
            try delete(id)
        }
    }

    /// Returns the files that no message uses and that may have been created on the service.
    func abandoned() throws -> [PendingFileRow] { try unused("f.claimed_ms IS NOT NULL") }

    /// Removes files that were staged by engines that ended before a message used the files.
    func deleteOrphaned(_ owners: any ClaimOwners) throws {
        for row in try unused("f.claimed_ms IS NULL AND f.owner IS NOT NULL") {
            guard let owner = row.owner, owner != owners.own, !owners.isAlive(owner) else { continue }
            try delete(row.id)
        }
    }

    private func unused(_ condition: String) throws -> [PendingFileRow] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(PendingFileRow.columns) FROM pending_file AS f WHERE f.state = 'waiting' AND \(condition)
                    AND NOT EXISTS (SELECT 1 FROM pending_file_attachment AS a WHERE a.pending_file_id = f.id)
                ORDER BY f.rowid
                """
        )
        return try Row.fetchAll(statement).map(PendingFileRow.init)
    }
}

// MARK: Retrying

extension PendingFileTable {
    /// Retries the parked files of a message.
    func unparkFiles(of localID: Int64) throws {
        for (row, _) in try files(of: localID) where row.state == .parked { try unpark(row.id) }
    }

    /// Puts messages that were parked because of a file back into the queue, unless another of their files is parked.
    func unparkMessages(of id: String) throws {
        let outbox = OutboxTable(database: database)
        let codes = [ParkedReason.fileMissing, ParkedReason.fileParked]
        for message in try waiting(for: id) where message.state == .parked {
            guard let code = message.errorCode, codes.contains(code),
                try files(of: message.localID).allSatisfy({ $0.row.state != .parked })
            else { continue }
            try outbox.unpark(message)
        }
    }
}
