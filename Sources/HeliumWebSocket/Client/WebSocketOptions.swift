public import HTTPTypes
public import HeliumCore

/// The settings of a WebSocket connection: its request, TLS, proxy, time limits and size limits.
public struct WebSocketOptions: Sendable {
    /// Additional fields of the upgrade request, such as `Authorization`. Default: none. A `User-Agent` is added if there
    /// is none.
    ///
    /// The fields of the protocol (`Host`, `Connection`, `Upgrade`, `Sec-WebSocket-…`) are not allowed here.
    public var fields = HTTPFields()

    /// The offered subprotocols, in order of preference (RFC 6455 §1.9). Default: none.
    public var subprotocols: [String] = []

    /// The trusted certificate authorities. Default: libcurl's own.
    public var tls = TLS()

    /// The proxy. Default: none, as in `CurlTransport`.
    public var proxy: WebSocketProxy = .none

    /// The time limits. `nil` switches one off.
    public var timeouts = Timeouts()

    /// The limits on what either side can make grow.
    public var limits = Limits()

    /// The clock of all time limits. Default: the system's.
    public var clock: any HeliumClock = SystemClock()

    /// The source of the masking keys and of the request's key, which must not be predictable (RFC 6455 §5.3). Default:
    /// the system's generator.
    public var random: RandomSource = .system

    /// Creates the default options.
    public init() {}
}

extension WebSocketOptions {
    /// The TLS settings for `wss`. Certificates and host names are always verified, TLS is 1.2 or newer, and the name
    /// of the host is sent (SNI). The settings are the same as in `CurlTransport.Configuration`.
    public struct TLS: Hashable, Sendable {
        /// A file with the certificate authorities to trust (PEM). If this or ``certificateAuthorityDirectory`` is set,
        /// no other authority is trusted. Default: `nil`, which means libcurl's own.
        public var certificateAuthorityFile: String?

        /// A folder with the certificate authorities to trust (PEM, with names hashed by `openssl rehash`). If this or
        /// ``certificateAuthorityFile`` is set, no other authority is trusted. Default: `nil`, which means libcurl's
        /// own.
        public var certificateAuthorityDirectory: String?

        /// Creates the default settings.
        public init() {}
    }

    /// The time limits of a WebSocket. When one expires, the connection fails with `FailureKind.timedOut` and names its
    /// `TransferPhase`.
    public struct Timeouts: Hashable, Sendable {
        /// The limit for name look-up, TCP and TLS handshakes, a proxy's response and the upgrade together. Default: 10
        /// seconds.
        public var connect: Duration? = .seconds(10)

        /// The time without received data after which a ping is sent, and the interval between two pings. Default: 20
        /// seconds.
        public var pingInterval: Duration? = .seconds(20)

        /// The time without received data, including pongs, after which the peer counts as dead (phase `silence`).
        /// Default: 60 seconds. While a message waits for the system, which had refused some of it, each part that the system
        /// accepts counts as data of the peer. Time does not count in which a slow consumer or ``Limits/messagesPerSecond`` and
        /// ``Limits/bytesPerSecond`` pause reading.
        public var silence: Duration? = .seconds(60)

        /// The time in which the system accepts no byte of the outgoing data, after which the connection counts as dead (phase
        /// `send`). Default: 30 seconds. It is noticed after one to two limits.
        public var send: Duration? = .seconds(30)

        /// The longest time from the first byte to the last byte of a message, a control frame, or an object over raw
        /// TCP (phase `message`). It also ends the connection of a peer that sends an incomplete message slowly and is
        /// therefore not silent. Default: 60 seconds. Raise it if large messages arrive over slow networks.
        public var message: Duration? = .seconds(60)

        /// The longest wait for the peer's close frame and the end of the connection. Default: 5 seconds.
        public var close: Duration? = .seconds(5)

        /// Creates the default limits.
        public init() {}
    }

    /// The size and rate limits of a WebSocket.
    public struct Limits: Hashable, Sendable {
        /// The maximum size of a received frame in bytes. Default: 16 MiB. A larger one closes the connection with code
        /// 1009.
        public var frameBytes = 16 << 20

        /// The maximum size of a received message in bytes, with all its fragments. Default: 16 MiB. A larger one
        /// closes the connection with code 1009.
        public var messageBytes = 16 << 20

        /// The maximum number of received messages that wait for the consumer. Default: 256. When it is reached,
        /// nothing is read from the network until half of them are taken. The peer is paused by back-pressure, and no
        /// message is lost.
        public var receivedMessages = 256

        /// The maximum number of bytes of those messages, which may be exceeded by one message. Default: 16 MiB.
        public var receivedBytes = 16 << 20

        /// The maximum number of messages and control frames per second that are read from the peer. Default: `nil`, no
        /// limit. A peer may be one second ahead. After that, nothing is read until the average is met. The peer is
        /// paused by back-pressure, and no message is lost.
        public var messagesPerSecond: Int?

        /// The maximum number of bytes per second that are read from the peer, in the same way. Default: `nil`, no
        /// limit.
        public var bytesPerSecond: Int?

        /// The maximum number of messages that wait to be sent. A further message is rejected with
        /// `FailureKind.ceilingExceeded`. Default: 1,024.
        public var queuedMessages = 1024

        /// The maximum number of bytes of those messages. The first is accepted whatever its size. Default: 64 MiB.
        public var queuedBytes = 64 << 20

        /// The number of queued bytes up to which a send does not wait for its message to be written. Default: 64 KiB.
        /// With 0, every send waits until the system has accepted its message.
        public var unwaitedBytes = 64 << 10

        /// Creates the default limits.
        public init() {}
    }
}

extension WebSocketOptions: CustomReflectable {
    /// The settings without the fields and the proxy, which may contain credentials.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["subprotocols": subprotocols, "tls": tls, "timeouts": timeouts, "limits": limits],
            displayStyle: .struct
        )
    }
}
