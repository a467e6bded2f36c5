internal import HeliumCore
internal import HeliumServerKit

/// Reads the points of history queries from a ``PointSource`` (Docs/Protocols/Cosm.md §4).
///
/// The cost in index descents: a query for every point takes one, and reads the rows that it returns. A sampled query
/// takes one for each sample and one more for each gap without points, and reads only rows that it returns. Averages
/// read each row of their window once, up to the last returned interval.
struct HistoryReader<Source: PointSource> {
    let source: Source

    /// Returns the points in ascending order, at most ``HistoryQuery/limit``.
    func points(_ query: HistoryQuery) throws -> [Datapoint] {
        var points: [Datapoint] = []
        if let previous = try previousPoint(query) { points.append(previous) }
        let count = query.offset + query.limit - points.count
        if count > 0 { points += try pointsInWindow(query, count) }
        points.removeFirst(min(query.offset, points.count))
        // Without a start pages go back in time, but each page is in ascending order.
        if query.start == nil { points.reverse() }
        return points
    }

    /// Returns the last point before the start, if the query includes it. It is the first point of the first page.
    private func previousPoint(_ query: HistoryQuery) throws -> Datapoint? {
        guard query.findsPrevious, let start = query.start else { return nil }
        // On the grid the first sample is already the value at the start.
        if query.isDiscrete, query.interval > 0 { return nil }
        return try source.newest(from: .earliest, through: query.keyLimit.lastInstant(notAfter: start.justBefore))
    }

    /// Returns up to `count` points, newest first without a start, otherwise oldest first. The same applies to the
    /// methods below.
    private func pointsInWindow(_ query: HistoryQuery, _ count: Int) throws -> [Datapoint] {
        if query.interval == 0 { return try everyPoint(query, count) }
        if query.isAverage { return try averages(query, count) }
        guard let start = query.start else { return try latest(query, count) }
        return query.isDiscrete ? try gridSamples(query, from: start, count) : try samples(query, from: start, count)
    }

    private func everyPoint(_ query: HistoryQuery, _ count: Int) throws -> [Datapoint] {
        var points: [Datapoint] = []
        try source.forEach(from: query.start ?? .earliest, through: query.end, newestFirst: query.start == nil) {
            points.append($0)
            return points.count < count
        }
        return points
    }

    /// Returns, from the start on, the newest point at or before each grid instant. Each point is returned once.
    private func samples(_ query: HistoryQuery, from start: ServerInstant, _ count: Int) throws -> [Datapoint] {
        let grid = SamplingGrid(seconds: query.interval)
        var samples: [Datapoint] = []
        var instant = grid.ceiling(start)
        var from = start
        while instant <= query.end, samples.count < count {
            if let found = try source.newest(from: from, through: instant) {
                samples.append(found)
                from = instant.justAfter
                instant = grid.next(instant)
            } else {
                // There is no point up to this instant. The next point determines the length of the gap.
                guard let after = try source.oldest(from: instant.justAfter, through: query.end) else { break }
                from = after.at
                instant = grid.ceiling(after.at)
            }
        }
        return samples
    }

    /// Returns the value at each grid instant with the timestamp of the grid. The value may be older than the start.
    private func gridSamples(_ query: HistoryQuery, from start: ServerInstant, _ count: Int) throws -> [Datapoint] {
        let grid = SamplingGrid(seconds: query.interval)
        var samples: [Datapoint] = []
        var instant = grid.ceiling(start)
        var held: Datapoint?
        var from = ServerInstant.earliest
        // No instant before this one has a point newer than the held one.
        var quietUntil = instant
        while instant <= query.end, samples.count < count {
            if instant >= quietUntil {
                if let found = try source.newest(from: from, through: instant) {
                    held = found
                } else {
                    let after = try source.oldest(from: instant.justAfter, through: query.end)
                    quietUntil = after.map { grid.ceiling($0.at) } ?? grid.next(query.end)
                }
                from = instant.justAfter
            }
            if let held { samples.append(Datapoint(at: instant, value: held.value)) }
            instant = held == nil ? max(grid.next(instant), quietUntil) : grid.next(instant)
        }
        return samples
    }

    /// Returns samples from the end backwards. The timestamp of each sample determines the next grid instant.
    private func latest(_ query: HistoryQuery, _ count: Int) throws -> [Datapoint] {
        let grid = SamplingGrid(seconds: query.interval)
        var samples: [Datapoint] = []
        var instant = grid.floor(query.end)
        while samples.count < count, let found = try source.newest(from: .earliest, through: instant) {
            let last = grid.ceiling(found.at)
            if query.isDiscrete {
                while instant >= last, samples.count < count {
                    samples.append(Datapoint(at: instant, value: found.value))
                    instant = grid.previous(instant)
                }
            } else {
                samples.append(found)
                instant = grid.previous(last)
            }
        }
        return samples
    }

    /// Returns the mean of the numbers in each interval, with the timestamp of the grid instant that ends it. Texts are
    /// skipped.
    private func averages(_ query: HistoryQuery, _ count: Int) throws -> [Datapoint] {
        let grid = SamplingGrid(seconds: query.interval)
        var averages: [Datapoint] = []
        var current: (end: ServerInstant, mean: RunningMean)?
        func close() {
            guard let current, let mean = current.mean.value else { return }
            averages.append(Datapoint(at: current.end, value: mean.description))
        }
        let window = query.keyLimit.wholeIntervals(query.start, query.end)
        guard (window.start ?? .earliest) <= window.end else { return [] }
        try source.forEach(from: window.start ?? .earliest, through: window.end, newestFirst: query.start == nil) {
            point in
            guard let number = NumericText.number(point.value) else { return true }
            let end = grid.ceiling(point.at)
            if current?.end == end {
                current?.mean.add(number)
                return true
            }
            close()
            current = (end, RunningMean(number))
            return averages.count < count
        }
        if averages.count < count { close() }
        return averages
    }
}

extension ServerInstant {
    var justBefore: Self { Self(microseconds: microseconds - 1) }
    var justAfter: Self { Self(microseconds: microseconds + 1) }
}
