/// The decision on the window to request from a source. A value without I/O.
package struct PollPlan: Hashable, Sendable {
    /// The input of a plan.
    package struct Facts: Hashable, Sendable {
        /// The time of the newest known point that is not after ``now``.
        package var newest: SeriesTime?
        /// Whether there are known points. All of them may be after ``now``.
        package var hasPoints: Bool
        /// The time of the server.
        package var now: SeriesTime
        /// The time for determining the age of points: ``now``, or earlier if the local clock is far ahead.
        package var retentionTime: SeriesTime
        /// The distance of two points.
        package var step: Duration
        /// The number of steps before the newest point that are read again. The newest step is incomplete at its first
        /// read, and values are corrected later.
        package var overlap = 2
        /// The length of the window of a store without points. At least two steps are requested, because a shorter
        /// window may not contain the start of a step.
        package var initialSpan = Duration.seconds(86_400)
        /// The time at which the window of a store without points starts; `nil` for ``initialSpan`` before ``now``.
        package var initialStart: SeriesTime?
        package var retention = SeriesRetention()

        package init(newest: SeriesTime? = nil, now: SeriesTime, step: Duration) {
            self.newest = newest
            hasPoints = newest != nil
            self.now = now
            retentionTime = now
            self.step = step
        }
    }

    /// The requested time span, which all parts together cover.
    package let window: Range<SeriesTime>

    /// The windows of the requests, oldest first.
    package let parts: [Range<SeriesTime>]

    /// Whether the window starts more than a step after the newest known point. The steps in between, which are never
    /// requested, would look like a gap. With the first new point, the known points before the window must therefore be
    /// removed.
    package let startsAfterGap: Bool

    /// Whether a window based on a wrong clock is separate from the window of the corrected plan or from the known
    /// points.
    ///
    /// Its points would leave a hole between them. In a store without points, they would also make later windows start
    /// too late.
    package var leavesGap: Bool { startsAfterGap || facts.newest == nil }

    private let facts: Facts

    package init(_ facts: Facts) {
        self.facts = facts
        let step = Duration.microseconds(facts.step.wholeMicroseconds)
        let overlap = step * min(max(0, facts.overlap), SeriesWindow.maximumSteps)
        let wanted =
            facts.newest.map { min($0, facts.now).advanced(by: .zero - overlap) }
            ?? min(
                facts.initialStart ?? facts.now.advanced(by: .zero - facts.initialSpan),
                facts.now.advanced(by: .zero - step * 2)
            )
        // Points that retention would remove at once are not requested.
        let kept = step * min(max(1, facts.retention.count), 1 << 32)
        let time = min(facts.retentionTime, facts.now)
        let oldest = max(facts.retention.cutoff(at: time), time.advanced(by: .zero - kept))
        let start = max(wanted, min(oldest, facts.now))
        window = min(start, facts.now)..<facts.now
        startsAfterGap = facts.newest.map { $0.advanced(by: step) < start } ?? false
        parts = Array(SeriesWindow.Parts(of: window, step: facts.step))
    }

    /// Returns the plan for a corrected clock, after the first reply reported the time of the server.
    ///
    /// - Parameters:
    ///   - now: The time of the server.
    ///   - retentionTime: The time for determining the age of points. Default: `now`.
    ///   - newest: The time of the newest known point that is not after `now`. Ignored for the first window of a store
    ///     without points, of which the reply contains only a part.
    /// - Returns: `nil` unless the clock was wrong by more than a step.
    package func corrected(
        to now: SeriesTime,
        retentionTime: SeriesTime? = nil,
        newest: SeriesTime?
    ) -> PollPlan? {
        let time = retentionTime ?? now
        let differences = [facts.now.duration(to: now), facts.retentionTime.duration(to: time)]
        guard differences.contains(where: { [step = facts.step] in $0 > step || $0 < .zero - step }) else { return nil }
        var facts = facts
        (facts.now, facts.retentionTime) = (now, time)
        if facts.hasPoints { facts.newest = newest }
        return PollPlan(facts)
    }
}
