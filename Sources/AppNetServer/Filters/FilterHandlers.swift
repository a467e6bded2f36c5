internal import HeliumJSON

/// The calls for filters of app streams (Docs/Protocols/AppNet.md §2.11).
struct FilterHandlers: RequestScoped {
    let context: AppNetContext

    /// Returns the caller's filter in the path.
    private func filter() throws -> FilterRecord {
        guard let filter = try tables.filters.filter(context.id("id")), try reader.sees(filter) else {
            throw AppNetFailure.notFound
        }
        return filter
    }

    /// Handles `POST filters`.
    func create() throws -> AppNetResponse {
        let me = try context.me()
        try require(tables.filters.filters(of: me).count < FilterTable.maximumOfOwner, or: .full("filters"))
        let filter = try tables.filters.insert(FilterRecord(id: 0, owner: me, context.body()))
        return try .object(context.renderer.filter(filter))
    }

    /// Handles `GET filters`.
    func list() throws -> AppNetResponse {
        .data(.array(try tables.filters.filters(of: context.me()).compactMap(context.renderer.filter)))
    }

    /// Handles `GET filters/{id}`.
    func read() throws -> AppNetResponse { try .object(context.renderer.filter(filter())) }

    /// Handles `PUT filters/{id}`.
    func replace() throws -> AppNetResponse {
        let old = try filter()
        let filter = try FilterRecord(id: old.id, owner: old.owner, context.body())
        try tables.filters.update(filter)
        return try .object(context.renderer.filter(filter))
    }

    /// Handles `DELETE filters/{id}`.
    func delete() throws -> AppNetResponse {
        let filter = try filter()
        try tables.filters.delete(filter.id)
        return try .object(context.renderer.filter(filter))
    }

    /// Handles `DELETE filters`.
    func deleteAll() throws -> AppNetResponse {
        let all = try tables.filters.filters(of: context.me())
        for filter in all { try tables.filters.delete(filter.id) }
        return .data(.array(try all.compactMap(context.renderer.filter)))
    }
}
