internal import HeliumServerKit

/// A stretch of time as queries spell it (§4): `30minutes`, `1day`, or bare seconds. Months and years are those of the
/// calendar.
enum HistoryDuration: Hashable, Sendable {
    case seconds(Int64)
    case months(Int)

    init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        // More than nine digits of any unit lie beyond year 9999.
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

/// The window that `start`, `end` and `duration` describe, for history and for deleting ranges (§4, §6).
struct HistoryWindow: Hashable, Sendable {
    var start: ServerInstant?
    var end: ServerInstant?
    /// Whether both ends were said, directly or by a duration.
    var isExplicit = false

    /// - Throws: ``CosmFailure`` with 400 for what cannot be read, contradicts itself or runs backwards.
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
