internal import HeliumServerKit

/// The finest resolution at which a key may read history (`minimum_interval`, Docs/Protocols/Cosm.md §7).
///
/// A key with a limit sees of the past what samples on the grid show, by whatever parameter or path: at each instant of
/// the grid the newest value at or before it. Current values have no limit.
struct HistoryLimit: Hashable, Sendable {
    /// The grid; `nil` without a limit.
    private let grid: SamplingGrid?

    /// Creates the limit of a number of seconds; 0 for no limit.
    init(_ minimumInterval: Int) {
        grid = minimumInterval > 0 ? SamplingGrid(seconds: HistoryInterval.roundedUp(minimumInterval).seconds) : nil
    }

    /// Returns the instant up to which values are read for the values at `instant`.
    func lastInstant(notAfter instant: ServerInstant) -> ServerInstant { grid?.floor(instant) ?? instant }

    /// Returns the window of averages of whole intervals. Without this, averages of windows with moving ends would show
    /// single points.
    func wholeIntervals(_ start: ServerInstant?, _ end: ServerInstant) -> (start: ServerInstant?, end: ServerInstant) {
        guard let grid else { return (start, end) }
        return (start.map { grid.floor($0.justBefore).justAfter }, grid.floor(end))
    }

    /// Returns whether samples on the grid include a stored point.
    func shows(_ point: Datapoint, of source: some PointSource, at now: ServerInstant) throws -> Bool {
        guard let grid else { return true }
        let sample = grid.ceiling(point.at)
        // The newest value of the running interval is the current one.
        let last = try source.newest(from: point.at, through: sample)
        guard last?.at == point.at else { return false }
        if sample <= now { return true }
        return try source.oldest(from: point.at.justAfter, through: .latest) == nil
    }

    /// Returns the waypoints that samples on the grid include: the last one of each whole interval.
    func sampled(_ waypoints: [Waypoint], through end: ServerInstant) -> [Waypoint] {
        guard let grid else { return waypoints }
        var samples: [Waypoint] = []
        var last: ServerInstant?
        for waypoint in waypoints {
            let sample = grid.ceiling(waypoint.at)
            if sample > end { break }
            if sample == last { samples.removeLast() }
            samples.append(waypoint)
            last = sample
        }
        return samples
    }
}

/// The parameters of a read that select history, within the limit of the key.
struct HistoryView: Hashable, Sendable {
    /// The history; `nil` for current values alone.
    let history: HistoryQuery?
    /// The instant of the values, from the parameter `time`; `nil` for now.
    let asOf: ServerInstant?

    /// - Throws: ``CosmFailure`` with 400.
    init(_ parameters: FormFields, now: ServerInstant, minimumInterval: Int) throws(CosmFailure) {
        history = try HistoryQuery.parse(parameters, now: now, minimumInterval: minimumInterval)
        asOf = try parameters.stamp("time").map(HistoryLimit(minimumInterval).lastInstant)
    }
}
