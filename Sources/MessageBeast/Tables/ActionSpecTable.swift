internal import AppNet
internal import GRDB

/// An applied action: an action message and the message that it acts on.
struct ActionSpec: Hashable, Sendable {
    let action: Int64
    let channel: String
    let target: String
    let targetChannel: String
}

struct ActionSpecTable {
    let database: Database

    /// Inserts a spec, unless the action message is hidden because it was cancelled. The target is found if it is stored,
    /// also by a former temporary id.
    func insert(_ spec: ActionSpec) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO action_spec
                    (action_local_id, action_channel_id, target_message_id, target_channel_id, target_local_id)
                SELECT ?1, ?2, coalesce(m.id, ?3), ?4, m.local_id FROM message AS action
                LEFT JOIN message AS m ON m.local_id =
                    coalesce(
                        (SELECT local_id FROM message WHERE id = ?3),
                        (SELECT local_id FROM message WHERE client_token = ?3),
                        (SELECT local_id FROM former_id WHERE id = ?3)
                    )
                WHERE action.local_id = ?1 AND action.hidden = 0
                """
        ).execute(arguments: [spec.action, spec.channel, spec.target, spec.targetChannel])
    }

    /// Resolves the targets of an action channel's specs among new messages.
    func resolve(targets range: ClosedRange<Int64>, channel: String) throws {
        try database.cachedStatement(
            sql: """
                UPDATE action_spec
                SET target_local_id = (SELECT local_id FROM message WHERE id = target_message_id)
                WHERE action_local_id IN (
                    SELECT spec.action_local_id FROM message AS m
                    CROSS JOIN action_spec AS spec ON spec.action_channel_id = ? AND spec.target_message_id = m.id
                    WHERE m.local_id BETWEEN ? AND ? AND spec.target_local_id IS NOT m.local_id
                )
                """
        ).execute(arguments: [channel, range.lowerBound, range.upperBound])
    }

    /// Returns whether any action is on a stored message.
    func hasActions(on id: Message.ID) throws -> Bool {
        try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT 1 FROM message AS m CROSS JOIN action_spec AS spec ON spec.target_local_id = m.local_id
                    WHERE m.id = ? LIMIT 1
                    """
            ),
            arguments: [id.text]
        ) != nil
    }

    /// Removes the spec of an action message.
    func delete(action localID: Int64) throws {
        try database.cachedStatement(sql: "DELETE FROM action_spec WHERE action_local_id = ?")
            .execute(arguments: [localID])
    }

    /// Removes the specs of a target.
    func delete(target localID: Int64) throws {
        try database.cachedStatement(sql: "DELETE FROM action_spec WHERE target_local_id = ?")
            .execute(arguments: [localID])
    }
}
