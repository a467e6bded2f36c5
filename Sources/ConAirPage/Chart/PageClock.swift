internal import ConAir
internal import Foundation

/// Formats times in the local time of a zone.
struct PageClock: Sendable {
    let zone: TimeZone

    /// Returns the date and the time: `2012-12-11 20:28:00`.
    func dateAndTime(_ time: SeriesTime) -> String {
        let text = local(time)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
    }

    /// Returns the time of day: `20:28:00`.
    func timeOfDay(_ time: SeriesTime) -> String { String(local(time).dropFirst(11).prefix(8)) }

    /// The identifier of the zone.
    var zoneName: String { zone == .gmt ? "UTC" : zone.identifier }

    private func local(_ time: SeriesTime) -> String {
        "\(time.advanced(by: .seconds(zone.secondsFromGMT(for: time.date))))"
    }
}
