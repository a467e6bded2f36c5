extension SeriesPoints {
    /// Returns the gaps: neighbors that are more than 1.5 steps apart.
    ///
    /// - Parameter step: The distance of neighbors without a gap.
    /// - Returns: For each gap, the times of the points before and after it.
    public func gaps(step: Duration) -> [Range<SeriesTime>] {
        let longest = Self.longestDistance(step: step)
        var gaps: [Range<SeriesTime>] = []
        var previous: Int64?
        forEachColumn { times, _ in
            for time in times {
                if let previous, time - previous > longest {
                    gaps.append(SeriesTime(microseconds: previous)..<SeriesTime(microseconds: time))
                }
                previous = time
            }
        }
        return gaps
    }

    /// Returns the longest distance that is not a gap, in microseconds.
    static func longestDistance(step: Duration) -> Int64 {
        let step = Swift.max(0, step.wholeMicroseconds)
        let (sum, overflow) = step.addingReportingOverflow(step / 2)
        return overflow ? .max : sum
    }
}
