extension CurlTransport {
    /// How a transport connects. Certificates are always verified.
    ///
    /// Connections opened by `HTTPVersionPolicy.http2PriorKnowledge` in clear text are counted apart from all others:
    /// each limit on connections holds for them and for the others.
    public struct Configuration: Hashable, Sendable {
        /// A file with the certificate authorities to trust (PEM). With this or
        /// ``certificateAuthorityDirectory`` no other authority is trusted. Default: `nil`, libcurl's own.
        public var certificateAuthorityFile: String?

        /// A folder with the certificate authorities to trust (PEM, names hashed by `openssl rehash`). With this or
        /// ``certificateAuthorityFile`` no other authority is trusted. Default: `nil`, libcurl's own.
        public var certificateAuthorityDirectory: String?

        /// How many connections are kept open for later requests. Default: 128.
        public var maximumIdleConnections = 128

        /// How many connections one origin may have at a time; more requests wait in phase `queue`. Default: 128.
        public var maximumConnectionsPerHost = 128

        /// How many connections there may be at a time; more requests wait in phase `queue`. Default: 256.
        public var maximumConnections = 256

        /// How the loop waits for its sockets. Default: ``Driver/automatic``.
        public var driver: Driver = .automatic

        /// The defaults.
        public init() {}
    }
}

extension CurlTransport.Configuration {
    /// How the loop waits for its sockets.
    public struct Driver: Hashable, Sendable {
        enum Choice { case automatic, poll }

        let choice: Choice

        /// The platform's best: `epoll` on Linux, ``poll`` elsewhere.
        public static let automatic = Self(choice: .automatic)

        /// `curl_multi_poll`: portable; its cost grows with the number of open transfers.
        public static let poll = Self(choice: .poll)
    }
}
