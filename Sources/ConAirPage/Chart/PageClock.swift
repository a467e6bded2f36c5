internal import ConAir
internal import Foundation

/// Times as clocks of a zone show them.
struct PageClock: Sendable {
    let zone: TimeZone

    /// `2012-12-11 20:28:00`.
    func dateAndTime(_ time: SeriesTime) -> String {
        let text = local(time)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
    }

    /// `20:28:00`.
    func timeOfDay(_ time: SeriesTime) -> String { String(local(time).dropFirst(11).prefix(8)) }

    /// The zone's identifier.
    var zoneName: String { zone == .gmt ? "UTC" : zone.identifier }

    private func local(_ time: SeriesTime) -> String {
        "\(time.advanced(by: .seconds(zone.secondsFromGMT(for: time.date))))"
    }
}
