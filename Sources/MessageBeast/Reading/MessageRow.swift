internal import AppNet
internal import GRDB
internal import HeliumJSON

/// Reads messages from rows.
enum MessageRow {
    static let columns = """
        m.local_id, m.id, m.channel_id, m.display_date_ms, m.sort_key, m.kind, m.json, o.attempts, \
        l.name, l.short_name, l.factual_id, l.latitude, l.longitude, l.source
        """

    static let joins = """
        LEFT JOIN outbox AS o ON o.local_id = m.local_id LEFT JOIN location_instance AS l ON l.local_id = m.local_id
        """

    /// Runs a statement whose first columns are ``columns`` and whose last column may be the rank of a hit.
    ///
    /// A row whose document cannot be read is left out and reported, so that other rows can be read.
    ///
    /// - Parameters:
    ///   - filter: Returns `true` for messages to leave out.
    ///   - maximum: The number of messages after which no row is read; `nil` for all rows.
    static func fetch(
        _ statement: Statement,
        _ arguments: StatementArguments,
        after rank: RankCursor? = nil,
        excluding filter: MessageFilter? = nil,
        upTo maximum: Int? = nil,
        in database: Database
    ) throws -> FoundMessages {
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var found = FoundMessages()
        found.lastRank = rank
        while found.messages.count < maximum ?? .max, let row = try rows.next() {
            found.rowCount += 1
            found.last = MessageCursor(displayDate: row[3], sortKey: row[4])
            if row.count > rankColumn { found.lastRank = RankCursor(following: found.lastRank, rank: row[rankColumn]) }
            if let message = try message(row, in: database) {
                found.append(message, excluding: filter)
            } else {
                found.unreadable.append(MessagePlus.ID(row[0]))
            }
        }
        return found
    }

    /// The index of the column after ``columns``.
    private static let rankColumn = 14

    private static func message(_ row: Row, in database: Database) throws -> MessagePlus? {
        guard var message = try decoded(row) else { return nil }
        let localID: Int64 = row[0]
        let displayDate: Int64 = row[3]
        let state = MessagePlus.State(rawValue: row[5]) ?? .sent
        // The columns are authoritative, because the document of an unsent message has no such members.
        message.id = Message.ID(row[1] as String)
        message.channelID = AppNetChannel.ID(row[2] as String)
        return MessagePlus(
            id: MessagePlus.ID(localID),
            message: message,
            channelID: AppNetChannel.ID(row[2] as String),
            displayDate: Milliseconds(displayDate).date,
            displayLocation: location(row),
            state: state,
            sendAttemptsCount: row[7] ?? 0,
            pendingFileAttachments: state == .sent ? [] : try attachments(of: localID, in: database),
            cursor: MessageCursor(displayDate: displayDate, sortKey: row[4])
        )
    }

    private static func decoded(_ row: Row) throws -> Message? {
        try row.withUnsafeData(atIndex: 6) { data in
            data.flatMap { try? HeliumJSONDecoder().decode(Message.self, from: $0) }
        }
    }

    private static func location(_ row: Row) -> DisplayLocation? {
        guard let name: String = row[8] else { return nil }
        return DisplayLocation(
            name: name,
            shortName: row[9],
            factualID: (row[10] as String?).map { Place.ID($0) },
            latitude: row[11],
            longitude: row[12],
            source: DisplayLocation.Source(rawValue: row[13]) ?? .ohai
        )
    }

    static func attachments(of localID: Int64, in database: Database) throws -> [PendingFileAttachment] {
        let statement = try database.cachedStatement(
            sql: "SELECT pending_file_id, is_oembed FROM pending_file_attachment WHERE local_id = ? ORDER BY position"
        )
        return try Row.fetchAll(statement, arguments: [localID]).map {
            PendingFileAttachment(pendingFileID: $0[0], isOEmbed: $0[1])
        }
    }
}
