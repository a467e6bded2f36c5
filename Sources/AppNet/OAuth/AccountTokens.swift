public import Foundation
public import HeliumCore
public import HeliumKit

/// The tokens of a service's accounts, in a store of the core's: in a file of mode 0600, sealed if wanted, or in
/// memory.
///
/// ```swift
/// let tokens = AccountTokens(in: FileTokenStore(at: path), service: baseURL)
/// try await tokens.save(grant.accessToken, for: grant.username ?? "me")
/// ```
public struct AccountTokens: Sendable {
    private let store: any TokenStore
    private let service: URL

    /// The tokens of a service in a store, which may keep those of others too.
    ///
    /// - Parameters:
    ///   - store: Where they are kept.
    ///   - service: Whose they are: the client's base URL.
    public init(in store: any TokenStore, service: URL) {
        self.store = store
        self.service = service
    }

    /// The token of an account; `nil` if there is none.
    ///
    /// - Parameter account: A name of your choosing: a user's, or `app`. It is no secret.
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/tokenStoreFailed``; `CancellationError`.
    public func token(for account: String) async throws -> Secret? {
        try await storing { try await store.load(key(account))?.token }.map { Secret($0) }
    }

    /// Keeps a token in place of the account's last one.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/tokenStoreFailed``; `CancellationError`.
    public func save(_ token: Secret, for account: String) async throws {
        try await storing { try await store.save(DeviceRegistration(token: token.value), for: key(account)) }
    }

    /// Forgets an account's token: after ``TokenCalls/revoke()``, or once the service says that it is no good.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/tokenStoreFailed``; `CancellationError`.
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
