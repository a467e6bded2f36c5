import ArgumentParser
import ConAir
import ConAirSQLite

/// The points of a window, read once.
struct SeriesReading: Sendable {
    let points: SeriesPoints

    /// The requested window. Points before it are only for a comparison.
    let window: Range<SeriesTime>

    /// Reads a window.
    ///
    /// Without `--stop` the window ends at the present time of the source.
    ///
    /// - Parameter lead: The duration before the window that is also read.
    static func read(
        _ series: Series,
        _ options: SeriesWindowOptions,
        lead: Duration = .zero
    ) async throws -> SeriesReading {
        let now = SeriesTime(wallTime: CommandContext.current.clock.wallTime)
        let window = try options.window(now: now)
        if let stop = options.stop, stop <= now { return try await past(series, window, lead) }
        let start = window.lowerBound.advanced(by: .zero - lead)
        let isFixed = options.start != nil || options.stop != nil
        // One step more, because the store accepts a local clock that is wrong by up to a step.
        let store = try series.store(span: start.duration(to: now) + series.step, from: isFixed ? start : nil)
        let summary = try await store.collect()
        if let error = store.state.cacheError { Console.current.note("helium: the cache failed: \(error)") }
        noteSkipped(store.state.skippedCount, ahead: store.state.aheadCount)
        // Use the clock of the source, which is now known. It is read once: a second reading is later.
        let present = try options.window(now: store.sourceTime)
        let points = store.points
        // Without points from the cache, the store has requested the whole window.
        guard points.count + summary.removedCount > summary.insertedCount, let known = points.first?.time,
            let missing = series.missing(from: present.lowerBound.advanced(by: .zero - lead), before: known)
        else { return SeriesReading(points: points, window: present) }
        return SeriesReading(points: try await older(series, missing) + points, window: present)
    }

    /// Reads a window in the past, to which no points are added.
    ///
    /// Points are stored in the cache only if they adjoin the cached points. A store reads forward from its newest
    /// point and would never fill a gap. A window that does not adjoin the cached points is read without the cache.
    private static func past(
        _ series: Series,
        _ window: Range<SeriesTime>,
        _ lead: Duration
    ) async throws -> SeriesReading {
        let whole = window.lowerBound.advanced(by: .zero - lead)..<window.upperBound
        let cached = await knownPoints(series)
        guard let first = cached.first?.time, let last = cached.last?.time, whole.lowerBound <= last,
            first <= whole.upperBound
        else {
            let reply = try await series.source.points(in: whole, step: series.step)
            noteSkipped(reply.skippedCount, ahead: 0)
            return SeriesReading(points: SeriesPoints(reply.points), window: window)
        }
        var points = cached
        if let missing = series.missing(from: whole.lowerBound, before: first) {
            points = try await older(series, missing) + points
        }
        // The last known steps may have been incomplete, or may have been corrected.
        let begin = max(whole.lowerBound, last.advanced(by: .zero - series.step * 2))
        if begin < whole.upperBound {
            for part in SeriesWindow.Parts(of: begin..<whole.upperBound, step: series.step) {
                points = points + (try await read(series, part))
            }
        }
        return SeriesReading(points: points, window: window)
    }

    /// Returns the points of the cache; no points if it fails. The failure is reported.
    private static func knownPoints(_ series: Series) async -> SeriesPoints {
        do {
            return SeriesPoints(try await series.cache?.points(of: series.key) ?? [])
        } catch {
            Console.current.note("helium: the cache failed: \(error)")
            return SeriesPoints()
        }
    }

    /// Reads the points before the known ones, because a store only reads forward.
    ///
    /// The newest part is read first, so that the cache has no gap if a later part fails.
    private static func older(_ series: Series, _ window: Range<SeriesTime>) async throws -> SeriesPoints {
        var points = SeriesPoints()
        var rest = window
        while !rest.isEmpty {
            let part = SeriesWindow.newestPart(of: rest, step: series.step)
            points = try await read(series, part) + points
            rest = rest.lowerBound..<part.lowerBound
        }
        return points
    }

    /// Reads a part and stores it in the cache. A failure of the cache is reported.
    private static func read(_ series: Series, _ part: Range<SeriesTime>) async throws -> SeriesPoints {
        let reply = try await series.source.points(in: part, step: series.step)
        noteSkipped(reply.skippedCount, ahead: 0)
        do {
            try await series.cache?.store(reply.points, removingBefore: nil, of: series.key)
        } catch {
            Console.current.note("helium: the cache failed: \(error)")
        }
        return SeriesPoints(reply.points)
    }

    /// Reports elements that could not be read, and points that were dropped because they are ahead of the server.
    static func noteSkipped(_ count: Int, ahead: Int) {
        if count > 0 { Console.current.note("helium: \(count) elements had an invalid time or value") }
        if ahead > 0 { Console.current.note("helium: \(ahead) points are more than an hour ahead of the server") }
    }
}

extension SeriesPoints {
    /// Combines both sides. Points of the right side replace points of the left side with the same time.
    fileprivate static func + (left: SeriesPoints, right: SeriesPoints) -> SeriesPoints {
        SeriesPoints([left, right].joined())
    }
}
