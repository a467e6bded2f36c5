import Foundation
import TestSupport
import Testing

@testable import ConAir

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Charts as SVG")
struct SVGChartTests {
    @Test("a chart as SVG is the picture of the fixture", arguments: ChartSample.all)
    func picture(sample: ChartSample) throws {
        for (style, theme) in [(SVGChart.Style.line, SVGChart.Theme.automatic), (.horizon, .dark)] {
            let text = SVGChart(sample.model, style: style, theme: theme).text
            try ChartFixture.expect(text, "\(sample.name)-\(style).svg")
        }
    }

    @Test("a narrow chart as SVG is the picture of the fixture", arguments: SVGChart.Style.allCases)
    func narrow(style: SVGChart.Style) throws {
        var sample = ChartSample.compared
        (sample.options.title, sample.options.unit) = ("Temperature of the living room, by the window", "°C")
        let chart = SVGChart(sample.model, style: style, theme: .light, width: 360, height: 240)
        _ = try PictureReader.read(chart.data)
        try ChartFixture.expect(chart.text, "phone-\(style).svg")
    }

    static let elements: Set<String> = ["svg", "title", "desc", "style", "rect", "text", "path", "circle"]
    static let sizes: [(Double, Double)] = [(480, 300), (240, 120), (0, -1), (.nan, .infinity), (2_000, 800)]

    @Test("a chart as SVG is valid XML with finite numbers inside of its frame", arguments: ChartSample.all)
    func document(sample: ChartSample) throws {
        for style in SVGChart.Style.allCases {
            for (number, theme) in SVGChart.Theme.allCases.enumerated() {
                // All sizes with one theme.
                for (width, height) in number == 0 ? Self.sizes : Array(Self.sizes.prefix(1)) {
                    let chart = SVGChart(sample.model, style: style, theme: theme, width: width, height: height)
                    #expect(chart.text == chart.text)
                    let document = try PictureReader.read(chart.data)
                    #expect(document.names.isSubset(of: Self.elements))
                    for word in ["nan", "inf"] { #expect(!document.lengths.contains(word), "\(sample.name)") }
                }
            }
        }
    }

    static let hostile = [
        "<script>alert(1)</script>", "]]> & &amp; \" '", "</title></svg>", "\u{0}\u{1}\u{8}\u{1B}[31m\u{7F}\u{9F}",
        "a\u{FFFE}\u{FFFF}\u{202E}", String(repeating: "long ", count: 100_000),
        "e" + String(repeating: "\u{301}", count: 50_000),
        "日本語のとても長いタイトルがここにあります、どこまでも続きます", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
        "<!DOCTYPE svg [<!ENTITY a \"b\">]>", "%s%n\\u003cscript", "javascript:alert(1)",
    ]

    @Test("titles and units are escaped in a chart as SVG", arguments: hostile)
    func strangers(text: String) throws {
        var options = ChartSample.day.model.options
        (options.title, options.unit) = (text, text)
        var sample = ChartSample.day
        sample.options = options
        for style in SVGChart.Style.allCases {
            let chart = SVGChart(sample.model, style: style)
            // No more for a title of 500,000 bytes than for a short one.
            #expect(chart.data.count < 80_000)
            let document = try PictureReader.read(chart.data)
            let plain = try PictureReader.read(SVGChart(ChartSample.day.model, style: style).data)
            #expect(document.names.isSubset(of: plain.names))
            if style == .line { #expect(document.elements == plain.elements, "no element more") }
            // By scalars: a title is cut within a letter of thousands of marks.
            #expect(document.title.unicodeScalars.first == text.unicodeScalars.first || text.hasPrefix("\u{0}"))
        }
        var nothing = ChartSample(name: "nothing", points: SeriesPoints())
        nothing.options = options
        for width in [240.0, 360] { _ = try PictureReader.read(SVGChart(nothing.model, width: width).data) }
    }

    @Test("no line of a chart as SVG crosses a gap")
    func gaps() throws {
        let model = ChartSample.gaps.model
        let text = SVGChart(model).text
        let line = try #require(text.firstRange(of: #/<path class="line" d="[^"]*"/#))
        #expect(text[line].count { $0 == "M" } == model.runs.count)
        #expect(model.runs.count == 4)
    }

    @Test("a chart as SVG describes its contents in words")
    func words() {
        var summaries: [String: String] = [:]
        for sample in ChartSample.all { summaries[sample.name] = sample.model.summary }
        #expect(
            summaries["day"]
                == "721 values from 2026-11-24 01:00 to 2026-11-25 01:01, Europe/Vienna, with 0 gaps. Latest 16.0 °C at "
                + "2026-11-25 01:00, minimum 16.0 °C, maximum 26.8 °C, mean 21.4 °C."
        )
        #expect(summaries["nothing"] == "No data from 2026-11-24 00:00 to 2026-11-25 00:01, UTC.")
        #expect(summaries["one"]?.hasSuffix("One value.") == true)
        #expect(summaries["flat"]?.hasSuffix("All values are the same.") == true)
        #expect(summaries["scattered"]?.hasSuffix("Only gaps: no two values are neighbours.") == true)
        #expect(summaries["compared"]?.contains("Compared with the day before: +2.0 (+12.5 %).") == true)
    }
}

/// Reads the contents of a picture.
private final class PictureReader: NSObject, XMLParserDelegate {
    struct Document {
        var names: Set<String> = []
        var elements = 0
        var title = ""
        /// All attributes that are lengths or paths.
        var lengths = ""
    }

    private var document = Document()
    private var path: [String] = []

    static func read(_ data: Data) throws -> Document {
        let reader = PictureReader()
        let parser = XMLParser(data: data)
        parser.delegate = reader
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.coderReadCorrupt) }
        return reader.document
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        path.append(name)
        document.names.insert(name)
        document.elements += 1
        for (key, value) in attributes where !["class", "xmlns", "role", "text-anchor"].contains(key) {
            document.lengths += value.lowercased() + " "
        }
    }

    func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
        path.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if path == ["svg", "title"] { document.title += text }
    }
}
