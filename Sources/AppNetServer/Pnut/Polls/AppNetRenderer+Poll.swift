internal import HeliumJSON
internal import HeliumServerKit

extension AppNetRenderer {
    /// The maximum number of respondents listed for an option.
    private static let respondentSample = 20

    /// Returns the JSON object of a poll with App.net's names (Docs/Protocols/AppNet.md §6.2, §6.3).
    ///
    /// - Parameter hidesToken: Whether the object has no token, although the viewer may know it.
    func poll(_ poll: PollRecord, hidesToken: Bool = false) throws -> JSONValue? {
        guard try reader.sees(poll) else { return nil }
        var members: JSONObject = [
            "id": .id(poll.id), "created_at": .string(AppNetDate.text(poll.created)),
            "closed_at": .string(AppNetDate.text(poll.closes)), "type": .string(poll.type),
            "prompt": .string(poll.prompt), "is_public": .bool(poll.isPublic),
            "is_anonymous": .bool(poll.isAnonymous),
            "max_options": .count(poll.maximumOptions),
            "options": try options(of: poll), "source": try source(poll.client),
        ]
        if !hidesToken, reader.knowsToken(of: poll) { members["poll_token"] = .string(poll.token) }
        if let user = try user(poll.user) { members["user"] = user } else { members["user_id"] = .id(poll.user) }
        return .object(members + (try annotations(poll.annotations, of: .poll, isPublic: poll.isPublic)))
    }

    /// Returns the options. Respondents are not included before the poll is closed.
    private func options(of poll: PollRecord) throws -> JSONValue {
        let table = PollTable(database: database)
        let mine = isPersonal ? try viewer.user.map { try table.response(to: poll.id, by: $0) ?? [] } : nil
        let responses = now >= poll.closes ? try table.responses(to: poll.id) : nil
        return .array(
            poll.options.enumerated().map { index, text in
                let position = index + 1
                var option: JSONValue = ["text": .string(text), "position": .count(position)]
                if let mine { option["is_your_response"] = .bool(mine.contains(position)) }
                if let responses {
                    let respondents = responses.filter { $0.positions.contains(position) }.map(\.user)
                    option["respondents"] = .count(respondents.count)
                    let sample = respondents.prefix(Self.respondentSample).map(JSONValue.id)
                    if !poll.isAnonymous { option["respondent_ids"] = .array(sample) }
                }
                return option
            }
        )
    }
}
