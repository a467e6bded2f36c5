internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

extension AppNetCall {
    var relations: UserRelations { UserRelations(database: database) }

    /// Objects of users by id, in this order; those that are gone are left out.
    func rendered(users ids: [Int64]) throws -> JSONValue { .array(try ids.compactMap(renderer.user)) }

    func readUser() throws -> AppNetAnswer { .data(try renderer.user(user())) }

    /// `GET users?ids=`; `@name` and `me` are ids too.
    func readUsers() throws -> AppNetAnswer {
        let names = parameters.list("ids") ?? []
        guard names.count <= 200 else { throw AppNetFailure.badRequest("At most 200 ids can be asked for.") }
        var seen: Set<Int64> = []
        let found = try names.compactMap { try namedUser($0) }.filter { seen.insert($0.id).inserted }
        return .data(.array(try found.map(renderer.user)))
    }

    /// `GET users/search`: `@name` by the beginning of user names, `#tag` and words in user name, name and description.
    func searchUsers() throws -> AppNetAnswer {
        guard let query = parameters["q"]?.trimming().lowercased(), !query.isEmpty else {
            throw AppNetFailure.badRequest("You must supply a q parameter.")
        }
        let count = min(max(try parameters.integer("count") ?? 20, 1), 200)
        let words = query.split(separator: " ").map(String.init)
        guard words.count <= SearchQuery.maximumTerms else {
            throw AppNetFailure.badRequest("A query has at most \(SearchQuery.maximumTerms) terms.")
        }
        let found = try users.all().filter { user in
            if query.hasPrefix("@") { return user.username.hasPrefix(query.dropFirst()) }
            let text = [user.username, user.name, user.description?.text ?? ""].joined(separator: " ").lowercased()
            return words.allSatisfy { text.contains($0) }
        }
        return .data(.array(try found.prefix(count).map(renderer.user)))
    }

    /// `GET users/{user}/avatar` and `cover`: the query, without the token, is passed on.
    func redirect(to image: UserImage) throws -> AppNetAnswer {
        var url = image.url(try user(), root: request.root)
        let size = ["w", "h"].compactMap { name in
            parameters[name].map { "\(name)=\(PercentEncoding.encodedFormValue($0))" }
        }
        if !size.isEmpty { url += "?" + size.joined(separator: "&") }
        return .redirect(url)
    }
}

extension AppNetCall {
    /// `POST` and `DELETE users/{user}/follow`, `mute`, `block`.
    func setRelation(_ kind: UserRelations.Kind, _ isSet: Bool) throws -> AppNetAnswer {
        let me = try me()
        let other = try user()
        guard other.id != me else { throw AppNetFailure.badRequest("You cannot \(kind.rawValue) yourself.") }
        if isSet {
            try checkMay(kind, me, other.id)
            try change(kind, me, other.id, true)
            if kind == .block {
                // Blocking unfollows both ways and mutes (§2.5).
                try change(.follow, me, other.id, false)
                try change(.follow, other.id, me, false)
                try change(.mute, me, other.id, true)
            }
        } else {
            try change(kind, me, other.id, false)
        }
        return .data(try renderer.user(other))
    }

    private func checkMay(_ kind: UserRelations.Kind, _ me: Int64, _ other: Int64) throws {
        guard kind == .follow else { return }
        guard try relations.mayFollow(me, other) else { throw AppNetFailure.forbidden("You cannot follow this user.") }
        guard try relations.objectCount(.follow, of: me) < maxima.following else {
            throw AppNetFailure.quota("You follow too many users.")
        }
    }

    private func change(_ kind: UserRelations.Kind, _ subject: Int64, _ object: Int64, _ isSet: Bool) throws {
        let isChanged =
            isSet
            ? try relations.add(kind, subject, object, at: now) : try relations.remove(kind, subject, object)
        guard isChanged else { return }
        let event: AppNetEvent.Kind =
            switch kind {
            case .follow: .userFollow
            case .mute: .mute
            case .block: .block
            }
        effects.append(
            AppNetEvent(kind: event, object: object, actor: subject, isDeleted: !isSet, users: [subject, object])
        )
    }

    /// `GET users/{user}/following` and `followers`.
    func listFollows(following: Bool) throws -> AppNetAnswer {
        let user = try user()
        let (given, wanted) = following ? ("follower", "followed") : ("followed", "follower")
        let renderer = renderer
        return try page(
            fetch: { window in
                try Row.fetchAll(
                    database,
                    sql: "SELECT id, \(wanted) FROM appnet_follow WHERE \(given) = ?\(window.sql("id"))",
                    arguments: [user.id]
                )
            },
            id: { $0["id"] as Int64 },
            render: { try renderer.user($0[wanted] as Int64) ?? [:] }
        )
    }

    /// `GET users/{user}/following/ids` and `followers/ids`.
    func listFollowIDs(following: Bool) throws -> AppNetAnswer {
        let user = try user().id
        let ids = following ? try relations.objects(.follow, of: user) : try relations.subjects(.follow, of: user)
        return .data(.array(ids.reversed().map { .id($0) }))
    }

    /// `GET users/{user}/muted` and `blocked`: a user token sees its own, an app token those of its users.
    func listRelation(_ kind: UserRelations.Kind) throws -> AppNetAnswer {
        let user = try user().id
        guard try mayInspect(user) else { throw AppNetFailure.forbidden("This list is not yours.") }
        return .data(try rendered(users: relations.objects(kind, of: user).reversed()))
    }

    /// `GET users/muted/ids` and `blocked/ids` of an app's users.
    func listRelationIDs(_ kind: UserRelations.Kind) throws -> AppNetAnswer {
        let ids = try parameters.ids().filter(mayInspect)
        let lists = try ids.map { id -> JSONObject.Element in
            (String(id), .array(try relations.objects(kind, of: id).map { .id($0) }))
        }
        return .data(.object(lists))
    }

    private func mayInspect(_ user: Int64) throws -> Bool {
        if let me = caller.user { return me == user }
        guard let client = caller.token?.client else { return false }
        return try !tokens.tokens(of: user, client: client).isEmpty
    }
}
