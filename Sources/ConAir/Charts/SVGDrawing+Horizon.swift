// A horizon chart: the distance from the mean as an area, folded into layers, so that a low image shows small
// differences.
extension SVGDrawing {
    private static let layers = 3

    /// The value range of a layer; `nil` if all values equal the mean, except for rounding errors.
    private var layer: Double? {
        guard let statistics = model.statistics, !ValueScale.isFlat(statistics.minimum...statistics.maximum) else {
            return nil
        }
        let above = statistics.maximum / 3 - statistics.mean / 3
        let below = statistics.mean / 3 - statistics.minimum / 3
        let layer = max(above, below)
        return layer >= .leastNormalMagnitude ? layer : nil
    }

    /// Draws the distance from the mean in each layer as if the layer filled the plot. Everything outside is clipped.
    mutating func horizon() {
        field()
        guard let mean = model.statistics?.mean, let layer else { return }
        let height = plotHeight
        for (style, sign) in [("above", 1.0), ("below", -1.0)] {
            for number in 0..<Self.layers {
                path("\(style) layer\(number)", model.runs) { drawing, run in
                    drawing.area(run) { value in
                        // Both values are halved, because their difference may overflow a `Double`.
                        let distance = sign * (value / 2 - mean / 2) / (layer / 2)
                        return (1 - min(max(distance, -3), 3) + Double(number)) * height
                    }
                }
            }
        }
    }

    /// Draws the background of the runs. Without it, a gap would look like the mean.
    private mutating func field() {
        path("field", model.runs) { $0.area($1) { _ in 0 } }
    }

    private mutating func area(_ run: ChartRun, _ y: (Double) -> Double) {
        guard let first = run.points.first, let last = run.points.last else { return }
        // A single value is drawn as a bar two pixels wide.
        let room = run.points.count == 1 ? 1.0 : 0
        svg.step("M", x(first.time) - room, plotHeight)
        if room > 0 { svg.step("L", x(first.time) - room, y(first.value)) }
        for point in run.points { svg.step("L", x(point.time) + room, y(point.value)) }
        svg.step("L", x(last.time) + room, plotHeight)
        svg.markup("Z")
    }

    // MARK: Legend

    private static let swatch = 16.0

    /// The lowest value, the mean and the highest value of the layers; empty if there is no room or no layer.
    var legendLabels: [String] {
        guard hasLegend, let mean = model.statistics?.mean, let layer else { return [] }
        let limit = Double.greatestFiniteMagnitude
        let ends = [-3, 3].map { model.label(min(max(mean + $0 * layer, -limit), limit)) }
        let labels = [ends[0], "mean \(model.label(mean))", ends[1]]
        return Self.legendWidth(labels) <= right - 12 ? labels : []
    }

    private static func legendWidth(_ labels: [String]) -> Double {
        labels.reduce(0) { $0 + Double($1.utf8.count) * smallWidth } + 4 * 8 + 2 * Double(layers) * swatch
    }

    /// Draws the colors from the lowest to the highest value, centred below the plot.
    mutating func legend(_ y: Double) {
        let labels = legendLabels
        guard labels.count == 3 else { return }
        var x = (12 + right - Self.legendWidth(labels)) / 2
        let side = Double(Self.layers) * Self.swatch
        for (index, text) in labels.enumerated() {
            let width = Double(text.utf8.count) * Self.smallWidth
            label("small", x + width / 2, y, "middle", text)
            x += width + 8
            guard index < 2 else { return }
            for number in 0..<Self.layers {
                // Like in the plot, each layer covers those before it. The outermost swatch shows all layers.
                let inner = Double(number) * Self.swatch
                let start = index == 0 ? x : x + inner
                swatch(index == 0 ? "below" : "above", number, start, y - 10, side - inner)
            }
            x += side + 8
        }
    }

    private mutating func swatch(_ style: String, _ number: Int, _ x: Double, _ y: Double, _ width: Double) {
        svg.markup("<path class=\"\(style) layer\(number)\" d=\"")
        svg.step("M", x, y)
        for (x, y) in [(x + width, y), (x + width, y + 11), (x, y + 11)] { svg.step("L", x, y) }
        svg.markup("Z\"/>\n")
    }
}
