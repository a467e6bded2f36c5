internal import HTTPTypes
internal import HeliumKit

extension CosmClient {
    /// Reads the triggers of the account. ``CosmList/unreadable`` names those that cannot be read.
    ///
    /// `GET /triggers`; needs `get` (Docs/Protocols/Cosm.md §8).
    ///
    /// - Parameters:
    ///   - feed: Only the triggers on this feed. Default: all triggers.
    ///   - format: JSON or XML.
    /// - Throws: ``CosmError``; `CancellationError`.
    public func triggers(on feed: Feed.ID? = nil, format: CosmFormat = .json) async throws -> CosmList<Trigger> {
        try await read(.triggers, ["feed_id": feed?.text], as: format)
    }

    /// Reads a trigger.
    ///
    /// `GET /triggers/{id}`; needs `get` (Docs/Protocols/Cosm.md §8).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func trigger(_ id: Trigger.ID, format: CosmFormat = .json) async throws -> Trigger {
        try await read(Self.path(id), as: format)
    }

    /// Creates a trigger. It needs a feed, a datastream, a URL and a condition.
    ///
    /// `POST /triggers`; needs `post` (Docs/Protocols/Cosm.md §8). Members that only the server sets are not sent.
    ///
    /// - Parameters:
    ///   - trigger: The trigger. It may watch a public feed of another user.
    ///   - format: JSON or XML.
    /// - Returns: The new trigger's id.
    /// - Throws: ``CosmError``; `CancellationError`.
    @discardableResult
    public func createTrigger(_ trigger: Trigger, format: CosmFormat = .json) async throws -> Trigger.ID {
        let response = try await write(.post, trigger.writable, to: .triggers, as: format)
        return Trigger.ID(try CreatedLocation.id(response, after: "triggers"))
    }

    /// Changes a trigger. Members that are `nil` stay unchanged.
    ///
    /// `PUT /triggers/{id}`; needs `put` (Docs/Protocols/Cosm.md §8).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func updateTrigger(_ id: Trigger.ID, _ trigger: Trigger, format: CosmFormat = .json) async throws {
        try await write(.put, trigger.writable, to: Self.path(id), as: format)
    }

    /// Deletes a trigger.
    ///
    /// `DELETE /triggers/{id}`; needs `delete` (Docs/Protocols/Cosm.md §8).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func deleteTrigger(_ id: Trigger.ID) async throws { try await send(.delete, Self.path(id)) }

    private static func path(_ id: Trigger.ID) -> ResourcePath { .triggers.id("trigger", id.text) }
}
