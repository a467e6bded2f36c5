import ConAir
import HeliumConcurrency
import Synchronization

/// A source whose next replies also have the points before those that a cache has.
///
/// A store reads forward from its newest point. Where its cache begins later than the command, this source adds what lies
/// before it, newest part first. A part that fails is read again with the next request.
final class ExtendedSource: TimeSeriesSource {
    private let source: any TimeSeriesSource
    /// The times that have not been read yet.
    private let missing: Guarded<Range<SeriesTime>>
    /// The time of the first point of the cache.
    private let end: SeriesTime

    /// - Parameter missing: The times from the beginning of the command to the first point of the cache.
    init(_ source: any TimeSeriesSource, missing: Range<SeriesTime>) {
        self.source = source
        self.missing = Guarded(missing)
        end = missing.upperBound
    }

    var id: String { source.id }

    func points(in window: Range<SeriesTime>, step: Duration) async throws -> SeriesReply {
        // By a local clock that is before all points of the cache: the reply shows that, and the store asks again.
        guard window.upperBound > end else { return try await source.points(in: window, step: step) }
        var points: [SeriesPoint] = []
        var skippedCount = 0
        while case let rest = missing.withLock({ $0 }), !rest.isEmpty {
            let part = SeriesWindow.newestPart(of: rest, step: step)
            do {
                let reply = try await source.points(in: part, step: step)
                points += reply.points
                skippedCount += reply.skippedCount
            } catch {
                // What came before is returned, and the next poll goes on from there.
                guard !points.isEmpty, !(error is CancellationError) else { throw error }
                break
            }
            missing.withLock { $0 = $0.lowerBound..<part.lowerBound }
        }
        let reply = try await source.points(in: window, step: step)
        guard !points.isEmpty || skippedCount > 0 else { return reply }
        // Points of the request count last.
        return SeriesReply(
            points: points + reply.points,
            skippedCount: skippedCount + reply.skippedCount,
            serverTime: reply.serverTime
        )
    }
}
