internal import HeliumServerKit

/// A duration in a query (Docs/Protocols/Cosm.md §4): `30minutes`, `1day`, or seconds without a unit. Months and years
/// are those of the calendar.
enum HistoryDuration: Hashable, Sendable {
    case seconds(Int64)
    case months(Int)

    init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        // More than nine digits of any unit lie beyond the year 9999.
        guard 1...9 ~= digits.count, let number = Int64(digits) else { return nil }
        switch text.dropFirst(digits.count).drop(while: { $0 == " " || $0 == "+" }).lowercased() {
        case "", "second", "seconds": self = .seconds(number)
        case "minute", "minutes": self = .seconds(number * 60)
        case "hour", "hours": self = .seconds(number * 3600)
        case "day", "days": self = .seconds(number * 86_400)
        case "week", "weeks": self = .seconds(number * 7 * 86_400)
        case "month", "months": self = .months(Int(number))
        case "year", "years": self = .months(Int(number) * 12)
        default: return nil
        }
    }

    func after(_ instant: ServerInstant) -> ServerInstant {
        switch self {
        case .seconds(let seconds): instant.adding(seconds: seconds)
        case .months(let months): instant.adding(months: months)
        }
    }

    func before(_ instant: ServerInstant) -> ServerInstant {
        switch self {
        case .seconds(let seconds): instant.adding(seconds: -seconds)
        case .months(let months): instant.adding(months: -months)
        }
    }
}

/// The window that `start`, `end` and `duration` describe, for history queries and for deleting ranges
/// (Docs/Protocols/Cosm.md §4, §6).
struct HistoryWindow: Hashable, Sendable {
    var start: ServerInstant?
    var end: ServerInstant?
    /// Whether the request states both ends, directly or by a duration.
    var isExplicit = false

    /// - Throws: ``CosmFailure`` with 400 for invalid or contradictory parameters, and for a start after the end.
    init(_ parameters: FormFields, now: ServerInstant) throws(CosmFailure) {
        start = try parameters.stamp("start")
        end = try parameters.stamp("end")
        isExplicit = start != nil && end != nil
        if let text = parameters["duration"] {
            guard let duration = HistoryDuration(text) else { throw .badParameter("duration is invalid") }
            if isExplicit { throw .badParameter("start, end and duration exclude each other") }
            if let start {
                end = duration.after(start)
            } else {
                end = end ?? now
                start = duration.before(end ?? now)
            }
            isExplicit = true
        }
        if let start, let end, start > end { throw .badParameter("start is after end") }
    }
}
