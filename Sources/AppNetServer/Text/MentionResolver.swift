internal import HeliumJSON
internal import HeliumServerKit

/// Finds the users that texts and machine-only objects mention (Docs/Protocols/AppNet.md §3.6).
struct MentionResolver: RequestScoped {
    let context: AppNetContext

    /// A processor that resolves mentions of the users that the caller may mention. Bots may only mention their
    /// followers (Docs/Protocols/AppNet.md §3.3). A text may have hundreds of mentions, so the profiles are not read.
    var textProcessor: TextProcessor {
        get throws {
            let (users, relations) = (tables.users, tables.relations)
            let bot = try context.caller.user.flatMap { try users.isBot($0) ? $0 : nil }
            return TextProcessor { name in
                guard let id = try users.id(name: name) else { return nil }
                guard let bot, id != bot else { return id }
                return try relations.exists(.follow, id, bot) ? id : nil
            }
        }
    }

    /// Returns the mentions of a machine-only object, which are given by name or id and have no position in a text.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for more than ten mentions, and for a user who does not exist.
    func machineMentions(_ entities: JSONValue?) throws -> [AppNetEntities.Mention] {
        guard let sent = entities?["mentions"], sent != .null else { return [] }
        guard let sent = sent.arrayValue, sent.count <= 10 else {
            throw AppNetFailure.badRequest("entities.mentions must be a list of at most 10.")
        }
        return try sent.map { mention in
            let name = mention["name"]?.stringValue.map { "@\($0)" } ?? mention["id"]?.lenientText
            guard let user = try name.flatMap(UserFinder(context).named) else {
                throw AppNetFailure.badRequest("entities.mentions names a user that does not exist.")
            }
            return AppNetEntities.Mention(name: user.username, id: user.id, position: 0, length: 0, isLeading: true)
        }
    }
}
