internal import GRDB
internal import HeliumServerKit

/// The rights for polls (Docs/Protocols/AppNet.md §6.2).
extension AppNetReader {
    /// Returns whether the viewer can see a poll. That is the case if the poll is public. With one of the scopes of polls,
    /// it is also the case if the poll is the viewer's own, if the query contains its token, or if the viewer responded to
    /// it. An app stream has the rights of each of the app's users who granted `polls`.
    func sees(_ poll: PollRecord) throws -> Bool {
        if poll.isPublic { return true }
        if isAppStream { return try isEntrusted(with: poll) }
        guard let user = viewer.user, !viewer.scopes.isDisjoint(with: [.polls, .writePost]) else { return false }
        return try knowsToken(of: poll) || tables.polls.response(to: poll.id, by: user) != nil
    }

    private func isEntrusted(with poll: PollRecord) throws -> Bool {
        func isEntrusted(by user: Int64) throws -> Bool {
            try self.isEntrusted(by: user) { $0.scopes.contains(.polls) }
        }
        if try isEntrusted(by: poll.user) { return true }
        // Events of polls are rendered between two writes, and a poll may have very many responses. An event's own
        // response is the latest one, and usually decides.
        return try tables.polls.respondents(to: poll.id).contains(where: isEntrusted)
    }

    /// Returns whether responses contain the token of a poll that the viewer can see. That is the case if the poll is
    /// the viewer's own, or if the query contains the token.
    func knowsToken(of poll: PollRecord) -> Bool {
        if viewer.user == poll.user { return true }
        return [query["poll_token"], query["poll_token_\(poll.id)"]].contains { token in
            token.map { ConstantTime.areEqual($0, poll.token) } ?? false
        }
    }
}
