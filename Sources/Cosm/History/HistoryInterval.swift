/// How far apart the samples of a history are (§4), and how long a stretch one request may then ask for.
public struct HistoryInterval: Hashable, Sendable {
    /// Seconds between samples; 0 is every point.
    public let seconds: Int

    /// The longest stretch of one request.
    public let maximumWindow: CosmDuration

    private init(_ seconds: Int, _ maximumWindow: CosmDuration) {
        self.seconds = seconds
        self.maximumWindow = maximumWindow
    }

    /// The intervals that the service has, from every point to one a day.
    public static let all = [
        everyPoint, halfMinute, minute, fiveMinutes, quarterHour, halfHour, hour, threeHours, sixHours, halfDay, day,
    ]

    /// Every point, of at most 6 hours.
    public static let everyPoint = Self(0, .hours(6))
    /// Every 30 seconds, at most 12 hours.
    public static let halfMinute = Self(30, .hours(12))
    /// Every minute, at most 24 hours.
    public static let minute = Self(60, .hours(24))
    /// Every 5 minutes, at most 5 days.
    public static let fiveMinutes = Self(300, .days(5))
    /// Every 15 minutes, at most 14 days.
    public static let quarterHour = Self(900, .days(14))
    /// Every 30 minutes, at most 31 days.
    public static let halfHour = Self(1800, .days(31))
    /// Every hour, at most 31 days.
    public static let hour = Self(3600, .days(31))
    /// Every 3 hours, at most 90 days.
    public static let threeHours = Self(10_800, .days(90))
    /// Every 6 hours, at most 180 days.
    public static let sixHours = Self(21_600, .days(180))
    /// Every 12 hours, at most a year.
    public static let halfDay = Self(43_200, .years(1))
    /// Every day, at most a year.
    public static let day = Self(86_400, .years(1))

    /// The next interval that the service has: what it makes of any other itself. Longer ones than a day are a day.
    ///
    /// - Parameter seconds: The seconds; negative ones count as 0.
    public init(roundingUp seconds: Int) {
        self = Self.all.first { $0.seconds >= seconds } ?? .day
    }

    /// The finest interval at which one request reaches over a stretch; `nil` if none does.
    public static func finest(from start: Timestamp, to end: Timestamp) -> HistoryInterval? {
        all.first { $0.reaches(from: start, to: end) }
    }

    /// Whether one request reaches over a stretch.
    public func reaches(from start: Timestamp, to end: Timestamp) -> Bool {
        end <= start.adding(maximumWindow)
    }
}
