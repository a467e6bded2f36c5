import ConAir
import Foundation

/// The capabilities of standard output that a chart depends on.
struct ChartTerminal: Sendable {
    /// Whether the output can be redrawn.
    let isScreen: Bool
    let characters: TerminalChart.Characters
    let isColoured: Bool

    /// Determines the capabilities.
    ///
    /// - Parameters:
    ///   - environment: The environment variables.
    ///   - isTerminal: Whether standard output is a terminal.
    init(
        environment: [String: String] = CommandContext.current.environment,
        isTerminal: Bool = Console.current.isTerminal
    ) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        isScreen = isTerminal && value("TERM") != "dumb"
        // Any value except an empty one turns colors off (https://no-color.org).
        isColoured = isScreen && value("NO_COLOR") == nil
        // The precedence that POSIX defines.
        let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
        characters = locale.contains("utf-8") || locale.contains("utf8") ? .braille : .ascii
    }

    /// Returns a chart with this number of columns and rows.
    func chart(_ model: ChartModel, columns: Int, rows: Int) -> TerminalChart {
        TerminalChart(model, characters: characters, isColoured: isColoured, columns: columns, rows: rows)
    }
}
