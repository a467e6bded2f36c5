/// A source from which a series can be read: a web service, a file, a simulation.
///
/// ``TimeSeriesStore`` polls a source. ``ConAirHTTPSource`` is the source for ConAir's web service. To poll another
/// service, conform a type to this protocol:
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
    /// The name of the series, for example its URL. It must be the same in each run of the program and differ from that
    /// of any other series. A ``SeriesCache`` stores points under this name.
    var id: String { get }

    /// Reads the points whose times are in a window.
    ///
    /// A store requests at most 5,000 steps at a time.
    ///
    /// - Parameters:
    ///   - window: The time span.
    ///   - step: The distance of two points. A source with more points averages them.
    func points(in window: Range<SeriesTime>, step: Duration) async throws -> SeriesReply
}

/// The points that a source has returned for a window.
public struct SeriesReply: Hashable, Sendable {
    /// The points in the order of their times, without duplicate times, with finite values.
    public private(set) var points: [SeriesPoint]

    /// The number of elements without a readable time or a finite number, which were left out.
    public internal(set) var skippedCount: Int

    /// The time at the source when it sent the reply; `nil` if it is unknown.
    public internal(set) var serverTime: SeriesTime?

    /// Creates a reply.
    ///
    /// - Parameters:
    ///   - points: Points in any order. If several have the same time, the last one counts. Points with values that are
    ///     not finite are left out and counted.
    ///   - skippedCount: The number of elements that the source has left out. Default: 0.
    ///   - serverTime: The time at the source. Default: `nil`, which makes a store use the local clock.
    public init(points: [SeriesPoint], skippedCount: Int = 0, serverTime: SeriesTime? = nil) {
        var assembly = PointAssembly()
        assembly.reserveCapacity(points.count)
        for point in points where point.value.isFinite { assembly.add(point) }
        self.skippedCount = skippedCount + points.count - assembly.points.count
        self.points = assembly.sorted()
        self.serverTime = serverTime
    }

    /// Creates a reply from points that are in order, without duplicate times, with finite values.
    init(sorted points: [SeriesPoint], skippedCount: Int) {
        self.points = points
        self.skippedCount = skippedCount
    }

    /// Appends the reply for the following window.
    mutating func append(_ next: SeriesReply) {
        skippedCount += next.skippedCount
        serverTime = next.serverTime ?? serverTime
        // A source may return points outside the window.
        if let last = points.last, let first = next.points.first, first.time <= last.time {
            points = SeriesReply(points: points + next.points).points
        } else {
            points += next.points
        }
    }
}
