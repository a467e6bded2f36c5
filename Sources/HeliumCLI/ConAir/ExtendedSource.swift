import ConAir
import HeliumConcurrency
import Synchronization

/// A source whose next responses also contain the points that precede those of a cache.
///
/// A store reads forward from its newest point. If its cache begins later than the command, this source adds the
/// earlier points, newest part first. A part that fails is read again with the next request.
final class ExtendedSource: TimeSeriesSource {
    private let source: any TimeSeriesSource
    /// The times that have not been read yet.
    private let missing: Guarded<Range<SeriesTime>>
    /// The time of the cache's first point.
    private let end: SeriesTime

    /// - Parameter missing: The times from the start of the command to the cache's first point.
    init(_ source: any TimeSeriesSource, missing: Range<SeriesTime>) {
        self.source = source
        self.missing = Guarded(missing)
        end = missing.upperBound
    }

    var id: String { source.id }

    func points(in window: Range<SeriesTime>, step: Duration) async throws -> SeriesReply {
        // The local clock is behind all points of the cache. The response reveals this, and the store requests again.
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
                // Returns the points that were read before the failure. The next poll continues from there.
                guard !points.isEmpty, !(error is CancellationError) else { throw error }
                break
            }
            missing.withLock { $0 = $0.lowerBound..<part.lowerBound }
        }
        let reply = try await source.points(in: window, step: step)
        guard !points.isEmpty || skippedCount > 0 else { return reply }
        // If times are equal, the points of the request replace earlier ones.
        return SeriesReply(
            points: points + reply.points,
            skippedCount: skippedCount + reply.skippedCount,
            serverTime: reply.serverTime
        )
    }
}
