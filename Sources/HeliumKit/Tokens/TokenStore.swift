public import HeliumEssentials

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

/// Whose registration a store's entry is: a device belongs to one server and one secret (middleware.md §8).
///
/// It holds the secret's public id, never the secret.
public struct TokenStoreKey: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The devices URL without user info, query and fragment; scheme and host in lower case, no default port.
    public let server: String
    /// The public name of the secret.
    public let secretID: String

    /// The key of the server at `devicesURL` for the secret named `secretID`.
    public init(devicesURL: URL, secretID: String) {
        let scheme = (devicesURL.scheme ?? "").lowercased()
        var host = (devicesURL.host(percentEncoded: true) ?? "").lowercased()
        if host.contains(":") && !host.hasPrefix("[") { host = "[\(host)]" }
        let defaultPort = scheme == "https" ? 443 : scheme == "http" ? 80 : nil
        let port = devicesURL.port == defaultPort ? "" : devicesURL.port.map { ":\($0)" } ?? ""
        server = "\(scheme)://\(host)\(port)\(devicesURL.path(percentEncoded: true))"
        self.secretID = secretID
    }

    /// Server and secret id: both public.
    public var description: String { "\(server) (\(secretID))" }
}

/// The policy for a persistent token store that fails: its contents cannot be used (corrupt, unreadable, too large, not
/// decryptable with the key), or it cannot be written.
public struct StoreFailurePolicy: Hashable, Sendable {
    package let startsAfresh: Bool

    /// Throws ``TokenStoreError`` and leaves the contents as they are: nothing is lost without being asked. A client does
    /// not register with a store that cannot be written.
    public static let fail = Self(startsAfresh: false)

    /// Puts the contents aside (in place of what was put aside before) and goes on with an empty store, so that the
    /// client registers again. A client goes on where the store cannot be written: the token is lost with the process, and
    /// the next one registers another device.
    public static let startAfresh = Self(startsAfresh: true)
}
