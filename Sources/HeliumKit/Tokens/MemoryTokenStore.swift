internal import HeliumCore
internal import Synchronization

/// A token store that keeps registrations in memory, for tests and short-lived tools.
public final class MemoryTokenStore: TokenStore {
    private let registrations = Guarded<[TokenStoreKey: DeviceRegistration]>([:])

    /// Creates an empty store.
    public init() {}

    /// Returns the registration stored for `key`, or `nil` if there is none.
    public func load(_ key: TokenStoreKey) async -> DeviceRegistration? {
        registrations.withLock { $0[key] }
    }

    /// Stores `registration` for `key` and replaces an existing one.
    public func save(_ registration: DeviceRegistration, for key: TokenStoreKey) async {
        registrations.withLock { $0[key] = registration }
    }

    /// Deletes the token stored for `key` if it is still `token`. Returns whether it was deleted.
    @discardableResult
    public func clear(token: String, for key: TokenStoreKey) async -> Bool {
        registrations.withLock { $0[key]?.clear(token: token) ?? false }
    }

    /// Deletes everything that is stored for `key`.
    public func remove(_ key: TokenStoreKey) async {
        registrations.withLock { _ = $0.removeValue(forKey: key) }
    }
}
