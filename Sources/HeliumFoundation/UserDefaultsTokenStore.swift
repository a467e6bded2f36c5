internal import Foundation
internal import HeliumConcurrency
public import HeliumKit
internal import Synchronization

/// A token store in `UserDefaults`, for applications that keep their settings there.
///
/// Operations on one instance exclude each other, so create one instance per suite. If several processes share the
/// store, or to encrypt the tokens, use `FileTokenStore`.
public final class UserDefaultsTokenStore: TokenStore {
    private static let defaultsKey = "HeliumDeviceRegistrations"

    private let suiteName: String?
    private let policy: StoreFailurePolicy
    // The lock protects the read-modify-write. The defaults are looked up each time because they need not be
    // `Sendable`.
    private let lock = Guarded(())

    /// Creates a store in a suite of defaults.
    ///
    /// - Parameters:
    ///   - suiteName: The suite of defaults. Default: `nil`, the application's standard defaults.
    ///   - onFailure: The policy for contents that cannot be read. Default: `StoreFailurePolicy.fail`.
    public init(suiteName: String? = nil, onFailure: StoreFailurePolicy = .fail) {
        self.suiteName = suiteName
        policy = onFailure
    }

    /// Returns the registration stored for `key`, or `nil` if there is none.
    ///
    /// - Throws: `TokenStoreError`.
    public func load(_ key: TokenStoreKey) async throws -> DeviceRegistration? {
        try change { $0[key] }
    }

    /// Stores `registration` for `key` and replaces an existing one.
    ///
    /// - Throws: `TokenStoreError`.
    public func save(_ registration: DeviceRegistration, for key: TokenStoreKey) async throws {
        guard registration.isStorable else {
            throw TokenStoreError(.invalidToken, at: location, "a token has 1 to 1024 printable ASCII characters")
        }
        try change { $0[key] = registration }
    }

    /// Deletes the token stored for `key` if it is still `token`. Returns whether it was deleted.
    ///
    /// - Throws: `TokenStoreError`.
    @discardableResult
    public func clear(token: String, for key: TokenStoreKey) async throws -> Bool {
        try change { $0[key]?.clear(token: token) ?? false }
    }

    /// Deletes everything that is stored for `key`.
    ///
    /// - Throws: `TokenStoreError`.
    public func remove(_ key: TokenStoreKey) async throws {
        try change { $0[key] = nil }
    }

    private var location: String { suiteName ?? "standard user defaults" }

    private func change<R: Sendable>(_ body: (inout TokenStoreDocument) -> R) throws(TokenStoreError) -> R {
        let result = lock.withLock { _ -> Result<R, TokenStoreError> in
            do throws(TokenStoreError) {
                return .success(try changeLocked(body))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func changeLocked<R>(_ body: (inout TokenStoreDocument) -> R) throws(TokenStoreError) -> R {
        guard let defaults = suiteName.map({ UserDefaults(suiteName: $0) }) ?? UserDefaults.standard else {
            throw TokenStoreError(.unreadable, at: location, "the suite name is not allowed")
        }
        var document = TokenStoreDocument()
        if let stored = defaults.object(forKey: Self.defaultsKey) {
            do throws(TokenStoreError) {
                guard let data = stored as? Data else {
                    throw TokenStoreError(.corrupt, at: location, "the stored value is not data")
                }
                document = try TokenStoreDocument(bytes: Array(data), key: nil, location: location)
            } catch {
                guard policy.startsAfresh else { throw error }
                defaults.set(stored, forKey: Self.defaultsKey + ".corrupt")
            }
        }
        let before = try document.bytes(key: nil, location: location)
        let result = body(&document)
        let after = try document.bytes(key: nil, location: location)
        if after != before { defaults.set(Data(after), forKey: Self.defaultsKey) }
        return result
    }
}
