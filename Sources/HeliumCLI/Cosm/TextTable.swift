/// Text in columns.
struct TextTable {
    let headings: [String]
    private(set) var rows: [[String]] = []

    init(_ headings: String...) { self.headings = headings }

    /// Adds a row. A missing cell is shown as `-`.
    mutating func add(_ cells: String?...) { rows.append(cells.map { Self.printable($0 ?? "-") }) }

    /// The headings and rows, without a line feed at the end.
    var text: String {
        let lines = [headings] + rows
        let widths = headings.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { Self.line($0, widths) }.joined(separator: "\n")
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            line += cell
            if index < cells.count - 1 { line += String(repeating: " ", count: widths[index] - cell.count + 2) }
        }
        return line
    }

    /// Returns the text of a cell on one line with control characters escaped; `-` for an empty cell.
    static func printable(_ text: String) -> String { text.isEmpty ? "-" : PrintableText.line(text) }
}
