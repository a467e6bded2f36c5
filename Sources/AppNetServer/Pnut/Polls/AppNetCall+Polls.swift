internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// pnut's calls of polls (AppNet.md §6.2).
extension AppNetCall {
    /// The poll that the path names.
    ///
    /// - Throws: ``AppNetFailure`` with 404 for one that does not exist, and for a private one of somebody else without
    ///   its token.
    private func poll() throws -> PollRecord {
        guard let poll = try polls.poll(id("id")), try isOpen(poll) else { throw AppNetFailure.notFound }
        return poll
    }

    /// Whether the caller may see a poll: his own, a public one, one that he knows the token of, one that he answered.
    private func isOpen(_ poll: PollRecord) throws -> Bool {
        guard let me = caller.user else { return poll.isPublic }
        return try poll.isPublic || poll.user == me || hasToken(of: poll) || polls.response(to: poll.id, by: me) != nil
    }

    /// Whether the query has the poll's token.
    private func hasToken(of poll: PollRecord) -> Bool {
        [parameters["poll_token"], parameters["poll_token_\(poll.id)"]].contains { token in
            token.map { ConstantTime.areEqual($0, poll.token) } ?? false
        }
    }

    private func rendered(_ poll: PollRecord, by renderer: AppNetRenderer) throws -> JSONValue {
        try renderer.poll(poll, showsToken: poll.user == caller.user || hasToken(of: poll))
    }

    /// `POST polls`
    func createPoll() throws -> AppNetAnswer {
        let me = try me()
        guard try polls.count() < maxima.polls else { throw AppNetFailure.full("polls") }
        let body = try body()
        let draft = try PollDraft(body, now: now)
        let poll = try polls.insert(
            PollRecord(
                id: 0,
                user: me,
                client: caller.token?.client ?? "",
                created: now,
                closes: draft.closes,
                type: draft.type,
                prompt: draft.prompt,
                options: draft.options,
                maximumOptions: draft.maximumOptions,
                isPublic: body["is_public"]?.lenientFlag ?? false,
                isAnonymous: body["is_anonymous"]?.lenientFlag ?? true,
                token: try AppNetStore.newSecret(),
                annotations: try AnnotationRules(call: self, place: .post).created(body["annotations"])
            )
        )
        try attachments.note(poll.annotations, of: .poll, poll.id)
        effects.append(AppNetEvent(kind: .poll, object: poll.id, actor: me))
        return .data(try rendered(poll, by: renderer))
    }

    /// `GET polls/{id}`
    func readPoll() throws -> AppNetAnswer { .data(try rendered(poll(), by: renderer)) }

    /// `GET polls?ids=`
    func readPolls() throws -> AppNetAnswer {
        guard parameters["ids"] != nil else { throw AppNetFailure.badRequest("You must supply ids.") }
        let renderer = renderer
        let found = try parameters.ids().compactMap { try polls.poll($0) }.filter(isOpen)
        return .data(.array(try found.map { try rendered($0, by: renderer) }))
    }

    /// `PUT polls/{id}/response`, and the older `PUT polls/{id}/response/{position}`: an empty list takes a response
    /// back.
    func respondToPoll() throws -> AppNetAnswer {
        let me = try me()
        let poll = try poll()
        guard try users.user(me)?.type == "human" else {
            throw AppNetFailure.forbidden("Only human users may respond to polls.")
        }
        guard now < poll.closes else { throw AppNetFailure.badRequest("The poll is closed.") }
        let positions = try self.positions(of: poll)
        let isFirst = try polls.response(to: poll.id, by: me) == nil
        try polls.setResponse(positions, to: poll.id, by: me, at: now)
        if isFirst { effects.append(AppNetEvent(kind: .poll, object: poll.id, actor: me)) }
        return .data(try rendered(poll, by: renderer))
    }

