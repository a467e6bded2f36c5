internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The calls that follow, mute and block users, and list these relations (Docs/Protocols/AppNet.md §2.5).
struct RelationHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `POST` and `DELETE` of `users/{user}/follow`, `mute` and `block`.
    func set(_ kind: UserRelations.Kind, _ isSet: Bool) throws -> AppNetResponse {
        let me = try context.me()
        let other = try UserFinder(context).user()
        try require(other.id != me, "You cannot \(kind.rawValue) yourself.")
        if isSet {
            try checkMay(kind, me, other.id)
            try change(kind, me, other.id, true)
            if kind == .block {
                // Blocking removes the follows in both directions and mutes the user (Docs/Protocols/AppNet.md §2.5).
                try change(.follow, me, other.id, false)
                try change(.follow, other.id, me, false)
                try change(.mute, me, other.id, true)
            }
        } else {
            try change(kind, me, other.id, false)
        }
        return .data(try context.renderer.user(other))
    }

    private func checkMay(_ kind: UserRelations.Kind, _ me: Int64, _ other: Int64) throws {
        guard kind == .follow else { return }
        try require(tables.relations.mayFollow(me, other), or: .forbidden("You cannot follow this user."))
        guard try tables.relations.objectCount(.follow, of: me) < context.maxima.following else {
            throw AppNetFailure.quota("You follow too many users.")
        }
    }

    private func change(_ kind: UserRelations.Kind, _ subject: Int64, _ object: Int64, _ isSet: Bool) throws {
        let isChanged =
            isSet
            ? try tables.relations.add(kind, subject, object, at: context.now)
            : try tables.relations.remove(kind, subject, object)
        guard isChanged else { return }
        let event: AppNetEvent.Kind =
            switch kind {
            case .follow: .userFollow
            case .mute: .mute
            case .block: .block
            }
        context.effects.append(
            AppNetEvent(kind: event, object: object, actor: subject, isDeleted: !isSet, users: [subject, object])
        )
    }

    /// Handles `GET users/{user}/following` and `followers`.
    func listFollows(following: Bool) throws -> AppNetResponse {
        let user = try UserFinder(context).user()
        let renderer = context.renderer
        return try context.page(
            fetch: { try tables.relations.follows(of: user.id, following: following, $0) },
            id: \.id,
            render: { try renderer.user($0.user) }
        )
    }

    /// Handles `GET users/{user}/following/ids` and `followers/ids`.
    func listFollowIDs(following: Bool) throws -> AppNetResponse {
        let user = try UserFinder(context).user().id
        let relations = tables.relations
        let ids = following ? try relations.objects(.follow, of: user) : try relations.subjects(.follow, of: user)
        return .data(.array(ids.reversed().map { .id($0) }))
    }

    /// Handles `GET users/{user}/muted` and `blocked`. A user token can list its own user's, and an app token those of
    /// the app's users.
    func list(_ kind: UserRelations.Kind) throws -> AppNetResponse {
        let user = try UserFinder(context).user().id
        try require(mayInspect(user), or: .forbidden("This list is not yours."))
        let renderer = context.renderer
        return try context.list(
            tables.relations.links(kind, of: user),
            id: \.id,
            render: { try renderer.user($0.user) }
        )
    }

    /// Handles `GET users/muted/ids` and `blocked/ids` for an app's users.
    func listIDs(_ kind: UserRelations.Kind) throws -> AppNetResponse {
        let ids = try context.parameters.ids().filter(mayInspect)
        let lists = try ids.map { id -> JSONObject.Element in
            (String(id), .array(try tables.relations.objects(kind, of: id).map { .id($0) }))
        }
        return .data(.object(lists))
    }

    private func mayInspect(_ user: Int64) throws -> Bool {
        if let me = context.caller.user { return me == user }
        guard let client = context.caller.token?.client else { return false }
        return try !tables.tokens.tokens(of: user, client: client).isEmpty
    }
}
