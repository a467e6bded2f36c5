/// The decision what to ask a source for. A value without I/O.
package struct PollPlan: Hashable, Sendable {
    /// The facts that a plan follows from.
    package struct Facts: Hashable, Sendable {
        /// The time of the newest known point that is not after ``now``.
        package var newest: SeriesTime?
        /// Whether there are known points, all of which may be after ``now``.
        package var hasPoints: Bool
        /// The time at the server.
        package var now: SeriesTime
        /// The time by which points are too old to be kept: ``now``, or earlier if the local clock is far ahead.
        package var retentionTime: SeriesTime
        /// The distance of two points.
        package var step: Duration
        /// The number of steps before the newest point that are read again. The newest step is incomplete when it is
        /// read first, and values are corrected later.
        package var overlap = 2
        /// The length of the window of a store without points. At least two steps are asked for: a shorter window may hold
        /// the start of none.
        package var initialSpan = Duration.seconds(86_400)
        /// The time at which the window of a store without points begins; `nil` for ``initialSpan`` before ``now``.
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

    /// The times that are asked for, the parts in order.
    package let window: Range<SeriesTime>

    /// The windows of the requests, oldest first.
    package let parts: [Range<SeriesTime>]

    /// Whether the window begins more than a step after the newest known point. The steps between, which are never asked for,
    /// would look like a gap: with the first new point, the known ones before the window have to be removed.
    package let beginsAnew: Bool

    /// Whether a window by a wrong clock does not touch that of the better plan, or the known points: its points would leave a
    /// hole between them, or let later windows begin after those that a store without points has to begin with.
    package var leavesHole: Bool { beginsAnew || facts.newest == nil }

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
        // Points that retention would remove at once are not asked for.
        let kept = step * min(max(1, facts.retention.count), 1 << 32)
        let time = min(facts.retentionTime, facts.now)
        let oldest = max(facts.retention.cutoff(at: time), time.advanced(by: .zero - kept))
        let start = max(wanted, min(oldest, facts.now))
        window = min(start, facts.now)..<facts.now
        beginsAnew = facts.newest.map { $0.advanced(by: step) < start } ?? false
        parts = Array(SeriesWindow.Parts(of: window, step: facts.step))
    }

    /// The plan by a better clock: the first reply states the time at the server.
    ///
    /// - Parameters:
    ///   - now: The time at the server.
    ///   - retentionTime: The time by which points are too old. Default: `now`.
    ///   - newest: The time of the newest known point that is not after `now`. Without effect on the first window of a
    ///     store without points, of which the reply has only a part.
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
