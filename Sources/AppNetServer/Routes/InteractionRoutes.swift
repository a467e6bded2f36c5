internal import HTTPTypes

extension AppNetRoutes {
    /// Interactions (§2.9).
    static let interactionRoutes: [AppNetRoute] = [
        AppNetRoute(.get, path: "users/me/interactions", access: .user, isPaginated: true) { try $0.interactions() }
    ]
}

extension AppNetCall {
    fileprivate func interactions() throws -> AppNetAnswer {
        let me = try me()
        let wanted = parameters.list("interaction_actions").map(Set.init)
        let known = request.isPnut ? PnutNames.actions : InteractionTable.actions
        let relations = UserRelations(database: database)
        var hidden = Set(try relations.objects(.block, of: me))
        if !options.includesMuted { hidden.formUnion(try relations.objects(.mute, of: me)) }
        let deeds = try InteractionTable(database: database).deeds(to: me).filter { deed in
            !hidden.contains(deed.actor) && known.contains(deed.action) && wanted?.contains(deed.action) ?? true
        }
        let groups = InteractionGroup.groups(of: deeds)
        let renderer = renderer
        return try page(
            fetch: { window in
                let inside = groups.filter { group in
                    group.id > window.since ?? .min && group.id < window.before ?? .max
                }
                return Array((window.isAscending ? inside.reversed() : inside).prefix(window.limit))
            },
            id: \.id,
            render: { try renderer.interaction($0) }
        )
    }
}
