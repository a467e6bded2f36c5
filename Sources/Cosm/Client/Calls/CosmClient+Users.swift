internal import HTTPTypes
internal import HeliumKit

extension CosmClient {
    /// Reads the accounts that this account manages. ``CosmList/unreadable`` has those that cannot be read.
    ///
    /// `GET /users`; for accounts that manage others (Docs/Protocols/Cosm.md §9).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func users(format: CosmFormat = .json) async throws -> CosmList<User> {
        try await read(.users, as: format)
    }

    /// Reads an account.
    ///
    /// `GET /users/{login}`; for accounts that manage others, and for the account itself (Docs/Protocols/Cosm.md §9).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func user(_ login: String, format: CosmFormat = .json) async throws -> User {
        try await read(Self.path(login), as: format)
    }

    /// Creates an account.
    ///
    /// `POST /users`; for accounts that manage others (Docs/Protocols/Cosm.md §9).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func createUser(_ user: User, format: CosmFormat = .json) async throws {
        try await write(.post, user, to: .users, as: format)
    }

    /// Changes an account. Members that are `nil` stay unchanged.
    ///
    /// `PUT /users/{login}`; for accounts that manage others (Docs/Protocols/Cosm.md §9).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func updateUser(_ login: String, _ user: User, format: CosmFormat = .json) async throws {
        try await write(.put, user, to: Self.path(login), as: format)
    }

    /// Deletes an account.
    ///
    /// `DELETE /users/{login}`; for accounts that manage others (Docs/Protocols/Cosm.md §9).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func deleteUser(_ login: String) async throws { try await send(.delete, Self.path(login)) }

    private static func path(_ login: String) -> ResourcePath { .users.id("login", login) }
}
