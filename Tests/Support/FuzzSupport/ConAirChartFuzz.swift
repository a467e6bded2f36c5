import ConAir
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

extension FuzzTarget {
    static let conAirChart = FuzzTarget(
        "conair-chart",
        examples: [
            "Office\n°C\n\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}@@@@@@@@AAAAAAAA",
            "</title><script>alert(1)</script>\n]]>\n",
            "&amp; \" '\n<!DOCTYPE svg [<!ENTITY a \"b\">]>\n0123456789abcdef0123456789abcdef",
        ],
        pieces: [
            "\n", "<", ">", "&", "\"", "'", "]]>", "<!--", "<![CDATA[", "</svg>", "&#0;", "\0", "\u{1B}[2J", "\u{FFFE}",
            "\u{202E}", "e\u{301}\u{301}\u{301}", "日本語", "\u{1F468}\u{200D}\u{1F469}",
            "\0\0\0\0\0\0\0\0", "@@@@@@@@", "zzzzzzz\u{7F}",
        ],
        check: { try ConAirChartFuzz.check($0) }
    )
}

/// Draws a title, a unit and values of any origin.
enum ConAirChartFuzz {
    /// - Parameter bytes: A line with a title, one with a unit, and the bits of values.
    static func check(_ bytes: [UInt8]) throws {
        let parts = bytes.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false)
        let texts = parts.prefix(2).map { String(decoding: $0, as: UTF8.self) }
        let options = ChartModel.Options(title: texts[0], unit: texts.count > 1 ? texts[1] : "")
        let points = points(parts.count > 2 ? parts[2] : [])
        let end = points.last?.time.advanced(by: .seconds(1)) ?? start.advanced(by: .seconds(86_400))
        let model = ChartModel(points, window: start..<end, step: .seconds(120), options: options)
        for style in SVGChart.Style.allCases { try PictureCheck.run(SVGChart(model, style: style).data) }
        for characters in TerminalChart.Characters.allCases {
            let chart = TerminalChart(model, characters: characters, columns: 40, rows: 8)
            try checkLines(chart.lines, isASCII: characters == .ascii)
        }
    }

    private static let start = SeriesTime(seconds: 1_355_227_200)

    /// Up to 100 points, with a gap after some.
    private static func points(_ bytes: ArraySlice<UInt8>) -> SeriesPoints {
        var points: [SeriesPoint] = []
        var time = start
        var rest = bytes.prefix(800)
        while rest.count >= 8 {
            let bits = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(8)
            let value = Double(bitPattern: bits)
            if value.isFinite { points.append(SeriesPoint(time: time, value: value)) }
            time = time.advanced(by: .seconds(bits.isMultiple(of: 5) ? 600 : 120))
        }
        return SeriesPoints(points)
    }

    private static func checkLines(_ lines: [String], isASCII: Bool) throws {
        guard lines.count <= 8 else { throw FuzzFinding("there are \(lines.count) lines") }
        for line in lines {
            guard DisplayText(line, cells: .max).cells <= 40 else { throw FuzzFinding("a line is too long: \(line)") }
            guard line.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw FuzzFinding("a line has a control character")
            }
            if isASCII, line.utf8.contains(where: { $0 > 0x7F }) { throw FuzzFinding("a line is not ASCII: \(line)") }
        }
    }
}

/// Parses a picture, and looks for what no picture of ours has.
private final class PictureCheck: NSObject, XMLParserDelegate {
    private static let elements: Set<String> = ["svg", "title", "desc", "style", "rect", "text", "path", "circle"]
    private var finding: String?

    static func run(_ data: Data) throws {
        let check = PictureCheck()
        let parser = XMLParser(data: data)
        parser.delegate = check
        guard parser.parse() else { throw FuzzFinding("no XML: \(parser.parserError.map { "\($0)" } ?? "")") }
        if let finding = check.finding { throw FuzzFinding(finding) }
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        if !Self.elements.contains(name) { finding = "an element \(name)" }
        for (key, value) in attributes where !["class", "xmlns", "role", "text-anchor"].contains(key) {
            let text = value.lowercased()
            if text.contains("nan") || text.contains("inf") { finding = "\(key) is \(value)" }
        }
    }
}