    private func positions(of poll: PollRecord) throws -> [Int] {
        let sent: [JSONValue]
        if path["position"] != nil {
            sent = [.string(segment("position"))]
        } else if let list = try body()["positions"]?.arrayValue {
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

    /// `DELETE polls/{id}`
    func deletePoll() throws -> AppNetAnswer {
        let poll = try poll()
        guard poll.user == (try me()) else { throw AppNetFailure.forbidden("This is not your poll.") }
        var document = try rendered(poll, by: renderer)
        document["is_deleted"] = .bool(true)
        try files.revoke(grantsOf: poll.annotations)
        try attachments.remove(.poll, poll.id)
        try polls.delete(poll.id)
        effects.append(AppNetEvent(kind: .poll, object: poll.id, actor: poll.user, isDeleted: true))
        return .data(document)
    }

    // MARK: Lists

    /// `GET users/me/polls`
    func listOwnPolls() throws -> AppNetAnswer {
        let me = try me()
        let renderer = renderer
        let includesClosed = parameters.flag("include_closed") ?? true
        let includesPrivate = parameters.flag("include_private") ?? true
        return try page(
            fetch: { try polls.polls(where: "user = ?", [me], ordered: $0.sql("id")) },
            id: \.id,
            includes: { poll in
                (includesClosed || now < poll.closes) && (includesPrivate || poll.isPublic) && isOfWantedType(poll)
            },
            render: { try rendered($0, by: renderer) }
        )
    }

    /// `GET users/me/polls/responses`: the caller's polls by the responses to them, the latest first.
    func listPollResponses() throws -> AppNetAnswer {
        let me = try me()
        let renderer = renderer
        let wanted = parameters["ids"] == nil ? nil : Set(try parameters.ids())
        return try page(
            fetch: { try polls.responses(toPollsOf: me, $0) },
            id: \.id,
            includes: { wanted?.contains($0.poll) ?? true },
            render: { try polls.poll($0.poll).map { try rendered($0, by: renderer) } ?? [:] }
        )
    }

    /// `GET polls/search`
    func searchPolls() throws -> AppNetAnswer {
        let search = try PollSearch(parameters)
        let renderer = renderer
        func matches(_ poll: PollRecord) throws -> Bool {
            guard search.matches(poll, now: now), isOfWantedType(poll), try isOpen(poll) else { return false }
            guard let responded = parameters.flag("you_responded"), let me = caller.user else { return true }
            return try (polls.response(to: poll.id, by: me) ?? []).isEmpty != responded
        }
        if parameters["order"] == "closed_at" {
            // Instants of 32 bits and ids of 20, within what a bound of a page may be.
            return try page(
                fetch: { try polls.polls(ordered: $0.sql("((closes << 20) | (id & 1048575))")) },
                id: { $0.closes << 20 | ($0.id & 1_048_575) },
                includes: matches,
                render: { try rendered($0, by: renderer) }
            )
        }
        return try page(
            fetch: { try polls.polls(ordered: $0.sql("id")) },
            id: \.id,
            includes: matches,
            render: { try rendered($0, by: renderer) }
        )
    }

    private func isOfWantedType(_ poll: PollRecord) -> Bool {
        if let types = parameters.list("poll_types") { return types.contains(poll.type) }
        return !(parameters.list("exclude_poll_types") ?? []).contains(poll.type)
    }
}

/// The criteria of a search for polls (AppNet.md §6.2).
struct PollSearch: Sendable {
    private var earliest: Int64?
    private var latest: Int64?
    private var creator: Int64?
    private var flags: (isAnonymous: Bool?, isClosed: Bool?, isPublic: Bool?)
    private var rawTypes: Set<String>?
    private var query: SearchQuery?

    /// - Throws: ``AppNetFailure`` with 400 for what is not known.
    init(_ parameters: AppNetParameters) throws(AppNetFailure) {
        guard ["id", "closed_at"].contains(parameters["order"] ?? "id") else {
            throw .badRequest("order must be id or closed_at.")
        }
        func seconds(_ name: String) throws(AppNetFailure) -> Int64? {
            guard let text = parameters[name] else { return nil }
            guard let seconds = AppNetDate.seconds(text) else { throw .badRequest("\(name) must be a date.") }
            return seconds
        }
        earliest = try seconds("created_after")
        latest = try seconds("created_before")
        // What is no id is nobody's.
        creator = parameters["creator_id"].map { Int64($0) ?? -1 }
        flags = (parameters.flag("is_anonymous"), parameters.flag("is_closed"), parameters.flag("is_public"))
        rawTypes = parameters.list("raw_types").map { Set($0.map(PnutNames.appNet)) }
        if let text = parameters["q"] { query = try SearchQuery(text, findsEntities: false) }
    }

    func matches(_ poll: PollRecord, now: Int64) -> Bool {
        guard earliest ?? .min <= poll.created, poll.created <= latest ?? .max, creator ?? poll.user == poll.user,
            flags.isAnonymous ?? poll.isAnonymous == poll.isAnonymous, flags.isPublic ?? poll.isPublic == poll.isPublic,
            flags.isClosed.map({ $0 == (now >= poll.closes) }) ?? true
        else { return false }
        if let rawTypes {
            let types = Set(poll.annotations.compactMap { $0["type"]?.stringValue })
            guard !rawTypes.isDisjoint(with: types) else { return false }
        }
        return query?.matches(SearchDocument(text: poll.prompt)) ?? true
    }
}
