import ArgumentParser
import ConAir
import ConAirSQLite

/// The points of a window, read once.
struct SeriesReading: Sendable {
    let points: SeriesPoints

    /// The window that was asked for. Points before it are there for a comparison.
    let window: Range<SeriesTime>

    /// Reads a window.
    ///
    /// The end of a window without `--stop` is the present time of the source.
    ///
    /// - Parameter lead: The time before the window that is read too.
    static func read(
        _ series: Series,
        _ options: SeriesWindowOptions,
        lead: Duration = .zero
    ) async throws -> SeriesReading {
        let now = SeriesTime(wallTime: SystemClock().wallTime)
        let window = try options.window(now: now)
        guard series.cache != nil || options.stop.map({ $0 > now }) ?? true else {
            return try await past(series, window, lead)
        }
        let span = window.lowerBound.advanced(by: .zero - lead).duration(to: now)
        let store = try series.store(span: span)
        try await store.collect()
        if let error = store.state.cacheError { Console.note("helium: the cache failed: \(error)") }
        noteSkipped(store.state.skippedCount, ahead: store.state.aheadCount)
        // By the clock of the source, which is known now.
        let present = try options.window(now: store.sourceTime)
        let first = present.lowerBound.advanced(by: .zero - lead)
        let asked = store.sourceTime.advanced(by: .zero - span)
        let known = series.cache == nil ? asked : store.points.first?.time ?? asked
        guard first < min(known, present.upperBound) else {
            return SeriesReading(points: store.points, window: present)
        }
        return SeriesReading(points: try await older(series, first..<known) + store.points, window: present)
    }

    /// Reads a window that nothing is added to any more.
    private static func past(
        _ series: Series,
        _ window: Range<SeriesTime>,
        _ lead: Duration
    ) async throws -> SeriesReading {
        let whole = window.lowerBound.advanced(by: .zero - lead)..<window.upperBound
        let reply = try await series.source.points(in: whole, step: series.step)
        noteSkipped(reply.skippedCount, ahead: 0)
        return SeriesReading(points: SeriesPoints(reply.points), window: window)
    }

    /// Reads what lies before the known points: a store goes only forward.
    private static func older(_ series: Series, _ window: Range<SeriesTime>) async throws -> SeriesPoints {
        let reply = try await series.source.points(in: window, step: series.step)
        noteSkipped(reply.skippedCount, ahead: 0)
        let key = SeriesKey(source: series.source.id, step: series.step)
        try await series.cache?.store(reply.points, removingBefore: nil, of: key)
        return SeriesPoints(reply.points)
    }

    private static func noteSkipped(_ count: Int, ahead: Int) {
        if count > 0 { Console.note("helium: \(count) elements had no readable time or no finite number") }
        if ahead > 0 { Console.note("helium: \(ahead) points are more than an hour ahead of the server") }
    }
}

extension SeriesPoints {
    /// Both; of two points with one time that of the right side.
    fileprivate static func + (left: SeriesPoints, right: SeriesPoints) -> SeriesPoints {
        SeriesPoints([left, right].joined())
    }
}
