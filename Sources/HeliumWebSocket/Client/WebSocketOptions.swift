public import HTTPTypes
public import HeliumCore

/// How a WebSocket connects and what it puts up with.
public struct WebSocketOptions: Sendable {
    /// More fields of the upgrade request, such as `Authorization`. Default: none.
    ///
    /// The protocol's own (`Host`, `Connection`, `Upgrade`, `Sec-WebSocket-…`) can't be given here.
    public var fields = HTTPFields()

    /// The subprotocols to offer, the preferred first (RFC 6455 section 1.9). Default: none.
    public var subprotocols: [String] = []

    /// Whom to trust. Default: the system's authorities.
    public var tls = TLS()

    /// Which proxy to go through. Default: none, as `CurlTransport` has it.
    public var proxy: WebSocketProxy = .none

    /// Time limits. `nil` switches one off.
    public var timeouts = Timeouts()

    /// Ceilings on what either side can make grow.
    public var limits = Limits()

    /// The clock of all time limits. Default: the system's.
    public var clock: any HeliumClock = SystemClock()

    /// Where the masking keys and the request's key come from: they must not be guessed (RFC 6455 section 5.3). Default:
    /// the system's generator.
    public var random: RandomSource = .system

    /// The defaults.
    public init() {}
}

extension WebSocketOptions {
    /// Whom to trust over `wss`. Certificates and host names are always verified, TLS is 1.2 or newer, and the name of
    /// the host is sent (SNI): the same as `CurlTransport.Configuration` offers.
    public struct TLS: Hashable, Sendable {
        /// A file with the certificate authorities to trust (PEM). With this or
        /// ``certificateAuthorityDirectory`` no other authority is trusted. Default: `nil`, the system's.
        public var certificateAuthorityFile: String?

        /// A folder with the certificate authorities to trust (PEM, names hashed by `openssl rehash`). With this or
        /// ``certificateAuthorityFile`` no other authority is trusted. Default: `nil`, the system's.
        public var certificateAuthorityDirectory: String?

        /// The defaults.
        public init() {}
    }

    /// The time limits of a WebSocket. Each fails with `FailureKind.timedOut` and names its `TransferPhase`.
    public struct Timeouts: Hashable, Sendable {
        /// Name look-up, TCP and TLS handshakes, a proxy's answer and the upgrade together. Default: 10 seconds.
        public var connect: Duration? = .seconds(10)

        /// How long nothing may have arrived until a ping is sent; also the pause between two pings. Default: 20 seconds.
        public var pingInterval: Duration? = .seconds(20)

        /// How long nothing may arrive, pongs included, before the peer counts as dead (phase `silence`). Default: 60
        /// seconds. Time in which a slow consumer holds the connection back does not count.
        public var silence: Duration? = .seconds(60)

        /// How long the system may take none of what is to be sent before the connection counts as dead (phase `send`).
        /// Default: 30 seconds. It is noticed after one to two limits.
        public var send: Duration? = .seconds(30)

        /// The longest from the first byte of a message, of a control frame, or over raw TCP of an object, to its last
        /// (phase `message`): a peer that sends half of one and then a byte now and then is not silent. Default: 60
        /// seconds. Raise it where large messages come over slow networks.
        public var message: Duration? = .seconds(60)

        /// How long to wait for the peer's goodbye and the end of the connection. Default: 5 seconds.
        public var close: Duration? = .seconds(5)

        /// The defaults.
        public init() {}
    }

    /// The ceilings of a WebSocket.
    public struct Limits: Hashable, Sendable {
        /// Bytes of one arriving frame. Default: 16 MiB. More closes the connection with code 1009.
        public var frameBytes = 16 << 20

        /// Bytes of one arriving message, its fragments together. Default: 16 MiB. More closes with code 1009.
        public var messageBytes = 16 << 20

        /// Messages that have arrived and wait for the consumer. Default: 256. With so many, nothing more is read from the
        /// network until half of them are taken: the peer is held back, and nothing is lost.
        public var receivedMessages = 256

        /// Bytes of those messages: at most one message more than this. Default: 16 MiB.
        public var receivedBytes = 16 << 20

        /// Messages and control frames per second that are read from the peer. Default: `nil`, no limit. A peer may be one
        /// second ahead; then nothing more is read until the average is met: the peer is held back, and nothing is lost.
        public var messagesPerSecond: Int?

        /// Bytes per second that are read from the peer, in the same way. Default: `nil`, no limit.
        public var bytesPerSecond: Int?

        /// Messages that wait to be sent; one more is refused with `FailureKind.ceilingExceeded`. Default: 1,024.
        public var queuedMessages = 1024

        /// Bytes of those messages; the first is taken whatever its size. Default: 64 MiB.
        public var queuedBytes = 64 << 20

        /// How many bytes may wait to be written before a send waits until its own are. Default: 64 KiB. With 0 every send
        /// waits until the system has taken its message.
        public var unwaitedBytes = 64 << 10

        /// The defaults.
        public init() {}
    }
}

extension WebSocketOptions: CustomReflectable {
    /// Without the fields and the proxy, which may hold credentials.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["subprotocols": subprotocols, "tls": tls, "timeouts": timeouts, "limits": limits],
            displayStyle: .struct
        )
    }
}
