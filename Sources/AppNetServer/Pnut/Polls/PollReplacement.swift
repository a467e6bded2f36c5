internal import HeliumJSON
internal import HeliumServerKit

/// `+io.pnut.core.poll` (AppNet.md §6.3): a reference to a poll, which becomes the poll's question and options at every rendering.
///
/// The stored value is `{poll_id, poll_token}`. Every reader of the object can see the poll and respond.
enum PollReplacement {
    private static let key = "+io.pnut.core.poll"

    /// Checks a replacement value as a client wrote it, and gives what is stored in its place.
    ///
    /// - Throws: ``AppNetFailure`` with 400.
    static func accepted(_ value: JSONValue, context: AppNetContext) throws -> JSONValue {
        guard let id = value["poll_id"]?.lenientText.flatMap({ Int64($0) }),
            let token = value["poll_token"]?.stringValue
        else { throw AppNetFailure.badRequest("\(key) needs poll_id and poll_token.") }
        guard let poll = try context.tables.polls.poll(id), ConstantTime.areEqual(token, poll.token) else {
            throw AppNetFailure.badRequest("The poll does not exist, or the poll token is wrong.")
        }
        return ["poll_id": .id(id), "poll_token": .string(token)]
    }

    /// The members that a stored value becomes. Of a poll that is gone only id and token stay.
    static func expanded(_ stored: JSONValue, renderer: AppNetRenderer) throws -> JSONObject {
        let reference = stored.objectValue ?? [:]
        let id = stored["poll_id"]?.stringValue.flatMap { Int64($0) }
        guard let poll = try id.flatMap(PollTable(database: renderer.database).poll) else { return reference }
        let options = poll.options.enumerated().map { index, text -> JSONValue in
            ["text": .string(text), "position": .count(index + 1)]
        }
        return reference + [
            "prompt": .string(poll.prompt), "closed_at": .string(AppNetDate.text(poll.closes)),
            "options": .array(options),
        ]
    }
}
