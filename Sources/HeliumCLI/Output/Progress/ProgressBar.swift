/// The layout of a progress bar, without output.
struct ProgressBar: Hashable {
    /// The number of columns. The last one stays empty, because terminals wrap there.
    let width: Int

    /// Returns one line without a line feed, which is never wider than the terminal.
    ///
    /// ```
    /// received [=========>          ]  47 %  2.4 MB of 5.0 MB  1.2 MB/s
    /// received 2.4 MB  1.2 MB/s
    /// ```
    ///
    /// - Parameters:
    ///   - label: The word for the direction of the transfer.
    ///   - completed: The number of bytes so far.
    ///   - total: The total number of bytes; `nil` if it is not known.
    ///   - bytesPerSecond: The speed; `nil` if it is not known yet.
    func line(_ label: String, completed: Int64, total: Int64?, bytesPerSecond: Double?) -> String {
        let speed = bytesPerSecond.flatMap(Self.speed)
        guard let total else {
            let amount = "\(label) \(ByteCount(completed))"
            return fitting([amount + (speed.map { "  \($0)" } ?? ""), amount, "\(ByteCount(completed))"])
        }
        let percent = Self.percent(completed, of: total)
        let figures = Self.padded("\(percent)") + " %"
        let amount = "\(figures)  \(ByteCount(completed)) of \(ByteCount(total))"
        let tails = [amount + (speed.map { "  \($0)" } ?? ""), amount, figures]
        for tail in tails {
            // The label, two spaces and two brackets.
            let room = width - 1 - label.count - tail.count - 4
            if room >= Self.shortestBar {
                return "\(label) [\(Self.bar(percent, columns: min(room, Self.longestBar)))] \(tail)"
            }
        }
        return fitting(["\(label) \(figures)", figures, ""])
    }

    private static let shortestBar = 10
    private static let longestBar = 40

    private func fitting(_ choices: [String]) -> String { choices.first { $0.count < width } ?? "" }

    /// Rounds down, so that 100 is only reached at the end.
    private static func percent(_ completed: Int64, of total: Int64) -> Int {
        guard completed > 0 || total <= 0 else { return 0 }
        guard total > 0, completed < total else { return 100 }
        return Int(Double(completed) / Double(total) * 100)
    }

    private static func bar(_ percent: Int, columns: Int) -> String {
        let filled = columns * percent / 100
        if filled == columns { return String(repeating: "=", count: columns) }
        return String(repeating: "=", count: filled) + ">" + String(repeating: " ", count: columns - filled - 1)
    }

    private static func padded(_ percent: String) -> String {
        String(repeating: " ", count: max(0, 3 - percent.count)) + percent
    }

    private static func speed(_ bytesPerSecond: Double) -> String? {
        guard bytesPerSecond.isFinite, bytesPerSecond >= 0, bytesPerSecond < 1e18 else { return nil }
        return "\(ByteCount(Int64(bytesPerSecond)))/s"
    }
}
