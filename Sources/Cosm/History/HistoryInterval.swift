/// The distance between the samples of a history, and the longest window of a request with that distance
/// (Docs/Protocols/Cosm.md §4).
public struct HistoryInterval: Hashable, Sendable {
    /// The distance in seconds; 0 means every point.
    public let seconds: Int

    /// The longest window of one request.
    public let maximumWindow: CosmDuration

    private init(_ seconds: Int, _ maximumWindow: CosmDuration) {
        self.seconds = seconds
        self.maximumWindow = maximumWindow
    }

    /// The intervals of the service, from every point to one sample a day.
    public static let all = [
        everyPoint, halfMinute, minute, fiveMinutes, quarterHour, halfHour, hour, threeHours, sixHours, halfDay, day,
    ]

    /// Every point. The window has at most 6 hours.
    public static let everyPoint = Self(0, .hours(6))
    /// Every 30 seconds. The window has at most 12 hours.
    public static let halfMinute = Self(30, .hours(12))
    /// Every minute. The window has at most 24 hours.
    public static let minute = Self(60, .hours(24))
    /// Every 5 minutes. The window has at most 5 days.
    public static let fiveMinutes = Self(300, .days(5))
    /// Every 15 minutes. The window has at most 14 days.
    public static let quarterHour = Self(900, .days(14))
    /// Every 30 minutes. The window has at most 31 days.
    public static let halfHour = Self(1800, .days(31))
    /// Every hour. The window has at most 31 days.
    public static let hour = Self(3600, .days(31))
    /// Every 3 hours. The window has at most 90 days.
    public static let threeHours = Self(10_800, .days(90))
    /// Every 6 hours. The window has at most 180 days.
    public static let sixHours = Self(21_600, .days(180))
    /// Every 12 hours. The window has at most a year.
    public static let halfDay = Self(43_200, .years(1))
    /// Every day. The window has at most a year.
    public static let day = Self(86_400, .years(1))

    /// Creates the shortest interval of the service that is not shorter than a number of seconds. The service rounds in
    /// the same manner. Values above a day become a day.
    ///
    /// - Parameter seconds: The number of seconds. Negative values count as 0.
    package init(roundingUp seconds: Int) {
        self = Self.all.first { $0.seconds >= seconds } ?? .day
    }

    /// Returns the shortest interval with which one request covers a window; `nil` if no interval does.
    package static func finest(from start: Timestamp, to end: Timestamp) -> HistoryInterval? {
        all.first { $0.reaches(from: start, to: end) }
    }

    /// Returns whether one request with this interval covers a window.
    package func reaches(from start: Timestamp, to end: Timestamp) -> Bool {
        end <= start.adding(maximumWindow)
    }
}
