/// The call that lists the interactions of other users with the caller (Docs/Protocols/AppNet.md §2.9).
struct InteractionHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `GET users/me/interactions`.
    func list() throws -> AppNetResponse {
        let me = try context.me()
        let wanted = context.parameters.list("interaction_actions").map(Set.init)
        let known = context.request.dialect.interactions
        var hidden = Set(try tables.relations.objects(.block, of: me))
        if !context.options.includesMuted { hidden.formUnion(try tables.relations.objects(.mute, of: me)) }
        let records = try tables.interactions.records(to: me).filter { record in
            !hidden.contains(record.actor) && known.contains(record.action) && wanted?.contains(record.action) ?? true
        }
        let groups = InteractionGroup.groups(of: records)
        return try context.page(of: groups, id: \.id, render: context.renderer.interaction)
    }
}
