internal import HeliumJSON
internal import HeliumServerKit

/// The replacement value `+io.pnut.core.poll` (Docs/Protocols/AppNet.md §6.3). It is a reference to a poll, which is
/// replaced by the prompt and options of the poll in each response.
///
/// The stored form is `{poll_id, poll_token}`. All readers of the object can see the poll and respond to it.
enum PollReplacement {
    private static let key = "+io.pnut.core.poll"

    /// Checks a replacement value of a client and returns its stored form.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for an invalid value.
    static func accepted(_ value: JSONValue, context: AppNetContext) throws -> JSONValue {
        guard let id = value["poll_id"]?.lenientText.flatMap({ Int64($0) }),
            let token = value["poll_token"]?.stringValue
        else { throw AppNetFailure.badRequest("\(key) needs poll_id and poll_token.") }
        guard let poll = try context.tables.polls.poll(id), ConstantTime.areEqual(token, poll.token) else {
            throw AppNetFailure.badRequest("The poll does not exist, or the poll token is wrong.")
        }
        return ["poll_id": .id(id), "poll_token": .string(token)]
    }

    /// Returns the members that replace a stored value. For a deleted poll they are only the id and the token.
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
