import ConAir

/// Text in columns, aligned by the width of the text on a terminal.
struct TextTable {
    let headings: [String]
    private(set) var rows: [[String]] = []

    init(_ headings: String...) { self.headings = headings }

    /// Adds a row. A missing cell is shown as `-`.
    mutating func add(_ cells: String?...) { rows.append(cells.map { Self.printable($0 ?? "-") }) }

    /// Adds a row of cells that are not missing.
    mutating func add(row cells: [String]) { rows.append(cells.map(Self.printable)) }

    /// The headings and rows, without a line feed at the end.
    var text: String {
        let lines = [headings] + rows
        let widths = lines.map { $0.map { CellWidth.of($0) } }
        let columns = headings.indices.map { column in widths.map { $0[column] }.max() ?? 0 }
        return zip(lines, widths).map { Self.line($0, $1, columns) }.joined(separator: "\n")
    }

    private static func line(_ cells: [String], _ widths: [Int], _ columns: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            line += cell
            if index < cells.count - 1 { line += String(repeating: " ", count: columns[index] - widths[index] + 2) }
        }
        return line
    }

    /// Returns cells as a line without alignment. Missing cells are left out.
    static func row(_ cells: [String?]) -> OutputText {
        let cells = cells.compactMap { $0.map { OutputText(line: $0.isEmpty ? "-" : $0) } }
        guard let first = cells.first else { return "" }
        return cells.dropFirst().reduce(first) { "\($0)  \($1)" }
    }

    /// Returns the text of a cell on one line with control characters escaped; `-` for an empty cell.
    static func printable(_ text: String) -> String { text.isEmpty ? "-" : PrintableText.line(text) }
}
