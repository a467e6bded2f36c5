import ArgumentParser
import ConAir
import Foundation

/// The form in which `helium conair fetch` writes points.
enum SeriesFormat: String, ExpressibleByArgument, CaseIterable {
    /// Columns for people.
    case table
    /// An array of objects, as the service takes it.
    case json
    /// Rows of time and value, as `helium cosm push` takes them.
    case csv

    /// The text of points, with a line feed at the end unless it is empty.
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
    /// A value in at most four digits after the point: means have many. Values far from 1 have all of them.
    private static func rounded(_ value: Double) -> String {
        guard 0.1..<1e9 ~= abs(value) else { return "\(value)" }
        return "\((value * 10_000).rounded() / 10_000)"
    }
}

/// Times as clocks of a zone show them, with their distance from UTC.
struct ZoneClock: Sendable {
    let zone: TimeZone

    /// RFC 3339: `2012-12-11T21:28:00+01:00`, or `…Z` where that is 0.
    func text(_ time: SeriesTime) -> String {
        // Zones of the nineteenth century are apart by seconds, which RFC 3339 has no digits for.
        let minutes = zone.secondsFromGMT(for: time.date) / 60
        guard minutes != 0 else { return "\(time)" }
        let local = "\(time.advanced(by: .seconds(minutes * 60)))".dropLast()
        return "\(local)\(minutes < 0 ? "-" : "+")\(Self.padded(abs(minutes) / 60)):\(Self.padded(abs(minutes) % 60))"
    }

    /// The time of day: `21:28:00`.
    func timeOfDay(_ time: SeriesTime) -> String { String(text(time).dropFirst(11).prefix(8)) }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
