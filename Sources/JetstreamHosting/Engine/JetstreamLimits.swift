/// The limits and timeouts of a Jetstream server (Docs/Protocols/Jetstream.md §7).
public struct JetstreamLimits: Sendable {
    /// The maximum number of sessions, connected or not. Default: 10,000.
    public var sessions = 10_000
    /// The maximum number of sessions that were created from one address; of IPv6 addresses, the first 64 bits count.
    /// Behind a reverse proxy all clients have its address: set it to ``sessions``, or `ServerLimits.sharePerAddress` to
    /// 1, there. Default: `nil`, the part of ``sessions`` that `ServerLimits.sharePerAddress` names, three quarters by
    /// default.
    ///
    /// A session counts to the address that created it, also after a restart: a store keeps the address until the session
    /// ends.
    ///
    /// If a limit is reached, a new session replaces the one that was disconnected first, of those that have fetched
    /// nothing. If there is none, the new session is rejected.
    public var sessionsPerAddress: Int?
    /// The maximum number of scopes that a session may fetch. Default: 64.
    public var scopesPerSession = 64
    /// The maximum number of objects in a scope. Default: 1,000,000.
    public var objectsPerScope = 1_000_000
    /// The maximum size of texts and references in a scope, in bytes. Default: 536,870,912 (512 MiB).
    public var bytesPerScope = 512 << 20
    /// The maximum number of fragments in one message of a client. Default: 100,000.
    public var fragmentsPerMessage = 100_000
    /// The maximum size of a client's frame, in bytes. Default: 16,777,216 (16 MiB).
    public var frameBytes = 16 << 20
    /// The maximum size of a session's unacknowledged messages, in bytes. A session that exceeds it ends, and its
    /// client starts again from a fresh state. A scope whose state takes more than half of it cannot be fetched.
    /// Default: 67,108,864 (64 MiB).
    public var retainedBytes = 64 << 20
    /// The maximum size of the unacknowledged messages of all sessions together, in bytes. A message for several sessions
    /// counts once. When it is exceeded, the sessions with the most unacknowledged messages of their own end, until a
    /// quarter of it is free. Default: 1,073,741,824 (1 GiB).
    public var retainedBytesOfAllSessions = 1 << 30
    /// The timeout between the start of a connection and its SessionCreate. Default: 10 seconds.
    public var handshake: Duration = .seconds(10)
    /// The time after which a session without a message of its client expires. Default: 600 seconds.
    public var expiry: Duration = .seconds(600)

    /// Creates limits with the defaults given for each property.
    public init() {}
}
