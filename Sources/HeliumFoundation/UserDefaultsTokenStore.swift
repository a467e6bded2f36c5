internal import Foundation
internal import HeliumConcurrency
public import HeliumKit
internal import Synchronization

/// Keeps registrations in `UserDefaults`, for applications that keep their settings there.
///
/// Operations on one instance exclude each other; make one instance per suite. Between processes, or for tokens that
/// should be sealed, use ``FileTokenStore``.
public final class UserDefaultsTokenStore: TokenStore {
    private static let defaultsKey = "HeliumDeviceRegistrations"

    private let suiteName: String?
    private let policy: StoreFailurePolicy
    // The lock guards read-modify-write; the defaults are looked up anew since they need not be Sendable.
    private let lock = Guarded(())

    /// A store in the suite `suiteName`; nil, the default, is the application's standard defaults.
    ///
    /// - Parameters:
    ///   - suiteName: The suite of defaults. Default: nil, the application's standard ones.
    ///   - onFailure: What to do with contents that cannot be read. Default: ``StoreFailurePolicy/fail``.
    public init(suiteName: String? = nil, onFailure: StoreFailurePolicy = .fail) {
        self.suiteName = suiteName
        policy = onFailure
    }

    /// The registration stored for `key`; nil if there is none.
    ///
    /// - Throws: ``TokenStoreError``.
    public func load(_ key: TokenStoreKey) async throws -> DeviceRegistration? {
        try change { $0[key] }
    }

    /// Stores `registration` for `key` in place of what was there.
    ///
    /// - Throws: ``TokenStoreError``.
    public func save(_ registration: DeviceRegistration, for key: TokenStoreKey) async throws {
        guard registration.isStorable else {
            throw TokenStoreError(.invalidToken, at: location, "a token has 1 to 1024 printable ASCII characters")
        }
        try change { $0[key] = registration }
    }

    /// Forgets the token stored for `key` if it is still `token`.
    ///
    /// - Throws: ``TokenStoreError``.
    @discardableResult
    public func clear(token: String, for key: TokenStoreKey) async throws -> Bool {
        try change { $0[key]?.clear(token: token) ?? false }
    }

    /// Removes all that is stored for `key`.
    ///
    /// - Throws: ``TokenStoreError``.
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
            throw TokenStoreError(.unreadable, at: location, "no suite can have this name")
        }
        var document = TokenStoreDocument()
        if let stored = defaults.object(forKey: Self.defaultsKey) {
            do throws(TokenStoreError) {
                guard let data = stored as? Data else {
                    throw TokenStoreError(.corrupt, at: location, "it holds something else than data")
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
