import Foundation
import Testing

@testable import ConAir

@Suite("Charts in a terminal")
struct TerminalChartTests {
    @Test("a chart in a terminal is the text of the fixture", arguments: ChartSample.all)
    func text(sample: ChartSample) throws {
        for characters in TerminalChart.Characters.allCases {
            let text = TerminalChart(sample.model, characters: characters, columns: 72, rows: 14).text
            try ChartFixture.expect(text, "\(sample.name)-\(characters).txt")
        }
    }

    @Test("a chart in a terminal keeps its size and the terminal's characters", arguments: ChartSample.all)
    func size(sample: ChartSample) {
        for (columns, rows) in [(80, 20), (20, 6), (0, -5)] { expectSize(of: sample, columns, rows) }
    }

    @Test("a chart in a terminal has at most 1,000 by 500 characters")
    func limits() {
        for (columns, rows) in [(5_000, 12), (60, 5_000), (.max, .min)] { expectSize(of: .compared, columns, rows) }
    }

    private func expectSize(of sample: ChartSample, _ columns: Int, _ rows: Int) {
        for characters in TerminalChart.Characters.allCases {
            let chart = TerminalChart(sample.model, characters: characters, columns: columns, rows: rows)
            let lines = chart.lines
            #expect(lines.count <= max(6, min(rows, 500)))
            #expect(lines.allSatisfy { DisplayText($0, cells: .max).cells <= max(20, min(columns, 1_000)) })
            for scalar in chart.text.unicodeScalars {
                #expect(scalar.properties.generalCategory != .control || scalar == "\n")
            }
            if characters == .ascii { #expect(!chart.text.utf8.contains { $0 > 0x7F }) }
        }
    }

    @Test("titles and units of a chart in a terminal fit its width", arguments: SVGChartTests.hostile)
    func strangers(text: String) {
        var sample = ChartSample.compared
        (sample.options.title, sample.options.unit) = (text, text)
        for columns in [20, 33, 80] { expectSize(of: sample, columns, 12) }
    }

    @Test("colours of a chart are escapes around the same text")
    func colours() {
        let plain = TerminalChart(ChartSample.day.model).text
        let coloured = TerminalChart(ChartSample.day.model, isColoured: true).text
        #expect(coloured != plain)
        #expect(coloured.replacing(#/\u{1B}\[[0-9]+m/#, with: "") == plain)
    }

    @Test("no dot of a chart in a terminal is in a gap")
    func gaps() throws {
        var options = ChartModel.Options()
        options.padding = 1
        let begin = ChartSample.begin
        // The middle third is missing.
        let points = SeriesPoints(
            (0...720).filter { !(240..<480).contains($0) }
                .map { SeriesPoint(time: begin.advanced(by: .seconds($0 * 120)), value: Double($0 % 10)) }
        )
        let model = ChartModel(points, window: ChartSample.window, step: ChartSample.step, options: options)
        let lines = TerminalChart(model, columns: 100, rows: 12).lines.dropLast(2)
        for line in lines { #expect(line.dropFirst(40).prefix(25).allSatisfy { $0 == " " }) }
    }
}
