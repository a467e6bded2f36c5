internal import Foundation

extension ChartModel {
    /// A note on what a reader of the chart might misunderstand; `nil` for an ordinary chart.
    public var note: String? {
        guard let statistics else {
            return dayBefore.isEmpty ? "No data" : "No data: the day before is shown"
        }
        if statistics.count == 1 { return "One value" }
        if statistics.count == statistics.gapCount + 1 { return "Only gaps: no two values are neighbours" }
        return ValueScale.isFlat(statistics.minimum...statistics.maximum) ? "All values are the same" : nil
    }

    /// The newest value in the window with its unit; `nil` if there is none.
    public var latestText: String? { statistics.map { valueText($0.latest.value) } }

    /// A description of the chart in words, for readers who cannot see it.
    public var summary: String {
        let scale = TimeScale(zone: options.zone)
        let times = "from \(scale.text(window.lowerBound)) to \(scale.text(window.upperBound)), \(zoneName)"
        guard let statistics else { return "\(note ?? "") \(times)." }
        let count = statistics.count == 1 ? "1 value" : "\(statistics.count) values"
        let gaps = statistics.gapCount == 1 ? "1 gap" : "\(statistics.gapCount) gaps"
        var sentences = [
            "\(count) \(times), with \(gaps).",
            "Latest \(valueText(statistics.latest.value)) at \(scale.text(statistics.latest.time)), minimum "
                + "\(valueText(statistics.minimum)), maximum \(valueText(statistics.maximum)), mean "
                + "\(valueText(statistics.mean)).",
        ]
        if let change = dayChangeText { sentences.append("Compared with the day before: \(change).") }
        if let note { sentences.append("\(note).") }
        return sentences.joined(separator: " ")
    }

    /// The change from the day before, such as `+1.2 °C (+5.9 %)`; `nil` if there is none.
    public var dayChangeText: String? {
        guard let dayChange, dayChange.absolute.isFinite else { return nil }
        let percent = dayChange.percent.flatMap { $0.isFinite ? " (\(signed(Self.percentText($0))) %)" : nil }
        return signed(valueText(dayChange.absolute)) + (percent ?? "")
    }

    /// Returns the comparison with the day before as a separate line; `nil` if there is none.
    ///
    /// - Parameter line: A description of the line of the day before; `nil` if it is not drawn.
    func comparison(line: String?) -> String? {
        let line = dayBefore.isEmpty ? nil : line
        guard line != nil || dayChangeText != nil else { return nil }
        return "day before\(line.map { " (\($0))" } ?? "")\(dayChangeText.map { ": \($0)" } ?? "")"
    }

    /// The identifier of the zone. Its offset is not used, because it may change within the window.
    private var zoneName: String { options.zone == .gmt ? "UTC" : options.zone.identifier }

    private static func percentText(_ percent: Double) -> String {
        ValueScale.label(percent, step: max(0.1, abs(percent) / 1e6), magnitude: abs(percent))
    }

    private func signed(_ text: String) -> String { text.hasPrefix("-") ? text : "+\(text)" }
}
