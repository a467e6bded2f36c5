/// The scheme, host and port of a URL (RFC 6454 §4).
///
/// The host has the form in which it is sent: in lower case, an internationalized name as its A-label, an IPv6 literal
/// in brackets. The scheme's default port is left out. Copies share one storage, so that a transport can recognize the
/// origin of the previous request by identity.
public struct Origin: Sendable {
    let storage: Storage

    /// Uses the parts unchanged. ``init(_:)`` in `Origin+Parsing.swift` validates and normalizes them.
    init(scheme: String, host: String, port: Int?) {
        storage = Storage(scheme: scheme, host: host, port: port)
    }
}

extension Origin {
    final class Storage: Sendable {
        let scheme: String
        let host: String
        let port: Int?
        let hostHeader: String
        let urlString: String
        let isLoopback: Bool

        init(scheme: String, host: String, port: Int?) {
            self.scheme = scheme
            self.host = host
            self.port = port
            hostHeader = port.map { "\(host):\($0)" } ?? host
            urlString = "\(scheme)://\(hostHeader)"
            isLoopback = Storage.isLoopback(host)
        }

        private static func isLoopback(_ host: String) -> Bool {
            if host == "localhost" || host == "[::1]" || host.hasSuffix(".localhost") { return true }
            let octets = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
            return octets.count == 4 && octets.allSatisfy { $0 != nil } && octets[0] == 127
        }
    }

    /// `http` or `https`.
    public var scheme: String { storage.scheme }

    /// The host as in the `Host` header, without the port, but with the brackets of an IPv6 literal.
    public var host: String { storage.host }

    /// The port if it is not the scheme's default (80, 443), otherwise `nil`.
    public var port: Int? { storage.port }

    /// The value of the `Host` header: the host, and `:port` if the port is not the scheme's default.
    public var hostHeader: String { storage.hostHeader }

    /// The origin as `scheme://host[:port]`, without a trailing slash.
    package var urlString: String { storage.urlString }

    /// Whether TLS protects the connection.
    public var isSecure: Bool { storage.scheme == "https" }

    /// Whether the host is this machine: `localhost` and names under it (RFC 6761), 127.0.0.0/8, `::1`.
    package var isLoopback: Bool { storage.isLoopback }
}

extension Origin: Hashable, CustomStringConvertible {
    /// Returns whether scheme, host and port are equal.
    public static func == (a: Self, b: Self) -> Bool {
        a.storage === b.storage || a.storage.urlString == b.storage.urlString
    }

    /// Hashes scheme, host and port.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.urlString) }

    /// The origin as `scheme://host[:port]`.
    public var description: String { storage.urlString }
}
