/// A place that a series can be read from: a web service, a file, a simulation.
///
/// ``TimeSeriesStore`` polls a source. ``ConAirHTTPSource`` is the source for ConAir's web service. To poll something
/// else, conform a type to this protocol:
///
/// ```swift
/// struct Thermometer: TimeSeriesSource {
///     let id = "thermometer"
///
///     func points(in window: Range<SeriesTime>, step: Duration) async throws -> SeriesReply {
///         SeriesReply(points: try await read(window, step))
///     }
/// }
/// ```
public protocol TimeSeriesSource: Sendable {
    /// The name of the series, for example its URL: the same in each run of the program, and different from that of any
    /// other series. A ``SeriesCache`` stores points under it.
    var id: String { get }

    /// Reads the points whose times are in a window.
    ///
    /// A store asks for at most 5,000 steps at a time.
    ///
    /// - Parameters:
    ///   - window: The times.
    ///   - step: The distance of two points. A source averages what it has more of.
    func points(in window: Range<SeriesTime>, step: Duration) async throws -> SeriesReply
}

/// The points that a source has returned for a window.
public struct SeriesReply: Hashable, Sendable {
    /// The points in the order of their times, each time once, all values finite.
    public private(set) var points: [SeriesPoint]

    /// The number of elements that were left out because they have no readable time or no finite number.
    public internal(set) var skippedCount: Int

    /// The time at the source when it sent the reply; `nil` if it is unknown.
    public internal(set) var serverTime: SeriesTime?

    /// A reply.
    ///
    /// - Parameters:
    ///   - points: Points in any order. Of several with one time, the last counts. Those whose value is not finite are
    ///     left out and counted.
    ///   - skippedCount: The number of elements that the source has left out. Default: 0.
    ///   - serverTime: The time at the source. Default: unknown, and a store uses the local clock.
    public init(points: [SeriesPoint], skippedCount: Int = 0, serverTime: SeriesTime? = nil) {
        var assembly = PointAssembly()
        assembly.reserveCapacity(points.count)
        for point in points where point.value.isFinite { assembly.add(point) }
        self.skippedCount = skippedCount + points.count - assembly.points.count
        self.points = assembly.sorted()
        self.serverTime = serverTime
    }

    /// A reply of points that are in order, each time once, with finite values.
    init(sorted points: [SeriesPoint], skippedCount: Int) {
        self.points = points
        self.skippedCount = skippedCount
    }

    /// Adds the reply for the window that follows.
    mutating func append(_ next: SeriesReply) {
        skippedCount += next.skippedCount
        serverTime = next.serverTime ?? serverTime
        // A source may return points outside of the window.
        if let last = points.last, let first = next.points.first, first.time <= last.time {
            points = SeriesReply(points: points + next.points).points
        } else {
            points += next.points
        }
    }
}
