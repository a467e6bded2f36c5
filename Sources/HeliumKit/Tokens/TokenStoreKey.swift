public import Foundation

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
