/// Scheme, host and port: where a request goes (RFC 6454 section 4).
///
/// The host is kept as it stands on the wire: lower case, an internationalized name as its A-label, an IPv6 literal in
/// brackets. The scheme's default port is left out. Copies share one storage, so that a transport can recognise the
/// origin of the request before by identity.
public struct Origin: Sendable {
    let storage: Storage

    /// The parts are taken as they are; ``init(_:)`` in `Origin+URL.swift` checks and normalises.
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

    /// The host as in the `Host` header, without the port: brackets of an IPv6 literal included.
    public var host: String { storage.host }

    /// The port where it is not the scheme's own (80, 443), else `nil`.
    public var port: Int? { storage.port }

    /// What the `Host` header carries: the host, and `:port` where it is not the scheme's own.
    public var hostHeader: String { storage.hostHeader }

    /// `scheme://host[:port]`, without a trailing slash.
    public var urlString: String { storage.urlString }

    /// Whether TLS protects the exchange.
    public var isSecure: Bool { storage.scheme == "https" }

    /// Whether the host names this machine: `localhost` and names under it (RFC 6761), 127.0.0.0/8, `::1`.
    public var isLoopback: Bool { storage.isLoopback }
}

extension Origin: Hashable, CustomStringConvertible {
    /// Two origins are equal if scheme, host and port are.
    public static func == (a: Self, b: Self) -> Bool {
        a.storage === b.storage || a.storage.urlString == b.storage.urlString
    }

    /// Feeds scheme, host and port.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.urlString) }

    /// `scheme://host[:port]`.
    public var description: String { storage.urlString }
}
