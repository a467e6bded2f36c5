internal import HTTPTypes
internal import HeliumKit

extension CosmAPI {
    /// The triggers of the account.
    ///
    /// `GET /triggers`; needs `get` (§8).
    ///
    /// - Parameters:
    ///   - feed: Only those on this feed. Default: all.
    ///   - format: JSON or XML.
    /// - Throws: ``CosmError``; `CancellationError`.
    public func triggers(on feed: Feed.ID? = nil, format: CosmFormat = .json) async throws -> [Trigger] {
        try await read(.triggers, ["feed_id": feed?.text], as: format)
    }

    /// A trigger.
    ///
    /// `GET /triggers/{id}`; needs `get` (§8).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func trigger(_ id: Trigger.ID, format: CosmFormat = .json) async throws -> Trigger {
        try await read(Self.path(id), as: format)
    }

    /// Creates a trigger, which needs feed, datastream, URL and condition.
    ///
    /// `POST /triggers`; needs `post` (§8). Members that only the server sets are not sent.
    ///
    /// - Parameters:
    ///   - trigger: The trigger; it may watch somebody else's public feed.
    ///   - format: JSON or XML.
    /// - Returns: The new trigger's id.
    /// - Throws: ``CosmError``; `CancellationError`.
    @discardableResult
    public func createTrigger(_ trigger: Trigger, format: CosmFormat = .json) async throws -> Trigger.ID {
        let response = try await write(.post, trigger.writable, to: .triggers, as: format)
        return Trigger.ID(try CreatedLocation.id(response, after: "triggers"))
    }

    /// Changes a trigger. What is `nil` stays.
    ///
    /// `PUT /triggers/{id}`; needs `put` (§8).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func updateTrigger(_ id: Trigger.ID, _ trigger: Trigger, format: CosmFormat = .json) async throws {
        try await write(.put, trigger.writable, to: Self.path(id), as: format)
    }

    /// Deletes a trigger.
    ///
    /// `DELETE /triggers/{id}`; needs `delete` (§8).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func deleteTrigger(_ id: Trigger.ID) async throws { try await send(.delete, Self.path(id)) }

    private static func path(_ id: Trigger.ID) -> ResourcePath { .triggers.id("trigger", id.text) }
}
