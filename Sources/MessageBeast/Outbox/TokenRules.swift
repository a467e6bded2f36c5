internal import AppNet
internal import GRDB
internal import HeliumJSON

/// Recognizes messages of a page that this device or another device of the account wrote
/// (Docs/Protocols/MessageBeast.md §3.8, §4.4).
struct TokenRules {
    let database: Database
    let channel: ChannelRecord
    let account: String

    /// The effect of a message with a token.
    enum Decision {
        /// An ordinary message.
        case ordinary
        /// An ordinary message with the token of another one: an app copied it, and perhaps changed it.
        case changedCopy
        /// A new message. Its copy with a higher id was stored here and is missing on the service, or the message itself
        /// was missing for a time.
        case successor(of: String)
        /// The message belongs to the outbox.
        case adopt(OutboxRow)
        /// A copy of a removed message. Its deletion is queued.
        case discard
        /// A copy of a stored message with a lower id. Its deletion is queued.
        case discardCopy(of: Int64)
        /// The message replaces a stored copy with a higher id, whose deletion is queued.
        case replace(Int64, id: String)

        /// Whether the message is stored as a new message.
        var isInsertion: Bool {
            switch self {
            case .ordinary, .changedCopy, .successor: true
            case .adopt, .discard, .discardCopy, .replace: false
            }
        }
    }

    /// Decides on a message that is not stored under its id.
    func decision(on message: IncomingMessage) throws -> Decision {
        guard let token = message.token, isOwn(message) else { return .ordinary }
        let retired = try RetiredTokenTable(database: database).record(token)
        let isCopy =
            retired.map { retired in
                isNear(message.created, retired.claimed) && retired.likeness == message.likeness(in: channel.id)
            } ?? false
        let isCovered = retired?.covers(message.sortKey) ?? false
        if isCovered, isCopy {
            // If only a copy of a stored message was missing, the actions on another copy move to the stored message.
            if retired?.isMissing == true, let localID = try holder(of: token),
                case .discardCopy = try decision(on: message, besides: localID)
            {
                return .discardCopy(of: localID)
            }
            return .discard
        }
        guard let localID = try holder(of: token) else {
            if isCovered { return .changedCopy }
            if isCopy, let missing = retired?.id { return .successor(of: String(missing)) }
            return .ordinary
        }
        if let row = try OutboxTable(database: database).row(localID) { return .adopt(row) }
        return try decision(on: message, besides: localID)
    }

    /// Decides on a message whose token a stored message has. Every device keeps the copy with the lower id.
    private func decision(on message: IncomingMessage, besides localID: Int64) throws -> Decision {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT id, sort_key, created_ms, json FROM message WHERE local_id = ? AND kind = 'sent'"
            ),
            arguments: [localID]
        )
        guard let row, let stored = try? HeliumJSONDecoder().decode(Message.self, from: row[3] as String),
            isNear(message.created, Milliseconds(row[2] as Int64)),
            MessageLikeness(stored, channel: channel.id, isSent: true) == message.likeness(in: channel.id)
        else { return .changedCopy }
        return message.sortKey > row[1] ? .discardCopy(of: localID) : .replace(localID, id: row[0])
    }

    /// Returns the message that has a token.
    private func holder(of token: String) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT local_id FROM message WHERE client_token = ?"),
            arguments: [token]
        )
    }

    private func isOwn(_ message: IncomingMessage) -> Bool { message.author?.hasSameBytes(as: account) ?? true }

    /// Stores the token of a new message of the account, so that its temporary id resolves, unless another message has
    /// it.
    func keepToken(of message: IncomingMessage, _ localID: Int64) throws {
        guard let token = message.token, isOwn(message) else { return }
        try database.cachedStatement(
            sql: """
                UPDATE message SET client_token = ?1 WHERE local_id = ?2
                    AND NOT EXISTS (SELECT 1 FROM message WHERE client_token = ?1)
                """
        ).execute(arguments: [token, localID])
    }

    /// Returns whether two times are within 24 hours of each other.
    private func isNear(_ left: Milliseconds, _ right: Milliseconds) -> Bool {
        abs(left.value - right.value) <= 86_400_000
    }
}
