internal import HeliumServerKit

/// A valid history query (Docs/Protocols/Cosm.md §4).
struct HistoryQuery: Hashable, Sendable {
    /// The first instant; `nil` for the latest points without a lower bound.
    var start: ServerInstant?
    var end: ServerInstant
    /// The step of the grid in seconds; 0 for every point.
    var interval: Int
    /// Whether the timestamps of samples are those of the grid.
    var isDiscrete = false
    var findsPrevious = false
    /// Whether the query returns the numeric average of each interval instead of a sample.
    var isAverage = false
    /// The maximum number of points per datastream.
    var limit: Int
    /// The number of points that are skipped first (the older parameter `page`).
    var offset = 0
    /// The limit of the key, which applies to points outside of the grid too.
    var keyLimit = HistoryLimit(0)

    static let defaultLimit = 100
    static let maximumLimit = 1_000
    /// The maximum number of points that `page` may skip.
    static let maximumOffset = 100_000

    /// The parameters that make a read a history query.
    private static let triggers = [
        "start", "end", "duration", "limit", "interval", "interval_type", "find_previous", "function",
    ]

    /// Reads the parameters of a request; `nil` if it is not a history query.
    ///
    /// - Parameter minimumInterval: The finest resolution in seconds that the key allows.
    /// - Throws: ``CosmFailure`` with 400.
    static func parse(
        _ parameters: FormFields,
        now: ServerInstant,
        minimumInterval: Int = 0
    ) throws(CosmFailure) -> Self? {
        guard triggers.contains(where: { parameters[$0] != nil }) else { return nil }
        let window = try HistoryWindow(parameters, now: now)
        let (limit, offset) = try page(parameters)
        var query = Self(start: window.start, end: window.end ?? now, interval: 0, limit: limit, offset: offset)
        query.isDiscrete = try isDiscrete(parameters)
        query.findsPrevious = parameters.isTrue("find_previous")
        if let function = parameters["function"] {
            guard function.lowercased() == "average" else { throw .badParameter("function is not average") }
            query.isAverage = true
        }
        if let start = query.start, start > query.end {
            // The request has only a `start`, which is in the future. There are no points yet.
            query.end = start
        }
        query.keyLimit = HistoryLimit(minimumInterval)
        try query.chooseInterval(try interval(parameters), minimum: minimumInterval, isExplicit: window.isExplicit)
        return query
    }

    /// Chooses the interval and checks the window. An explicit window that is too long is rejected. A window with only
    /// a start is shortened at its end.
    private mutating func chooseInterval(_ asked: Int?, minimum: Int, isExplicit: Bool) throws(CosmFailure) {
        guard let start else {
            interval = HistoryInterval.roundedUp(max(asked ?? 0, minimum)).seconds
            return
        }
        let micros = end.microseconds - start.microseconds
        let window = (micros + ServerInstant.perSecond - 1) / ServerInstant.perSecond
        let chosen: HistoryInterval
        if let asked {
            chosen = .roundedUp(max(asked, minimum))
        } else {
            chosen = .covering(window, atLeast: minimum) ?? .roundedUp(86_400)
        }
        interval = chosen.seconds
        guard window > chosen.longestWindow else { return }
        if isExplicit {
            throw .badParameter(
                "the window is longer than \(chosen.longestWindow) seconds, the most for interval "
                    + "\(chosen.seconds)"
            )
        }
        end = start.adding(seconds: chosen.longestWindow)
    }

    private static func interval(_ parameters: FormFields) throws(CosmFailure) -> Int? {
        guard let interval = try parameters.integer("interval") else { return nil }
        guard interval >= 0 else { throw .badParameter("interval is negative") }
        return interval
    }

    private static func isDiscrete(_ parameters: FormFields) throws(CosmFailure) -> Bool {
        switch parameters["interval_type"]?.lowercased() {
        case nil, "continuous", "default": return false
        case "discrete": return true
        default: throw .badParameter("interval_type is not discrete")
        }
    }

    private static func page(_ parameters: FormFields) throws(CosmFailure) -> (limit: Int, offset: Int) {
        let older = try parameters.integer("per_page")
        let asked = try parameters.integer("limit") ?? older ?? defaultLimit
        guard asked > 0 else { throw .badParameter("limit is not positive") }
        let limit = min(asked, maximumLimit)
        let page = try parameters.integer("page") ?? 1
        guard page > 0 else { throw .badParameter("page is not positive") }
        let (offset, overflow) = (page - 1).multipliedReportingOverflow(by: limit)
        guard !overflow, offset <= maximumOffset else { throw .badParameter("page is too high") }
        return (limit, offset)
    }
}
