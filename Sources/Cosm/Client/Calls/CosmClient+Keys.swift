internal import HTTPTypes
public import HeliumCore
internal import HeliumKit

extension CosmClient {
    /// Reads the keys of the account. ``CosmList/unreadable`` has those that cannot be read.
    ///
    /// `GET /keys`; needs a master key: private access, all methods, no restriction (Docs/Protocols/Cosm.md §7).
    ///
    /// - Parameters:
    ///   - feed: Only the keys for this feed. Default: all keys.
    ///   - format: JSON or XML.
    /// - Throws: ``CosmError``; `CancellationError`.
    public func keys(for feed: Feed.ID? = nil, format: CosmFormat = .json) async throws -> CosmList<APIKey> {
        try await read(.keys, ["feed_id": feed?.text], as: format)
    }

    /// Reads a key. Any key may read itself.
    ///
    /// `GET /keys/{key}`; needs a master key to read another key (Docs/Protocols/Cosm.md §7). The service requires the
    /// key in the URL, so it appears in logs of URLs.
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func key(_ key: Secret, format: CosmFormat = .json) async throws -> APIKey {
        try await read(Self.path(key), as: format)
    }

    /// Creates a key. It needs a label and at least one permission.
    ///
    /// `POST /keys`; needs a master key (Docs/Protocols/Cosm.md §7). Members that only the server sets are not sent.
    ///
    /// - Returns: The new key.
    /// - Throws: ``CosmError``; `CancellationError`.
    public func createKey(_ key: APIKey, format: CosmFormat = .json) async throws -> Secret {
        let response = try await write(.post, key.writable, to: .keys, as: format)
        return Secret(try CreatedLocation.id(response, after: "keys"))
    }

    /// Changes a key. Only late versions of the service support it.
    ///
    /// `PUT /keys/{key}`; needs a master key (Docs/Protocols/Cosm.md §7).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func updateKey(_ key: Secret, _ changes: APIKey, format: CosmFormat = .json) async throws {
        try await write(.put, changes.writable, to: Self.path(key), as: format)
    }

    /// Deletes a key. It is invalid from then on.
    ///
    /// `DELETE /keys/{key}`; needs a master key (Docs/Protocols/Cosm.md §7).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func deleteKey(_ key: Secret) async throws { try await send(.delete, Self.path(key)) }

    private static func path(_ key: Secret) -> ResourcePath { .keys.id("key", key.value) }
}
