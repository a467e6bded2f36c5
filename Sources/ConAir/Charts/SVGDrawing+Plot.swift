// Within the plot, x starts with 0 at the left and y with 0 at the top.
extension SVGDrawing {
    var plotWidth: Double { right - left }
    var plotHeight: Double { bottom - top }

    func x(_ time: SeriesTime) -> Double { model.position(time) * plotWidth }

    // MARK: Lines

    mutating func lines(_ values: ClosedRange<Double>) {
        let height = plotHeight
        func y(_ value: Double) -> Double { (1 - ValueScale.position(value, in: values)) * height }
        path("before", model.dayBefore) { $0.line($1, y) }
        path("band", model.runs.filter { !$0.bands.isEmpty }) { drawing, run in
            for (index, band) in run.bands.enumerated() {
                drawing.svg.step(index == 0 ? "M" : "L", drawing.x(band.time), y(band.values.upperBound))
            }
            for band in run.bands.reversed() { drawing.svg.step("L", drawing.x(band.time), y(band.values.lowerBound)) }
            drawing.svg.markup("Z")
        }
        path("line", model.runs.filter { $0.points.count > 1 }) { $0.line($1, y) }
        path("dot", model.runs.filter { $0.points.count == 1 }) { $0.line($1, y) }
    }

    /// Marks the newest value.
    mutating func newest(_ values: ClosedRange<Double>) {
        guard let latest = model.statistics?.latest else { return }
        svg.markup(#"<circle class="newest" r="3.5""#)
        let y = (1 - ValueScale.position(latest.value, in: values)) * plotHeight
        svg.attributes(["cx": left + x(latest.time), "cy": top + y])
        svg.markup("/>\n")
    }

    private mutating func line(_ run: ChartRun, _ y: (Double) -> Double) {
        for (index, point) in run.points.enumerated() {
            svg.step(index == 0 ? "M" : "L", x(point.time), y(point.value))
        }
        // A line without length is drawn as a dot, because of its round caps.
        if run.points.count == 1 { svg.markup("h0") }
    }

    mutating func path(
        _ style: String,
        _ runs: [ChartRun],
        _ draw: (inout SVGDrawing, ChartRun) -> Void
    ) {
        guard !runs.isEmpty else { return }
        svg.markup("<path class=\"\(style)\" d=\"")
        for run in runs { draw(&self, run) }
        svg.markup("\"/>\n")
    }
}
