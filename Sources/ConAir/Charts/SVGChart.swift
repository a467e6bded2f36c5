public import Foundation

/// A chart as an SVG image: a standalone document that can also be embedded in an HTML page.
///
/// The same model produces the same bytes. Titles and units are escaped, so they may come from untrusted sources. The
/// image contains a description in words (`<title>`, `<desc>`) and is legible at a width of 360 pixels.
///
/// ```swift
/// try SVGChart(model, style: .horizon).data.write(to: file, options: .atomic)
/// ```
public struct SVGChart: Sendable, Equatable {
    /// The style of drawing values.
    public enum Style: String, Sendable, CaseIterable {
        /// A line, with the values of the day before as a thin line.
        case line
        /// The distance from the mean as an area, folded into three layers, with one color above and another below the
        /// mean. A legend shows the values of the colors. The line of the day before is not drawn.
        case horizon
    }

    /// The color theme of the image.
    public enum Theme: String, Sendable, CaseIterable {
        /// The reader's preference, or light if it is unknown.
        case automatic
        /// Dark text on a light background.
        case light
        /// Light text on a dark background.
        case dark
    }

    /// The content of the chart.
    public var model: ChartModel

    /// The style of drawing values. Default: ``Style/line``.
    public var style: Style

    /// The color theme. Default: ``Theme/automatic``.
    public var theme: Theme

    /// The width in pixels, at least 240. Default: 480.
    public var width: Double

    /// The height in pixels, at least 120. Default: 300.
    public var height: Double

    /// Creates a chart with the defaults given for each property.
    public init(
        _ model: ChartModel,
        style: Style = .line,
        theme: Theme = .automatic,
        width: Double = 480,
        height: Double = 300
    ) {
        self.model = model
        self.style = style
        self.theme = theme
        self.width = width
        self.height = height
    }

    /// The document in UTF-8.
    public var data: Data { Data(drawing().bytes) }

    /// The document.
    public var text: String { String(decoding: drawing().bytes, as: UTF8.self) }

    private func drawing() -> SVGWriter {
        var drawing = SVGDrawing(chart: self)
        drawing.draw()
        return drawing.svg
    }
}
