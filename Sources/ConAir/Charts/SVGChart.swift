public import Foundation

/// A chart as an SVG picture: a document of its own, also right within an HTML page.
///
/// The same model gives the same bytes. Titles and units are escaped, so they may come from anybody. The picture names
/// itself in words (`<title>`, `<desc>`), and can be read when it is 360 pixels wide.
///
/// ```swift
/// try SVGChart(model, style: .horizon).data.write(to: file, options: .atomic)
/// ```
public struct SVGChart: Sendable, Equatable {
    /// How values are drawn.
    public enum Style: String, Sendable, CaseIterable {
        /// A line, with the values of the day before as a thin line.
        case line
        /// The distance from the mean as an area, folded into three layers: above it in one colour, below in another. A legend
        /// shows the values of the colours. The line of the day before is not drawn.
        case horizon
    }

    /// Which colours are used.
    public enum Theme: String, Sendable, CaseIterable {
        /// The reader's choice, light where it is unknown.
        case automatic
        /// Dark on light.
        case light
        /// Light on dark.
        case dark
    }

    /// What is drawn.
    public var model: ChartModel

    /// How values are drawn. Default: ``Style/line``.
    public var style: Style

    /// Which colours are used. Default: ``Theme/automatic``.
    public var theme: Theme

    /// The width in pixels, at least 240. Default: 480.
    public var width: Double

    /// The height in pixels, at least 120. Default: 300.
    public var height: Double

    /// A chart with the defaults named at each property.
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
