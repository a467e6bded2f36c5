internal import HeliumJSON

/// The calls on filters of app streams (§2.11).
struct FilterHandlers: RequestScoped {
    let context: AppNetContext

    /// The caller's filter that the path names.
    private func filter() throws -> FilterRecord {
        guard let filter = try tables.filters.filter(context.id("id")), filter.owner == (try context.me()) else {
            throw AppNetFailure.notFound
        }
        return filter
    }

    /// `POST filters`
    func create() throws -> AppNetAnswer {
        let me = try context.me()
        try require(tables.filters.filters(of: me).count < FilterTable.maximumOfOwner, or: .full("filters"))
        let filter = try tables.filters.insert(FilterRecord(id: 0, owner: me, context.body()))
        return .data(try context.renderer.filter(filter))
    }

    /// `GET filters`
    func list() throws -> AppNetAnswer {
        .data(.array(try tables.filters.filters(of: context.me()).map(context.renderer.filter)))
    }

    /// `GET filters/{id}`
    func read() throws -> AppNetAnswer { .data(try context.renderer.filter(filter())) }

    /// `PUT filters/{id}`
    func replace() throws -> AppNetAnswer {
        let old = try filter()
        let filter = try FilterRecord(id: old.id, owner: old.owner, context.body())
        try tables.filters.update(filter)
        return .data(try context.renderer.filter(filter))
    }

    /// `DELETE filters/{id}`
    func delete() throws -> AppNetAnswer {
        let filter = try filter()
        try tables.filters.delete(filter.id)
        return .data(try context.renderer.filter(filter))
    }

    /// `DELETE filters`
    func deleteAll() throws -> AppNetAnswer {
        let all = try tables.filters.filters(of: context.me())
        for filter in all { try tables.filters.delete(filter.id) }
        return .data(.array(try all.map(context.renderer.filter)))
    }
}
