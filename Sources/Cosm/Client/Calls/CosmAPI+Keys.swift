internal import HTTPTypes
public import HeliumCore
internal import HeliumKit

extension CosmAPI {
    /// The account's keys.
    ///
    /// `GET /keys`; needs a master key: private access, all methods, no restriction (§7).
    ///
    /// - Parameters:
    ///   - feed: Only those for this feed. Default: all.
    ///   - format: JSON or XML.
    /// - Throws: ``CosmError``; `CancellationError`.
    public func keys(for feed: Feed.ID? = nil, format: CosmFormat = .json) async throws -> [APIKey] {
        try await read(.keys, ["feed_id": feed?.text], as: format)
    }

    /// A key. Any key may read itself.
    ///
    /// `GET /keys/{key}`; needs a master key for others (§7). The key stands in the URL, as the service wants it: a log of
    /// URLs would show it.
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func key(_ key: Secret, format: CosmFormat = .json) async throws -> APIKey {
        try await read(Self.path(key), as: format)
    }

    /// Creates a key, which needs a label and a permission.
    ///
    /// `POST /keys`; needs a master key (§7). Members that only the server sets are not sent.
    ///
    /// - Returns: The new key.
    /// - Throws: ``CosmError``; `CancellationError`.
    public func createKey(_ key: APIKey, format: CosmFormat = .json) async throws -> Secret {
        let response = try await write(.post, key.writable, to: .keys, as: format)
        return Secret(try CreatedLocation.id(response, after: "keys"))
    }

    /// Changes a key. Only late servers can.
    ///
    /// `PUT /keys/{key}`; needs a master key (§7).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func updateKey(_ key: Secret, _ changes: APIKey, format: CosmFormat = .json) async throws {
        try await write(.put, changes.writable, to: Self.path(key), as: format)
    }

    /// Deletes a key: it is no longer valid.
    ///
    /// `DELETE /keys/{key}`; needs a master key (§7).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func deleteKey(_ key: Secret) async throws { try await send(.delete, Self.path(key)) }

    private static func path(_ key: Secret) -> ResourcePath { .keys.id("key", key.value) }
}
