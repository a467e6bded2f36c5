/// The times and ceilings of a client's connection.
package struct ConnectionSettings: Sendable, Hashable {
    /// The shortest and longest time between two pings. Default: 9 and 11 seconds (Docs/Protocols/Jetstream.md §1.4).
    package var pingInterval: ClosedRange<Duration> = .seconds(9)...(.seconds(11))
    /// After so many numbered messages without a ping one is sent at once (Jetstream.md §7 no 4). Default: 512.
    package var unacknowledgedMessages = 512
    /// After so many bytes of numbered messages without a ping one is sent at once. Default: 1 MiB.
    package var unacknowledgedBytes = 1 << 20
    /// The longest time without a message before the socket counts as dead (Jetstream.md §5.5). Default: 25 seconds.
    package var watchdog: Duration = .seconds(25)
    /// The longest time that a reply may take while connected: then the session is resumed, and after as long again it is
    /// given up (Jetstream.md §1.9). Default: 30 seconds.
    package var replyLimit: Duration = .seconds(30)
    /// A socket with a token that breaks within this time, before anything arrived, was perhaps denied (Jetstream.md §1.8).
    /// Default: 1 second.
    package var denialTime: Duration = .seconds(1)
    /// After so many such sockets in a row the session is given up. Default: 3.
    package var likelyDenials = 3
    /// After so many requests to repair one gap, or sockets without an answer to such a request, the session is given up.
    /// Default: 3.
    package var repairs = 3
    /// The most change sets that wait to be sent or for their reply (Jetstream.md §7 no 10). Default: 10,000.
    package var maximumPendingChanges = 10_000
    /// The largest frame, in bytes, of either direction. Default: 16 MiB.
    package var maximumFrameBytes = 16 << 20
    /// Whether a session that can't be resumed is followed by another. Default: `true`.
    package var restartsSession = true
    /// Whether there is a store: without one, ``ConnectionAction/save`` does not come. Default: `false`.
    package var hasStore = false

    /// The defaults.
    package init() {}
}
