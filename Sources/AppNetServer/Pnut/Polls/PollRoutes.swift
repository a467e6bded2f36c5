internal import HTTPTypes

extension AppNetRoutes {
    /// Polls (AppNet.md §6.2).
    static let pollRoutes: [AppNetRoute] = [
        pnutOwn(.post, "polls", scopes: [.polls, .writePost]) { try $0.createPoll() },
        pnutOwn(.get, "polls", scopes: [.polls]) { try $0.readPolls() },
        pnutOwn(.get, "polls/search", access: .any, isPaginated: true) { try $0.searchPolls() },
        pnutOwn(.get, "polls/{id}", scopes: [.polls]) { try $0.readPoll() },
        pnutOwn(.delete, "polls/{id}", scopes: [.polls]) { try $0.deletePoll() },
        pnutOwn(.put, "polls/{id}/response", scopes: [.polls, .writePost]) { try $0.respondToPoll() },
        pnutOwn(.put, "polls/{id}/response/{position}", scopes: [.polls, .writePost]) { try $0.respondToPoll() },
        pnutOwn(.get, "users/me/polls", scopes: [.polls], isPaginated: true) { try $0.listOwnPolls() },
        pnutOwn(.get, "users/me/polls/responses", scopes: [.polls], isPaginated: true) { try $0.listPollResponses() },
    ]
}

extension PnutRoutes {
    static let polls: [PnutRoute] = [
        PnutRoute(.post, at: "polls", in: .pnut, takes: .poll, gives: .poll, status: .created),
        PnutRoute(.get, at: "polls", in: .pnut, gives: .poll),
        PnutRoute(.get, at: "polls/search", in: .pnut, gives: .poll),
        PnutRoute(.get, .delete, at: "polls/{id}", in: .pnut, gives: .poll),
        PnutRoute(.put, at: "polls/{id}/response", in: .pnut, gives: .poll),
        PnutRoute(.put, at: "polls/{id}/response/{position}", in: .pnut, gives: .poll),
        PnutRoute(.get, at: "users/me/polls", in: .pnut, gives: .poll),
        PnutRoute(.get, at: "users/me/polls/responses", in: .pnut, gives: .poll),
    ]
}
