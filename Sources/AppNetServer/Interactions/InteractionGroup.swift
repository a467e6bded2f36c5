internal import HeliumJSON

/// An interaction of the list: all actions of one kind on one object within a day (Docs/Protocols/AppNet.md §2.9).
struct InteractionGroup: Hashable, Sendable {
    /// The maximum age of an action of a group relative to its latest action, in seconds. The API does not specify it.
    static let window: Int64 = 86_400

    /// The pagination id, which is that of the latest action.
    let id: Int64
    let action: String
    let object: Int64
    let date: Int64
    /// The users, each once, latest first.
    private(set) var users: [Int64]

    init(_ record: InteractionTable.Record) {
        (id, action, object, date, users) = (record.id, record.action, record.object, record.created, [record.actor])
    }

    /// Groups actions, which must be sorted newest first. The groups are sorted by their latest actions.
    static func groups(of records: [InteractionTable.Record]) -> [Self] {
        struct Key: Hashable {
            let action: String
            let object: Int64
        }
        var groups: [Self] = []
        var latest: [Key: Int] = [:]
        for record in records {
            let key = Key(action: record.action, object: record.object)
            if let index = latest[key], groups[index].date - record.created <= window {
                if !groups[index].users.contains(record.actor) { groups[index].users.append(record.actor) }
                continue
            }
            latest[key] = groups.count
            groups.append(Self(record))
        }
        return groups
    }
}

extension AppNetRenderer {
    /// Returns the JSON object of an interaction (Docs/Protocols/AppNet.md §3.5).
    func interaction(_ group: InteractionGroup) throws -> JSONValue? {
        var users = group.users
        let object: JSONValue?
        switch group.action {
        case "follow": object = try user(group.object)
        case "poll_response":
            let poll = try PollTable(database: database).poll(group.object)
            if poll?.isAnonymous ?? true { users = [] }
            object = try poll.flatMap { try self.poll($0, hidesToken: true) }
        default: object = try PostTable(database: database).post(group.object).map(post)
        }
        guard let object else { return nil }
        return [
            "action": .string(group.action), "event_date": .string(AppNetDate.text(group.date)),
            "objects": .array([object]), "users": .array(try users.compactMap(user)),
        ]
    }
}
