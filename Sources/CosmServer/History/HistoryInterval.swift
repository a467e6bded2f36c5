/// An interval of history queries, with its longest window (Docs/Protocols/Cosm.md §4).
struct HistoryInterval: Hashable, Sendable {
    /// The step of the grid in seconds; 0 for every point.
    let seconds: Int
    let longestWindow: Int64

    private init(_ seconds: Int, _ longestWindow: Int64) {
        self.seconds = seconds
        self.longestWindow = longestWindow
    }

    private static let hour: Int64 = 3600
    private static let day: Int64 = 86_400

    /// All intervals, shortest first. A year has 366 days.
    static let all = [
        Self(0, 6 * hour), Self(30, 12 * hour), Self(60, 24 * hour), Self(300, 5 * day), Self(900, 14 * day),
        Self(1800, 31 * day), Self(3600, 31 * day), Self(10_800, 90 * day), Self(21_600, 180 * day),
        Self(43_200, 366 * day), Self(86_400, 366 * day),
    ]

    private static let longest = all[all.count - 1]

    /// Returns the shortest interval that is not shorter than a number of seconds. Values above a day become a day.
    static func roundedUp(_ seconds: Int) -> Self { all.first { $0.seconds >= seconds } ?? longest }

    /// Returns the shortest interval of at least `seconds` whose windows are long enough; `nil` if there is none.
    static func covering(_ window: Int64, atLeast seconds: Int) -> Self? {
        all.first { $0.seconds >= roundedUp(seconds).seconds && $0.longestWindow >= window }
    }
}
