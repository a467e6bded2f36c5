import ConAir
import Foundation

/// The abilities of the terminal, or of whatever standard output leads to, that a chart needs.
struct ChartTerminal: Sendable {
    /// Whether it can be redrawn.
    let isScreen: Bool
    let characters: TerminalChart.Characters
    let isColoured: Bool

    /// - Parameters:
    ///   - environment: The variables of the process.
    ///   - isTerminal: Whether standard output is a terminal.
    init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        isTerminal: Bool = Console.isTerminal
    ) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        isScreen = isTerminal && value("TERM") != "dumb"
        // https://no-color.org: any value but an empty one.
        isColoured = isScreen && value("NO_COLOR") == nil
        // The order of POSIX.
        let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
        characters = locale.contains("utf-8") || locale.contains("utf8") ? .braille : .ascii
    }

    /// A chart in so many columns and rows.
    func chart(_ model: ChartModel, columns: Int, rows: Int) -> TerminalChart {
        TerminalChart(model, characters: characters, isColoured: isColoured, columns: columns, rows: rows)
    }
}
