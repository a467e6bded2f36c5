public import HeliumEssentials

/// A store that keeps device registrations between runs of a program, or between programs
/// (`DeviceConfigurationPersistenceStore` of the original library).
///
/// Each operation is atomic with regard to all others on the same store. A store contains tokens, never a secret.
public protocol TokenStore: Sendable {
    /// Returns the registration stored for `key`, or `nil` if there is none.
    func load(_ key: TokenStoreKey) async throws -> DeviceRegistration?

    /// Stores `registration` for `key` and replaces an existing one.
    func save(_ registration: DeviceRegistration, for key: TokenStoreKey) async throws

    /// Deletes the token stored for `key` if it is still `token`. The clock offset is kept, and so is a token that was
    /// saved in the meantime.
    ///
    /// - Returns: Whether the token was deleted.
    @discardableResult
    func clear(token: String, for key: TokenStoreKey) async throws -> Bool

    /// Deletes everything that is stored for `key`.
    func remove(_ key: TokenStoreKey) async throws

    /// The policy for a token that the store cannot save. ``StoreFailurePolicy/fail`` makes the waiting calls fail, and
    /// ``StoreFailurePolicy/startAfresh`` continues with the token in memory. Default: ``StoreFailurePolicy/fail``.
    var failurePolicy: StoreFailurePolicy { get }

    /// Throws if ``save(_:for:)`` would fail now. Changes nothing. With ``StoreFailurePolicy/fail``, a client calls it
    /// before it registers, because each run would otherwise register another device. Default: does nothing.
    func checkWritable() async throws
}

extension TokenStore {
    /// The policy ``StoreFailurePolicy/fail``.
    public var failurePolicy: StoreFailurePolicy { .fail }

    /// Does nothing, so that a failure is found by ``save(_:for:)``.
    public func checkWritable() async throws {}
}

/// The identity of a store's entry. A device belongs to one server and one secret (Docs/Protocols/Middleware.md §8).
///
/// It contains the secret's public id, never the secret.
public struct TokenStoreKey: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The devices URL without user info, query and fragment; scheme and host in lower case, without the default port.
    public let server: String
    /// The public id of the secret.
    public let secretID: String

    /// Creates the key for the server at `devicesURL` and the secret with the id `secretID`.
    public init(devicesURL: URL, secretID: String) {
        let scheme = (devicesURL.scheme ?? "").lowercased()
        var host = (devicesURL.host(percentEncoded: true) ?? "").lowercased()
        if host.contains(":") && !host.hasPrefix("[") { host = "[\(host)]" }
        let defaultPort = scheme == "https" ? 443 : scheme == "http" ? 80 : nil
        let port = devicesURL.port == defaultPort ? "" : devicesURL.port.map { ":\($0)" } ?? ""
        server = "\(scheme)://\(host)\(port)\(devicesURL.path(percentEncoded: true))"
        self.secretID = secretID
    }

    /// The server and the secret id, which are both public.
    public var description: String { "\(server) (\(secretID))" }
}

/// The policy for a persistent token store that fails because its contents cannot be used (corrupt, unreadable, too
/// large, not decryptable with the key), or because it cannot be written.
public struct StoreFailurePolicy: Hashable, Sendable {
    package let startsAfresh: Bool

    /// Throws ``TokenStoreError`` and leaves the contents unchanged. A client does not register if the store cannot be
    /// written.
    public static let fail = Self(startsAfresh: false)

    /// Moves the contents aside, replacing those moved aside earlier, and continues with an empty store, so that the
    /// client registers again. If the store cannot be written, the client continues, but the token is lost when the
    /// process ends, and the next process registers another device.
    public static let startAfresh = Self(startsAfresh: true)
}
