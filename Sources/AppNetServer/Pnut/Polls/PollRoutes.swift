internal import HTTPTypes

extension AppNetRoutes {
    /// The calls for polls (Docs/Protocols/AppNet.md §6.2).
    static let pollCalls: [AppNetRoute] = [
        AppNetRoute(.post, "polls", scopes: [.polls, .writePost], by: PollHandlers.create),
        AppNetRoute(.get, "polls", scopes: [.polls], by: PollHandlers.readMany),
        AppNetRoute(.get, "polls/search", .any, isPaginated: true, by: PollHandlers.search),
        AppNetRoute(.get, "polls/{id}", scopes: [.polls], by: PollHandlers.read),
        AppNetRoute(.delete, "polls/{id}", scopes: [.polls], by: PollHandlers.delete),
        AppNetRoute(.put, "polls/{id}/response", scopes: [.polls, .writePost], by: PollHandlers.respond),
        AppNetRoute(.put, "polls/{id}/response/{position}", scopes: [.polls, .writePost], by: PollHandlers.respond),
        AppNetRoute(.get, "users/me/polls", scopes: [.polls], isPaginated: true, by: PollHandlers.listOwn),
        AppNetRoute(.get, "users/me/polls/responses", scopes: [.polls], isPaginated: true) {
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
