public import Foundation
public import HeliumCore
public import HeliumKit

/// The stored tokens of a service's accounts.
///
/// A `FileTokenStore` keeps them in a file with mode 0600, encrypted if configured. A store can also keep them in
/// memory.
///
/// ```swift
/// let tokens = AccountTokens(in: FileTokenStore(at: path), service: baseURL)
/// try await tokens.save(grant.accessToken, for: grant.username ?? "me")
/// ```
public struct AccountTokens: Sendable {
    private let store: any TokenStore
    private let service: URL

    /// Creates an object for the tokens of one service. The store may also contain tokens of other services.
    ///
    /// - Parameters:
    ///   - store: The store of the tokens.
    ///   - service: The base URL of the service's client, which identifies the service in the store.
    public init(in store: any TokenStore, service: URL) {
        self.store = store
        self.service = service
    }

    /// Returns the token of an account; `nil` if there is none.
    ///
    /// - Parameter account: A name that you choose, such as a user name or `app`. It is not secret.
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/tokenStoreFailed``, or `CancellationError` if the task is
    ///   cancelled.
    public func token(for account: String) async throws -> Secret? {
        try await storing { try await store.load(key(account))?.token }.map { Secret($0) }
    }

    /// Saves a token, which replaces the account's last one.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/tokenStoreFailed``, or `CancellationError` if the task is
    ///   cancelled.
    public func save(_ token: Secret, for account: String) async throws {
        try await storing { try await store.save(DeviceRegistration(token: token.value), for: key(account)) }
    }

    /// Removes an account's token. Call this after ``TokenCalls/revoke()``, or when the service has rejected the token.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/tokenStoreFailed``, or `CancellationError` if the task is
    ///   cancelled.
    public func remove(_ account: String) async throws {
        try await storing { try await store.remove(key(account)) }
    }

    private func key(_ account: String) -> TokenStoreKey { TokenStoreKey(devicesURL: service, secretID: account) }

    private func storing<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as TokenStoreError {
            throw AppNetError(.tokenStoreFailed, error.description)
        }
    }
}
