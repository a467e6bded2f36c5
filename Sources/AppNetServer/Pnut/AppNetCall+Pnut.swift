internal import HeliumJSON
internal import HeliumServerKit

/// pnut's own calls on files, users and the system (§6.2).
extension AppNetCall {
    var pnut: PnutTable { PnutTable(database: database) }

    // MARK: Files and operations

    /// `DELETE files?ids=`: deletes the caller's files among them at once, and names an operation that tells so.
    func deleteFiles() throws -> AppNetAnswer {
        let me = try me()
        let own = try parameters.ids().compactMap { try files.file($0) }.filter { $0.owner == me }
        guard parameters["ids"] != nil else { throw AppNetFailure.badRequest("You must supply ids.") }
        for file in own { try delete(file) }
        let id = try AppNetStore.newSecret()
        try pnut.insertOperation(id, user: me, total: own.count)
        var answer = AppNetAnswer(content: .none)
        answer.meta = ["status_url": .string("\(request.root)\(AppNetArea.pnutPrefix)/sys/ops/\(id)")]
        return answer
    }

    /// `GET sys/ops/{uuid}`
    func readOperation() throws -> AppNetAnswer {
        let id = segment("uuid")
        guard let total = try pnut.operation(id, of: try me()) else { throw AppNetFailure.notFound }
        return .data([
            "id": .string(id), "type": "file_delete", "status": "completed", "is_complete": .bool(true),
            "total": .count(total), "done": .count(total),
        ])
    }

    /// `GET sys/stats`
    func readStatistics() throws -> AppNetAnswer {
        .data([
            "counts": [
                "users": .count(try users.all().count), "files": .count(try files.count()),
                "channels": .count(try channels.count()), "messages": .count(try messages.count()),
            ]
        ])
    }

    // MARK: Users

    /// `GET users/suggested`: those whom the caller does not follow yet; at most `count`, 20 by default.
    func suggestUsers() throws -> AppNetAnswer {
        let me = try me()
        let known = Set(try relations.objects(.follow, of: me)).union([me])
        let count = min(max(try parameters.integer("count") ?? 20, 1), 200)
        let others = try users.all().lazy.map(\.id).filter { !known.contains($0) }.prefix(count)
        return .data(.array(try others.compactMap { try renderer.user($0) }))
    }

    /// `DELETE users/me/avatar` and `cover`: back to the picture of the beginning.
    func removeImage(_ image: UserImage) throws -> AppNetAnswer {
        guard var user = try users.user(try me()) else { throw AppNetFailure.notFound }
        switch image {
        case .avatar: user.avatar = nil
        case .cover: user.cover = nil
        }
        try users.update(user)
        effects.append(AppNetEvent(kind: .user, object: user.id, actor: user.id))
        return .data(try renderer.user(user))
    }

    // MARK: Posts

    /// `GET posts/{id}/interactions`: what others did with a post, one by one.
    func listPostInteractions() throws -> AppNetAnswer {
        let post = try post()
        let renderer = renderer
        let actions = parameters.list("interaction_actions").map(Set.init) ?? ["reply", "repost", "star"]
        return try page(
            fetch: { try pnut.deeds(on: post.id, $0) },
            id: \.id,
            includes: { actions.contains($0.action) },
            render: { deed in
                try renderer.interaction(
                    InteractionGroup(
                        id: deed.id,
                        action: deed.action,
                        object: deed.object,
                        date: deed.created,
                        users: [deed.actor]
                    )
                )
            }
        )
    }
}
