/// A canvas of dots, with several dots per character.
struct DotCanvas {
    private let columns: Int
    private let rows: Int
    private let characters: TerminalChart.Characters
    /// The number of dots of a character horizontally and vertically.
    private let across: Int
    private let down: Int
    private var cells: [UInt8]

    init(columns: Int, rows: Int, characters: TerminalChart.Characters) {
        self.columns = columns
        self.rows = rows
        self.characters = characters
        (across, down) = characters == .braille ? (2, 4) : (1, 1)
        cells = [UInt8](repeating: 0, count: columns * rows)
    }

    /// Draws the lines of a chart. If there are many points, fills the range from the smallest to the largest value of
    /// each column.
    mutating func draw(_ model: ChartModel, _ values: ClosedRange<Double>) {
        // The day before is drawn as a dotted line.
        for run in model.dayBefore { draw(run, model, values) { ($0 + $1).isMultiple(of: 3) } }
        for run in model.runs {
            for band in run.bands {
                let x = column(model.position(band.time))
                let (low, high) = (row(band.values.lowerBound, values), row(band.values.upperBound, values))
                for y in high...low { set(x, y) }
            }
            draw(run, model, values) { _, _ in true }
        }
    }

    private mutating func draw(
        _ run: ChartRun,
        _ model: ChartModel,
        _ values: ClosedRange<Double>,
        _ isSet: (Int, Int) -> Bool
    ) {
        var previous: (x: Int, y: Int)?
        for point in run.points {
            let (x, y) = (column(model.position(point.time)), row(point.value, values))
            let start = previous ?? (x, y)
            let steps = max(abs(x - start.x), abs(y - start.y))
            for step in 0...steps {
                let share = steps == 0 ? 0 : Double(step) / Double(steps)
                let dotX = start.x + Int((Double(x - start.x) * share).rounded())
                let dotY = start.y + Int((Double(y - start.y) * share).rounded())
                if isSet(dotX, dotY) { set(dotX, dotY) }
            }
            previous = (x, y)
        }
    }

    private func column(_ position: Double) -> Int {
        min(max(Int(position * Double(columns * across)), 0), columns * across - 1)
    }

    private func row(_ value: Double, _ values: ClosedRange<Double>) -> Int {
        let position = 1 - ValueScale.position(value, in: values)
        return min(max(Int(position * Double(rows * down)), 0), rows * down - 1)
    }

    private mutating func set(_ x: Int, _ y: Int) {
        cells[y / down * columns + x / across] |= characters == .braille ? Self.dots[y % 4][x % 2] : 1
    }

    /// The bits of the Unicode braille patterns, by row and column.
    private static let dots: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    /// The rows, from the top to the bottom.
    var lines: [String] {
        (0..<rows).map { row in
            var line = ""
            for cell in cells[row * columns..<(row + 1) * columns] {
                switch characters {
                case .ascii: line += cell == 0 ? " " : "*"
                case .braille:
                    line.unicodeScalars.append(cell == 0 ? " " : Unicode.Scalar(0x2800 + UInt32(cell)) ?? " ")
                }
            }
            return line
        }
    }
}
