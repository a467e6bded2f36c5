internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// pnut's calls for polls (Docs/Protocols/AppNet.md §6.2).
struct PollHandlers: RequestScoped {
    let context: AppNetContext

    /// Returns the poll in the path.
    ///
    /// - Throws: ``AppNetFailure`` with 404 if the poll does not exist, or if it is a private poll that the caller
    ///   cannot see.
    private func poll() throws -> PollRecord {
        guard let poll = try tables.polls.poll(context.id("id")), try reader.sees(poll) else {
            throw AppNetFailure.notFound
        }
        return poll
    }

    /// Handles `POST polls`.
    func create() throws -> AppNetResponse {
        let me = try context.me()
        try require(tables.polls.count() < context.maxima.polls, or: .full("polls"))
        let body = try context.body()
        let draft = try PollDraft(body, now: context.now)
        let poll = try tables.polls.insert(
            PollRecord(
                id: 0,
                user: me,
                client: context.caller.token?.client ?? "",
                created: context.now,
                closes: draft.closes,
                type: draft.type,
                prompt: draft.prompt,
                options: draft.options,
                maximumOptions: draft.maximumOptions,
                isPublic: body["is_public"]?.lenientFlag ?? false,
                isAnonymous: body["is_anonymous"]?.lenientFlag ?? true,
                token: context.state.store.newSecret(),
                annotations: try AnnotationRules(context: context, place: .post).created(body["annotations"])
            )
        )
        try tables.attachments.note(poll.annotations, of: .poll, poll.id)
        context.effects.append(AppNetEvent(kind: .poll, object: poll.id, actor: me))
        return try .object(context.renderer.poll(poll))
    }

    /// Handles `GET polls/{id}`.
    func read() throws -> AppNetResponse { try .object(context.renderer.poll(poll())) }

    /// Handles `GET polls?ids=`.
    func readMany() throws -> AppNetResponse {
        try require(context.parameters["ids"] != nil, "You must supply ids.")
        let renderer = context.renderer
        let found = try context.parameters.ids().compactMap { try tables.polls.poll($0) }
        return .data(.array(try found.compactMap { try renderer.poll($0) }))
    }

    /// Handles `PUT polls/{id}/response`, and the older `PUT polls/{id}/response/{position}`. An empty list withdraws a
    /// response.
    func respond() throws -> AppNetResponse {
        let me = try context.me()
        let poll = try poll()
        try require(tables.users.user(me)?.type == "human", or: .forbidden("Only human users may respond to polls."))
        try require(context.now < poll.closes, "The poll is closed.")
        let positions = try self.positions(of: poll)
        let isFirst = try tables.polls.response(to: poll.id, by: me) == nil
        try tables.polls.setResponse(positions, to: poll.id, by: me, at: context.now)
        if isFirst { context.effects.append(AppNetEvent(kind: .poll, object: poll.id, actor: me)) }
        return try .object(context.renderer.poll(poll))
    }

    private func positions(of poll: PollRecord) throws -> [Int] {
        let sent: [JSONValue]
        if context.path["position"] != nil {
            sent = [.string(context.segment("position"))]
        } else if let list = try context.body()["positions"]?.arrayValue {
            sent = list
        } else {
            throw AppNetFailure.badRequest("You must supply positions, a list of numbers.")
        }
        let numbers = Set(sent.compactMap { $0.lenientText.flatMap { Int($0) } })
        guard numbers.count == sent.count, numbers.allSatisfy({ 1...poll.options.count ~= $0 }) else {
            throw AppNetFailure.badRequest("positions must be different numbers of 1 to \(poll.options.count).")
        }
        guard numbers.count <= poll.maximumOptions else {
            throw AppNetFailure.badRequest("At most \(poll.maximumOptions) of the options can be chosen.")
        }
        return numbers.sorted()
    }

    /// Handles `DELETE polls/{id}`.
    func delete() throws -> AppNetResponse {
        let poll = try poll()
        guard poll.user == (try context.me()) else { throw AppNetFailure.forbidden("This is not your poll.") }
        var document = try require(context.renderer.poll(poll), or: .notFound)
        document["is_deleted"] = .bool(true)
        try tables.files.revoke(grantsOf: poll.annotations)
        try tables.attachments.remove(.poll, poll.id)
        try tables.polls.delete(poll.id)
        context.effects.append(AppNetEvent(kind: .poll, object: poll.id, actor: poll.user, isDeleted: true))
        return .data(document)
    }

    // MARK: Lists

    /// Handles `GET users/me/polls`.
    func listOwn() throws -> AppNetResponse {
        let me = try context.me()
        let renderer = context.renderer
        let includesClosed = context.parameters.flag("include_closed") ?? true
        let includesPrivate = context.parameters.flag("include_private") ?? true
        return try context.page(
            fetch: { try tables.polls.polls(where: "user = ?", [me], $0) },
            id: \.id,
            includes: { poll in
                (includesClosed || context.now < poll.closes) && (includesPrivate || poll.isPublic)
                    && isOfWantedType(poll)
            },
            render: { try renderer.poll($0) }
        )
    }

    /// Handles `GET users/me/polls/responses`. Returns the caller's polls by their responses, latest first.
    func listResponses() throws -> AppNetResponse {
        let me = try context.me()
        let renderer = context.renderer
        let wanted = context.parameters["ids"] == nil ? nil : Set(try context.parameters.ids())
        return try context.page(
            fetch: { try tables.polls.responses(toPollsOf: me, $0) },
            id: \.id,
            includes: { wanted?.contains($0.poll) ?? true },
            render: { try tables.polls.poll($0.poll).flatMap { try renderer.poll($0) } }
        )
    }

    /// Handles `GET polls/search`.
    func search() throws -> AppNetResponse {
        let search = try PollSearch(context.parameters)
        let renderer = context.renderer
        var budget = SearchBudget(context.maxima)
        func matches(_ poll: PollRecord) throws -> Bool {
            try budget.count(poll.prompt)
            guard search.matches(poll), isOfWantedType(poll), try reader.sees(poll) else { return false }
            guard let responded = context.parameters.flag("you_responded"), let me = context.caller.user else {
                return true
            }
            return try (tables.polls.response(to: poll.id, by: me) ?? []).isEmpty != responded
        }
        let isByEnd = context.parameters["order"] == "closed_at"
        return try context.page(
            fetch: { try tables.polls.polls(search, now: context.now, $0, byEnd: isByEnd) },
            id: { isByEnd ? $0.closes << 20 | ($0.id & 1_048_575) : $0.id },
            includes: matches,
            render: { try renderer.poll($0) }
        )
    }

    private func isOfWantedType(_ poll: PollRecord) -> Bool {
        if let types = context.parameters.list("poll_types") { return types.contains(poll.type) }
        return !(context.parameters.list("exclude_poll_types") ?? []).contains(poll.type)
    }
}
