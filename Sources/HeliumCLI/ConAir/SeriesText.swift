import ArgumentParser
import ConAir
import Foundation

/// The output format of `helium conair fetch`.
enum SeriesFormat: String, ExpressibleByArgument, CaseIterable {
    /// Columns for display.
    case table
    /// An array of objects in the format of the service.
    case json
    /// Rows of time and value in the format of `helium cosm push`.
    case csv

    /// Returns the text of points. It ends with a line feed unless it is empty.
    func text(_ points: SeriesPoints, _ clock: ZoneClock) -> String {
        switch self {
        case .table:
            var table = TextTable("TIME", "VALUE")
            for point in points { table.add(clock.text(point.time), Self.rounded(point.value)) }
            return table.text + "\n"
        case .json:
            let elements = points.map { "{\"ts\":\"\($0.time)\",\"value\":\($0.value)}" }
            return "[\(elements.joined(separator: ",\n"))]\n"
        case .csv:
            return points.map { "\($0.time),\($0.value)\n" }.joined()
        }
    }
}

extension SeriesFormat {
    /// Rounds a value to four decimal places, because means have many. Values far from 1 are not rounded.
    private static func rounded(_ value: Double) -> String {
        guard 0.1..<1e9 ~= abs(value) else { return "\(value)" }
        return "\((value * 10_000).rounded() / 10_000)"
    }
}

/// Formats times in a time zone, with their offset from UTC.
struct ZoneClock: Sendable {
    let zone: TimeZone

    /// Returns the time in RFC 3339: `2012-12-11T21:28:00+01:00`, or `…Z` if the offset is 0.
    func text(_ time: SeriesTime) -> String {
        // The offset is cut to minutes. Time zones of the nineteenth century had offsets with seconds, which RFC 3339
        // does not support.
        let minutes = zone.secondsFromGMT(for: time.date) / 60
        guard minutes != 0 else { return "\(time)" }
        let local = "\(time.advanced(by: .seconds(minutes * 60)))".dropLast()
        return "\(local)\(minutes < 0 ? "-" : "+")\(Self.padded(abs(minutes) / 60)):\(Self.padded(abs(minutes) % 60))"
    }

    /// Returns the time of day: `21:28:00`.
    func timeOfDay(_ time: SeriesTime) -> String { String(text(time).dropFirst(11).prefix(8)) }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
