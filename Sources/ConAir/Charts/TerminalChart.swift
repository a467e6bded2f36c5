/// A chart as text, for a terminal of a given size.
///
/// ```swift
/// print(TerminalChart(model, columns: 80, rows: 20).text)
/// ```
public struct TerminalChart: Sendable, Equatable {
    /// The characters that lines consist of.
    public enum Characters: String, Sendable, CaseIterable {
        /// Braille, with eight dots in each character. For terminals that support UTF-8.
        case braille
        /// ASCII only, with one dot in each character.
        case ascii
    }

    /// The content of the chart.
    public var model: ChartModel

    /// The characters that lines consist of. Default: ``Characters/braille``.
    public var characters: Characters

    /// Whether the line and the axes are colored with ANSI escape sequences. Default: `false`.
    public var isColoured: Bool

    /// The width in characters, from 20 to 1,000. Default: 80.
    public var columns: Int

    /// The number of lines, from 6 to 500. Default: 20.
    public var rows: Int

    /// Creates a chart with the defaults given for each property.
    public init(
        _ model: ChartModel,
        characters: Characters = .braille,
        isColoured: Bool = false,
        columns: Int = 80,
        rows: Int = 20
    ) {
        self.model = model
        self.characters = characters
        self.isColoured = isColoured
        self.columns = columns
        self.rows = rows
    }

    /// The lines, without line feeds. No line is longer than ``columns``.
    public var lines: [String] {
        let (columns, rows) = (min(max(columns, 20), 1_000), min(max(rows, 6), 500))
        guard let values = model.values else { return header(columns) + [shown(model.note ?? "", columns).text] }
        let heading = header(columns)
        let height = rows - heading.count - 2
        let ticks = model.valueTicks(maximum: max(2, height / 3))
        let margin = min((ticks.map(\.label.utf8.count).max() ?? 0) + 1, columns / 2)
        var canvas = DotCanvas(columns: columns - margin, rows: height, characters: characters)
        canvas.draw(model, values)
        // The tick of a row is the one that lies within it.
        var labels: [Int: String] = [:]
        for tick in ticks {
            let position = 1 - ValueScale.position(tick.value, in: values)
            labels[min(Int(position * Double(height)), height - 1)] = tick.label
        }
        let plot = canvas.lines.enumerated().map { row, line in
            let label = shown(labels[row] ?? "", margin - 1)
            let room = String(repeating: " ", count: margin - 1 - label.cells)
            return painted("\(room)\(label.text) ", .axis) + painted(line, .line)
        }
        return heading + plot + footer(margin, columns)
    }

    /// The lines, each followed by a line feed.
    public var text: String { lines.map { $0 + "\n" }.joined() }

    // MARK: Words

    private func header(_ columns: Int) -> [String] {
        let latest = shown(model.latestText ?? "", columns / 2)
        let title = shown(model.options.title, columns - latest.cells - 1)
        let room = String(repeating: " ", count: columns - title.cells - latest.cells)
        let words = model.values == nil ? [] : [model.comparison(line: "dotted"), model.note].compactMap(\.self)
        let second = shown(words.joined(separator: ", "), columns).text
        let first = (title.text + room + latest.text).trimmedRight
        return (first.isEmpty ? [] : [first]) + (second.isEmpty ? [] : [second])
    }

    private func footer(_ margin: Int, _ columns: Int) -> [String] {
        let width = columns - margin
        var axis = [Character](repeating: characters == .braille ? "─" : "-", count: width)
        var labels = [Character](repeating: " ", count: columns)
        var end = 0
        for tick in model.timeTicks(maximum: max(2, width / 12)) {
            let column = min(Int(model.position(tick.time) * Double(width)), width - 1)
            axis[column] = characters == .braille ? "┴" : "+"
            let start = min(max(margin + column - tick.label.count / 2, 0), columns - tick.label.count)
            guard start >= end, start >= 0 else { continue }
            for (offset, letter) in tick.label.enumerated() { labels[start + offset] = letter }
            end = start + tick.label.count + 1
        }
        let line = String(repeating: " ", count: margin) + String(axis)
        return [painted(line, .axis), painted(String(labels).trimmedRight, .axis)]
    }

    private func shown(_ text: String, _ cells: Int) -> DisplayText {
        DisplayText(text, cells: cells, isASCII: characters == .ascii)
    }

    private enum Paint: String {
        case line = "36"
        case axis = "2"
    }

    private func painted(_ text: String, _ paint: Paint) -> String {
        isColoured && text.contains { $0 != " " } ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
    }
}

extension String {
    fileprivate var trimmedRight: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
