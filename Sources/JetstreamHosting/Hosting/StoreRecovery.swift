/// The delays between attempts to use a store again after it has failed.
///
/// The first attempt is made at once, because a lock of another process may be gone. Later delays double from one second
/// to thirty. They start again when the store has worked for a minute: a store in which small changes succeed and large
/// ones fail is not read again and again.
struct StoreRecovery: Sendable {
    private static let first: Duration = .seconds(1)
    private static let longest: Duration = .seconds(30)
    private static let calm: Duration = .seconds(60)

    /// The delay before the next attempt.
    private var next: Duration = .zero
    /// The time of the last failure.
    private var failed: Duration?

    /// Records a failure of the store, or of an attempt.
    ///
    /// - Parameter now: The time of a monotonic clock.
    /// - Returns: The delay before the next attempt.
    mutating func delay(at now: Duration) -> Duration {
        if let failed, now - failed > Self.calm { next = .zero }
        failed = now
        defer { next = next == .zero ? Self.first : min(next * 2, Self.longest) }
        return next
    }
}
