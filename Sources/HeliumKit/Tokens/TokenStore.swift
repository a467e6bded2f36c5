/// Keeps device registrations between runs of a program, or between programs (the original's
/// `DeviceConfigurationPersistenceStore`).
///
/// Each operation is atomic with regard to every other one on the same store. A store holds tokens, never a secret.
public protocol TokenStore: Sendable {
    /// The registration stored for `key`; nil if there is none.
    func load(_ key: TokenStoreKey) async throws -> DeviceRegistration?

    /// Stores `registration` for `key` in place of what was there.
    func save(_ registration: DeviceRegistration, for key: TokenStoreKey) async throws

    /// Forgets the token stored for `key` if it is still `token`; the clock offset stays. A token that somebody saved
    /// in the meantime stays too.
    ///
    /// - Returns: Whether it was forgotten.
    @discardableResult
    func clear(token: String, for key: TokenStoreKey) async throws -> Bool

    /// Removes all that is stored for `key`.
    func remove(_ key: TokenStoreKey) async throws

    /// The policy for a token that the store cannot save: ``StoreFailurePolicy/fail`` fails the calls that wait
    /// for it, ``StoreFailurePolicy/startAfresh`` goes on with the token in memory. Default: ``StoreFailurePolicy/fail``.
    var failurePolicy: StoreFailurePolicy { get }

    /// Throws if a ``save(_:for:)`` could not be done now, and changes nothing. With ``StoreFailurePolicy/fail`` a client
    /// asks before it registers, because each run would otherwise register another device. Default: does nothing.
    func checkWritable() async throws
}

extension TokenStore {
    /// ``StoreFailurePolicy/fail``.
    public var failurePolicy: StoreFailurePolicy { .fail }

    /// Does nothing: ``save(_:for:)`` will tell.
    public func checkWritable() async throws {}
}
