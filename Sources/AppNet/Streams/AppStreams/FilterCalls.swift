/// The calls of filters (§2.11), which app streams use. A user token; App.net only.
public struct FilterCalls: Sendable {
    let client: AppNetClient

    /// Creates a filter.
    ///
    /// `POST filters`; a user token.
    ///
    /// - Parameter filter: Name, match policy and clauses; the rest is not sent.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func create(_ filter: StreamFilter) async throws -> StreamFilter {
        try await client.value(CallRequest(.createFilter, body: .object(filter.sent())))
    }

    /// A filter.
    ///
    /// `GET filters/{id}`; a user token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(_ id: StreamFilter.ID) async throws -> StreamFilter {
        try await client.value(CallRequest(.filter, ["filter": id.text]))
    }

    /// Replaces a filter, all of it.
    ///
    /// `PUT filters/{id}`; a user token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func replace(_ id: StreamFilter.ID, with filter: StreamFilter) async throws -> StreamFilter {
        try await client.value(CallRequest(.replaceFilter, ["filter": id.text], body: .object(filter.sent())))
    }

    /// Deletes a filter.
    ///
    /// `DELETE filters/{id}`; a user token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func delete(_ id: StreamFilter.ID) async throws -> StreamFilter {
        try await client.value(CallRequest(.deleteFilter, ["filter": id.text]))
    }

    /// The filters of the token's user.
    ///
    /// `GET filters`; a user token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func all() async throws -> [StreamFilter] { try await client.value(CallRequest(.filters)) }

    /// Deletes the filters of the token's user.
    ///
    /// `DELETE filters`; a user token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func deleteAll() async throws -> [StreamFilter] { try await client.value(CallRequest(.deleteFilters)) }
}
