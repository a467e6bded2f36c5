internal import HeliumCore
internal import Synchronization

/// Keeps registrations as long as the object lives: for tests and short-lived tools.
public final class MemoryTokenStore: TokenStore {
    private let registrations = Guarded<[TokenStoreKey: DeviceRegistration]>([:])

    /// An empty store.
    public init() {}

    /// The registration stored for `key`; nil if there is none.
    public func load(_ key: TokenStoreKey) async -> DeviceRegistration? {
        registrations.withLock { $0[key] }
    }

    /// Stores `registration` for `key` in place of what was there.
    public func save(_ registration: DeviceRegistration, for key: TokenStoreKey) async {
        registrations.withLock { $0[key] = registration }
    }

    /// Forgets the token stored for `key` if it is still `token`.
    @discardableResult
    public func clear(token: String, for key: TokenStoreKey) async -> Bool {
        registrations.withLock { $0[key]?.clear(token: token) ?? false }
    }

    /// Removes all that is stored for `key`.
    public func remove(_ key: TokenStoreKey) async {
        registrations.withLock { _ = $0.removeValue(forKey: key) }
    }
}
