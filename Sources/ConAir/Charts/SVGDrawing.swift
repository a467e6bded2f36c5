/// A drawing in progress: the layout, and the elements drawn so far.
struct SVGDrawing {
    let chart: SVGChart
    var svg = SVGWriter()

    // The size of the image, and the plot within it.
    private let width: Double
    private let height: Double
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double

    /// Whether there is room for a legend below the times.
    let hasLegend: Bool

    private let valueTicks: [ValueTick]
    var model: ChartModel { chart.model }

    // Approximate character widths. The reader's font is unknown, so the widths are those of a wide font.
    private static let tickWidth = 9.0
    private static let boldTickWidth = 9.8
    private static let titleWidth = 10.5
    private static let latestWidth = 15.5
    static let smallWidth = 7.4

    init(chart: SVGChart) {
        self.chart = chart
        width = chart.width.isFinite ? min(max(chart.width, 240), 10_000) : 480
        height = chart.height.isFinite ? min(max(chart.height, 120), 10_000) : 300
        valueTicks = chart.style == .line ? chart.model.valueTicks(maximum: Int((height - 90) / 36)) : []
        let longest = valueTicks.map(\.label.utf8.count).max() ?? 0
        left = chart.style == .line ? max(24, Double(longest) * Self.tickWidth + 12) : 12
        right = width - 12
        top = 58
        hasLegend = chart.style == .horizon && height >= 160
        bottom = height - (hasLegend ? 54 : 30)
    }

    mutating func draw() {
        svg.markup(#"<svg xmlns="http://www.w3.org/2000/svg" class="conair-chart" role="img""#)
        svg.attributes(["width": width, "height": height])
        svg.markup(" viewBox=\"0 0 ")
        svg.number(width)
        svg.markup(" ")
        svg.number(height)
        svg.markup("\">\n<title>")
        svg.text(model.options.title.isEmpty ? "Chart" : Self.cut(model.options.title, to: 500))
        svg.markup("</title>\n<desc>")
        svg.text(Self.cut(model.summary, to: 1_000))
        svg.markup("</desc>\n<style>\(Self.style(chart.theme))</style>\n")
        svg.markup(#"<rect class="paper" width="100%" height="100%"/>"# + "\n")
        header()
        grid()
        guard let values = model.values else {
            label("note", (left + right) / 2, (top + bottom) / 2, "middle", model.note ?? "")
            svg.markup("</svg>\n")
            return
        }
        clipped(left, top, right - left, bottom - top) { drawing in
            switch drawing.chart.style {
            case .line: drawing.lines(values)
            case .horizon: drawing.horizon()
            }
        }
        switch chart.style {
        // Outside the inner image, whose edge would cut the marker in half.
        case .line: newest(values)
        case .horizon: legend(height - 10)
        }
        svg.markup("</svg>\n")
    }

    // MARK: Words

    private mutating func header() {
        // If the value is too long, the unit is left out first.
        let room = Int((width - 24) * 0.6 / Self.latestWidth)
        var latest = DisplayText(model.latestText ?? "", cells: 1_000)
        if latest.cells > room, let value = model.statistics?.latest.value {
            latest = DisplayText(model.label(value), cells: 24)
        }
        label("latest", right, 28, "end", latest.text)
        let end = right - Double(latest.cells) * Self.latestWidth - 12
        clipped(12, 0, end - 12, 36) { drawing in
            let title = DisplayText(drawing.model.options.title, cells: Int((end - 12) / Self.titleWidth))
            drawing.label("title", 0, 26, "start", title.text)
        }
        let words = words.joined(separator: " · ")
        label("small", 12, 47, "start", DisplayText(words, cells: Int((right - 12) / Self.smallWidth)).text)
    }

    /// The texts besides the title and the newest value.
    private var words: [String] {
        guard model.values != nil else { return [] }
        var words: [String] = []
        if chart.style == .horizon, legendLabels.isEmpty, let mean = model.statistics?.mean {
            words.append("mean \(model.label(mean))")
        }
        words += [model.comparison(line: chart.style == .line ? "thin line" : nil), model.note].compactMap(\.self)
        return words
    }

    private mutating func grid() {
        if let values = model.values {
            for tick in valueTicks {
                let y = bottom - ValueScale.position(tick.value, in: values) * (bottom - top)
                rule("grid", left, y, right, y)
                label("tick", left - 6, y + 4, "end", tick.label)
            }
        }
        rule("axis", left, bottom, right, bottom)
        var end = 0.0
        for tick in model.timeTicks(maximum: Int((right - left) / 72)) {
            let x = left + model.position(tick.time) * (right - left)
            if tick.isMajor { rule("grid", x, top, x, bottom) }
            rule("axis", x, bottom, x, bottom + 4)
            let half = Double(tick.label.utf8.count) * (tick.isMajor ? Self.boldTickWidth : Self.tickWidth) / 2
            let middle = min(max(x, half + 2), width - half - 2)
            guard middle - half > end else { continue }
            label(tick.isMajor ? "tick major" : "tick", middle, bottom + 20, "middle", tick.label)
            end = middle + half + 6
        }
    }

    // MARK: Elements

    /// Draws within a rectangle. An inner image clips everything outside it.
    private mutating func clipped(
        _ x: Double,
        _ y: Double,
        _ width: Double,
        _ height: Double,
        _ draw: (inout SVGDrawing) -> Void
    ) {
        svg.markup("<svg")
        svg.attributes(["x": x, "y": y, "width": max(width, 0), "height": max(height, 0)])
        svg.markup(">\n")
        draw(&self)
        svg.markup("</svg>\n")
    }

    mutating func label(_ style: String, _ x: Double, _ y: Double, _ anchor: String, _ text: String) {
        guard !text.isEmpty else { return }
        svg.markup(#"<text class="\#(style)" text-anchor="\#(anchor)""#)
        svg.attributes(["x": x, "y": y])
        svg.markup(">")
        svg.text(text)
        svg.markup("</text>\n")
    }

    private mutating func rule(_ style: String, _ x: Double, _ y: Double, _ endX: Double, _ endY: Double) {
        svg.markup(#"<path class="\#(style)" d=""#)
        svg.step("M", x, y)
        svg.step("L", endX, endY)
        svg.markup("\"/>\n")
    }

    /// Returns the beginning of a text, with an ellipsis if it is cut.
    private static func cut(_ text: String, to count: Int) -> String {
        // Cut by scalars, because a letter may have any number of marks.
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: max(count, 1), limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
