internal import HTTPTypes

extension AppNetRoutes {
    /// Polls (AppNet.md §6.2).
    static let pollRoutes: [AppNetRoute] = [
        pnutOwn(.post, "polls", scopes: [.polls, .writePost]) { try PollHandlers($0).create() },
        pnutOwn(.get, "polls", scopes: [.polls]) { try PollHandlers($0).readMany() },
        pnutOwn(.get, "polls/search", access: .any, isPaginated: true) { try PollHandlers($0).search() },
        pnutOwn(.get, "polls/{id}", scopes: [.polls]) { try PollHandlers($0).read() },
        pnutOwn(.delete, "polls/{id}", scopes: [.polls]) { try PollHandlers($0).delete() },
        pnutOwn(.put, "polls/{id}/response", scopes: [.polls, .writePost]) { try PollHandlers($0).respond() },
        pnutOwn(.put, "polls/{id}/response/{position}", scopes: [.polls, .writePost]) {
            try PollHandlers($0).respond()
        },
        pnutOwn(.get, "users/me/polls", scopes: [.polls], isPaginated: true) { try PollHandlers($0).listOwn() },
        pnutOwn(.get, "users/me/polls/responses", scopes: [.polls], isPaginated: true) {
            try PollHandlers($0).listResponses()
        },
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
