/// The calls for filters of app streams; a user token, App.net only (Docs/Protocols/AppNet.md §2.11).
public struct FilterCalls: Sendable {
    let client: AppNetClient

    /// Creates a filter.
    ///
    /// `POST filters`; a user token.
    ///
    /// - Parameter filter: The new filter. The name, match policy and clauses are sent; other members are not.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func create(_ filter: StreamFilter) async throws -> StreamFilter {
        try await client.value(CallRequest(.createFilter, body: .object(filter.sent())))
    }

    /// Returns a filter.
    ///
    /// `GET filters/{id}`; a user token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(_ id: StreamFilter.ID) async throws -> StreamFilter {
        try await client.value(CallRequest(.filter, ["filter": id.text]))
    }

    /// Replaces all members of a filter.
    ///
    /// `PUT filters/{id}`; a user token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func replace(_ id: StreamFilter.ID, with filter: StreamFilter) async throws -> StreamFilter {
        try await client.value(CallRequest(.replaceFilter, ["filter": id.text], body: .object(filter.sent())))
    }

    /// Deletes a filter.
    ///
    /// `DELETE filters/{id}`; a user token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func delete(_ id: StreamFilter.ID) async throws -> StreamFilter {
        try await client.value(CallRequest(.deleteFilter, ["filter": id.text]))
    }

    /// Returns the filters of the token's user.
    ///
    /// `GET filters`; a user token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func all() async throws -> [StreamFilter] { try await client.value(CallRequest(.filters)) }

    /// Deletes all filters of the token's user.
    ///
    /// `DELETE filters`; a user token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func deleteAll() async throws -> [StreamFilter] { try await client.value(CallRequest(.deleteFilters)) }
}
