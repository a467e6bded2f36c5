/// An estimate of the server's time, based on the `Date` field of its last reply and the time since.
///
/// Elapsed time is measured by uptime, so changes of the local clock have no effect after a reply. The estimate differs
/// from the local clock by at most 24 hours, because replies are not signed.
struct ServerTimeEstimate: Hashable, Sendable {
    /// The maximum difference between the estimate and the local clock.
    static let maximumCorrection = Duration.seconds(86_400)

    private var last: (time: SeriesTime, uptime: Duration)?

    /// Records the time of a reply.
    mutating func note(_ time: SeriesTime, uptime: Duration) { last = (time, uptime) }

    /// Returns the time of the server.
    ///
    /// - Parameters:
    ///   - local: The time by the local clock.
    ///   - uptime: The uptime of the local clock.
    func now(local: SeriesTime, uptime: Duration) -> SeriesTime {
        guard let stated = stated(uptime: uptime) else { return local }
        let correction = Self.maximumCorrection
        return min(max(stated, local.advanced(by: .zero - correction)), local.advanced(by: correction))
    }

    /// Returns the time for determining the age of points: the estimate or the server's reported time, whichever is
    /// earlier.
    ///
    /// Removing points cannot be undone. A local clock that is years ahead must not remove all of them.
    func retentionTime(local: SeriesTime, uptime: Duration) -> SeriesTime {
        let now = now(local: local, uptime: uptime)
        return stated(uptime: uptime).map { min($0, now) } ?? now
    }

    private func stated(uptime: Duration) -> SeriesTime? { last.map { $0.time.advanced(by: uptime - $0.uptime) } }

    static func == (left: Self, right: Self) -> Bool {
        left.last?.time == right.last?.time && left.last?.uptime == right.last?.uptime
    }

    func hash(into hasher: inout Hasher) { hasher.combine(last?.time) }
}
