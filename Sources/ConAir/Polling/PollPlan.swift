/// The decision what to ask a source for. A value without I/O.
package struct PollPlan: Hashable, Sendable {
    /// The facts that a plan follows from.
    package struct Facts: Hashable, Sendable {
        /// The time of the newest known point that is not after ``now``.
        package var newest: SeriesTime?
        /// The time at the server.
        package var now: SeriesTime
        /// The distance of two points.
        package var step: Duration
        /// The number of steps before the newest point that are read again. The newest step is incomplete when it is
        /// read first, and values are corrected later.
        package var overlap = 2
        /// The length of the window of a store without points. At least two steps are asked for: a shorter window may hold
        /// the start of none.
        package var initialSpan = Duration.seconds(86_400)
        package var retention = SeriesRetention()

        package init(newest: SeriesTime? = nil, now: SeriesTime, step: Duration) {
            self.newest = newest
            self.now = now
            self.step = step
        }
    }

    /// The times that are asked for, the parts in order.
    package let window: Range<SeriesTime>

    /// The windows of the requests, oldest first.
    package let parts: [Range<SeriesTime>]

    private let facts: Facts

    package init(_ facts: Facts) {
        self.facts = facts
        let overlap =
            Duration.microseconds(facts.step.wholeMicroseconds) * min(max(0, facts.overlap), SeriesWindow.maximumSteps)
        let wanted =
            facts.newest.map { min($0, facts.now).advanced(by: .zero - overlap) }
            ?? facts.now.advanced(by: .zero - max(facts.initialSpan, .microseconds(facts.step.wholeMicroseconds) * 2))
        // Points that retention would remove at once are not asked for.
        let kept = Duration.microseconds(facts.step.wholeMicroseconds) * min(max(1, facts.retention.count), 1 << 32)
        let oldest = max(facts.retention.cutoff(at: facts.now), facts.now.advanced(by: .zero - kept))
        let start = max(wanted, min(oldest, facts.now))
        window = min(start, facts.now)..<facts.now
        parts = Array(SeriesWindow.Parts(of: window, step: facts.step))
    }

    /// The plan by a better clock: the first reply states the time at the server.
    ///
    /// - Parameters:
    ///   - now: The time at the server.
    ///   - newest: The time of the newest known point that is not after it. Without effect on the first window of a
    ///     store without points, of which the reply has only a part.
    /// - Returns: `nil` unless the clock was wrong by more than a step.
    package func corrected(to now: SeriesTime, newest: SeriesTime?) -> PollPlan? {
        let difference = facts.now.duration(to: now)
        guard difference > facts.step || difference < .zero - facts.step else { return nil }
        var facts = facts
        facts.now = now
        if facts.newest != nil { facts.newest = newest }
        return PollPlan(facts)
    }
}
