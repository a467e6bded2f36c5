/// The timeouts and limits of a client's connection.
package struct ConnectionSettings: Sendable, Hashable {
    /// The shortest and longest time between two pings. Default: 9 and 11 seconds (Docs/Protocols/Jetstream.md §1.4).
    package var pingInterval: ClosedRange<Duration> = .seconds(9)...(.seconds(11))
    /// The number of numbered messages without a ping after which one is sent at once (Docs/Protocols/Jetstream.md §7
    /// no 4). Default: 512.
    package var unacknowledgedMessages = 512
    /// The number of bytes of numbered messages without a ping after which one is sent at once. Default: 1 MiB.
    package var unacknowledgedBytes = 1 << 20
    /// The maximum time without a message before the socket counts as dead (Docs/Protocols/Jetstream.md §5.5). Default:
    /// 25 seconds.
    package var watchdog: Duration = .seconds(25)
    /// The timeout of a reply while connected, after which the session is resumed. After a second timeout it is
    /// abandoned (Docs/Protocols/Jetstream.md §1.9). Default: 30 seconds.
    package var replyLimit: Duration = .seconds(30)
    /// The time within which a socket with a token must break, before anything arrived, to count as perhaps denied
    /// (Docs/Protocols/Jetstream.md §1.8). Default: 1 second.
    package var denialTime: Duration = .seconds(1)
    /// The number of consecutive such sockets after which the session is abandoned. Default: 3.
    package var likelyDenials = 3
    /// The number of requests to repair one gap, or of sockets on which such a request was not fulfilled, after which
    /// the session is abandoned. Default: 3.
    package var repairs = 3
    /// The maximum number of unsettled change sets (Docs/Protocols/Jetstream.md §7 no 10). Default: 10,000.
    package var maximumPendingChanges = 10_000
    /// The maximum size of a frame in either direction, in bytes. Default: 16 MiB.
    package var maximumFrameBytes = 16 << 20
    /// Whether a session that cannot be resumed is followed by a new one. Default: `true`.
    package var restartsSession = true
    /// Whether there is a store. Without one, ``ConnectionAction/save`` is not emitted. Default: `false`.
    package var hasStore = false

    /// Creates the default settings.
    package init() {}
}
