public import HeliumCore

extension CurlTransport {
    /// How a transport's transfers and connections stand at one moment.
    public struct Statistics: Hashable, Sendable {
        /// The connections to one origin.
        public struct Connections: Hashable, Sendable {
            /// Those that are being made, or over which a transfer runs.
            public internal(set) var busy = 0
            /// Those that are kept for later requests.
            public internal(set) var idle = 0
        }

        /// Transfers under way, ``waitingTransfers`` included.
        public internal(set) var activeTransfers = 0

        /// Transfers that wait for a connection: for one of the limits, or for another's handshake.
        public internal(set) var waitingTransfers = 0

        /// Open connections by where they lead.
        public internal(set) var connections: [Origin: Connections] = [:]

        /// Connections opened since the transport was made, failed attempts included.
        public internal(set) var openedConnections = 0

        /// Requests since the transport was made that were sent over a connection that was there already.
        public internal(set) var reusedConnections = 0

        init() {}

        mutating func count(isBusy: Bool, at origin: Origin) {
            if isBusy {
                connections[origin, default: Connections()].busy += 1
            } else {
                connections[origin, default: Connections()].idle += 1
            }
        }
    }

    /// How things stand now: asks the loop thread, which requests don't pay for. All zero before the first request and after
    /// ``shutdown()``.
    public var statistics: Statistics {
        get async { await loop.statistics() }
    }
}
