/// Ceilings and times of a Jetstream server (Jetstream.md §7).
public struct JetstreamLimits: Sendable {
    /// The most sessions, connected or not. Default: 10,000.
    public var sessions = 10_000
    /// The most scopes that a session may fetch. Default: 64.
    public var scopesPerSession = 64
    /// The most objects in a scope. Default: 1,000,000.
    public var objectsPerScope = 1_000_000
    /// The bytes of texts and references in a scope. Default: 536,870,912 (512 MiB).
    public var bytesPerScope = 512 << 20
    /// The most fragments in one message of a client. Default: 100,000.
    public var fragmentsPerMessage = 100_000
    /// The longest frame of a client, in bytes. Default: 16,777,216 (16 MiB).
    public var frameBytes = 16 << 20
    /// The bytes of messages that a session has not acknowledged. A session with more ends, and its client starts again
    /// from a fresh state. A scope whose state takes more than half of it cannot be fetched.
    /// Default: 67,108,864 (64 MiB).
    public var retainedBytes = 64 << 20
    /// The longest from a connection's begin to its SessionCreate. Default: 10 seconds.
    public var handshake: Duration = .seconds(10)
    /// The longest that a session lasts without a message of its client. Default: 600 seconds.
    public var expiry: Duration = .seconds(600)

    /// The defaults named at each property.
    public init() {}
}
