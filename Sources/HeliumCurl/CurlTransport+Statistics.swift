public import HeliumCore

extension CurlTransport {
    /// A snapshot of a transport's transfers and their connections. Connections of WebSockets are not counted.
    public struct Statistics: Hashable, Sendable {
        /// The connections to one origin.
        public struct Connections: Hashable, Sendable {
            /// The connections that are being opened or that carry a transfer.
            public internal(set) var busy = 0
            /// The connections that are kept for later requests.
            public internal(set) var idle = 0
        }

        /// The number of active transfers, including ``waitingTransfers``.
        public internal(set) var activeTransfers = 0

        /// The number of transfers that wait for a connection, either because of a limit or for another request's
        /// handshake.
        public internal(set) var waitingTransfers = 0

        /// The open connections by origin.
        public internal(set) var connections: [Origin: Connections] = [:]

        /// The number of connections opened since the transport was created, including failed attempts.
        public internal(set) var openedConnections = 0

        /// The number of requests since the transport was created that were sent on an existing connection.
        public internal(set) var reusedConnections = 0

        init() {}
    }

    /// The current statistics. They are collected on the loop thread when this is read, so that requests have no extra
    /// cost. All values are zero before the first request and after ``shutdown()``.
    public var statistics: Statistics {
        get async { await loop.statistics() }
    }
}
