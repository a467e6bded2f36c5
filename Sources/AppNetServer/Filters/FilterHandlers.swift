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
        try require(tables.filters.count(of: me) < FilterTable.maximumOfOwner, or: .full("filters"))
        let filter = try tables.filters.insert(FilterRecord(id: 0, owner: me, context.body()))
        return try .object(context.renderer.filter(filter))
    }

    /// Handles `GET filters`.
    func list() throws -> AppNetResponse { try list(maximumBytes: AnswerLimits.bytes) }

    /// Returns the caller's filters. They are read one by one, because each can have a megabyte.
    private func list(maximumBytes: Int) throws -> AppNetResponse {
        let renderer = context.renderer
        return try context.list(tables.filters.ids(of: context.me()), id: \.self, maximumBytes: maximumBytes) { id in
            try tables.filters.filter(id).flatMap(renderer.filter)
        }
    }

    /// Handles `GET filters/{id}`.
    func read() throws -> AppNetResponse { try .object(context.renderer.filter(filter())) }

    /// Handles `PUT filters/{id}`.
    func replace() throws -> AppNetResponse {
        let old = try filter()
        let filter = try FilterRecord(id: old.id, owner: old.owner, context.body())
        try requireRoom(for: filter)
        try tables.filters.update(filter)
        return try .object(context.renderer.filter(filter))
    }

    /// Checks that the filters of the streams of each app that uses a filter are not too long with its new content.
    private func requireRoom(for filter: FilterRecord) throws {
        let clients = try tables.appStreams.clients(ofFilter: filter.id)
        guard !clients.isEmpty else { return }
        let bytes = filter.document.text().utf8.count
        // A filter that an older server let become too long can become shorter.
        if try bytes <= tables.filters.size(of: filter.id) { return }
        for client in clients {
            let others = try tables.filters.bytes(ofClient: client, filter: filter.id)
            try require(others + bytes <= AppStreamTable.filterBytesOfApp, or: .filtersTooLong)
        }
    }

    /// Handles `DELETE filters/{id}`.
    func delete() throws -> AppNetResponse {
        let filter = try filter()
        try tables.filters.delete(filter.id)
        return try .object(context.renderer.filter(filter))
    }

    /// The maximum size of the filters in the response to their deletion, which is made inside of the write.
    private static let deletedBytes = 256 * 1024

    /// Handles `DELETE filters`. The response has the newest filters, and `more` if there were others.
    func deleteAll() throws -> AppNetResponse {
        let answer = try list(maximumBytes: Self.deletedBytes)
        try tables.filters.deleteAll(of: context.me())
        return answer
    }
}
