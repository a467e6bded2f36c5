extension AppNetRenderer {
    /// The maximum number of respondents listed for an option.
    private static let respondentSample = 20

    /// A poll in App.net's names (AppNet.md §6.2, §6.3).
    ///
    /// - Parameter showsToken: whether the viewer knows the poll's token, or is to know it
    func poll(_ poll: PollRecord, showsToken: Bool) throws -> JSONTree {
        var members = [
            JSONMember("id", .id(poll.id)), JSONMember("created_at", .string(AppNetDate.text(poll.created))),
            JSONMember("closed_at", .string(AppNetDate.text(poll.closes))), JSONMember("type", .string(poll.type)),
            JSONMember("prompt", .string(poll.prompt)), JSONMember("is_public", .bool(poll.isPublic)),
            JSONMember("is_anonymous", .bool(poll.isAnonymous)),
            JSONMember("max_options", .count(poll.maximumOptions)),
            JSONMember("options", try options(of: poll)), JSONMember("source", try source(poll.client)),
        ]
        if showsToken { members.append(JSONMember("poll_token", .string(poll.token))) }
        members.append(
            try user(poll.user).map { JSONMember("user", $0) } ?? JSONMember("user_id", .id(poll.user))
        )
        return .object(members + (try annotations(poll.annotations, of: .poll, isPublic: poll.isPublic)))
    }

    /// The options; who chose them is not told before the poll is closed.
    private func options(of poll: PollRecord) throws -> JSONTree {
        let table = PollTable(database: database)
        let mine = isPersonal ? try viewer.user.map { try table.response(to: poll.id, by: $0) ?? [] } : nil
        let responses = now >= poll.closes ? try table.responses(to: poll.id) : nil
        return .array(
            poll.options.enumerated().map { index, text in
                let position = index + 1
                var option: JSONTree = ["text": .string(text), "position": .count(position)]
                if let mine { option.set("is_your_response", .bool(mine.contains(position))) }
                if let responses {
                    let respondents = responses.filter { $0.positions.contains(position) }.map(\.user)
                    option.set("respondents", .count(respondents.count))
                    let sample = respondents.prefix(Self.respondentSample).map(JSONTree.id)
                    if !poll.isAnonymous { option.set("respondent_ids", .array(sample)) }
                }
                return option
            }
        )
    }
}
