extension CurlTransport {
    /// The connection settings of a transport. Certificates are always verified.
    ///
    /// Connections that `HTTPVersionPolicy.http2PriorKnowledge` opens in clear text are counted apart from all others.
    /// Each limit on connections applies to the two groups separately. Connections of WebSockets are not counted.
    public struct Configuration: Hashable, Sendable {
        /// A file with the certificate authorities to trust (PEM). If this or ``certificateAuthorityDirectory`` is set,
        /// no other authority is trusted. Default: `nil`, which means libcurl's own.
        public var certificateAuthorityFile: String?

        /// A folder with the certificate authorities to trust (PEM, names hashed by `openssl rehash`). If this or
        /// ``certificateAuthorityFile`` is set, no other authority is trusted. Default: `nil`, which means libcurl's
        /// own.
        public var certificateAuthorityDirectory: String?

        /// The maximum number of connections that are kept open for later requests. Default: 128. A connection is kept for
        /// 90 seconds, or for a second less than the server announces (`Keep-Alive: timeout`).
        public var maximumIdleConnections = 128

        /// The maximum number of connections to one origin. Further requests wait in phase `queue`. Default: 128.
        public var maximumConnectionsPerHost = 128

        /// The maximum number of connections. Further requests wait in phase `queue`. Default: 256.
        public var maximumConnections = 256

        /// The time after which a connection takes no more calls, so that a change of the host's addresses is seen also by a
        /// client that is always busy. Calls under way are not affected. Default: `nil`, which means no limit.
        public var maximumConnectionAge: Duration?

        /// The mechanism with which the loop waits for its sockets. Default: ``Driver/automatic``.
        public var driver: Driver = .automatic

        /// Whether connections may be opened to addresses that are not public (``PublicAddress``).
        ///
        /// If it is `false`, a request to a host that has only such addresses fails with kind `connectionFailed`. The
        /// address is checked when its socket is opened, after the name was resolved. Default: `true`.
        package var allowsLocalAddresses = true

        /// Creates a configuration with the defaults.
        public init() {}
    }
}

extension CurlTransport.Configuration {
    /// The mechanism with which the loop waits for its sockets.
    public struct Driver: Hashable, Sendable {
        enum Choice { case automatic, poll }

        let choice: Choice

        /// The best mechanism of the platform: `epoll` on Linux, ``poll`` elsewhere.
        public static let automatic = Self(choice: .automatic)

        /// The portable mechanism, `curl_multi_poll`. Its cost grows with the number of open connections.
        public static let poll = Self(choice: .poll)
    }
}
