import Foundation
import TestSupport
import Testing

@testable import ConAir

@Suite("Models of charts")
struct ChartModelTests {
    private static let limit = Double.greatestFiniteMagnitude
    private static let least = Double.leastNonzeroMagnitude

    private func points(_ values: [Double]) -> SeriesPoints {
        let times = values.indices.map { ChartSample.begin.advanced(by: ChartSample.step * $0) }
        return SeriesPoints(zip(times, values).map { SeriesPoint(time: $0, value: $1) })
    }

    private func model(_ points: SeriesPoints, _ options: ChartModel.Options = .init()) -> ChartModel {
        ChartModel(points, window: ChartSample.window, step: ChartSample.step, options: options)
    }

    /// All pictures of a chart in one text.
    private func pictures(_ model: ChartModel) -> String {
        let svg = SVGChart.Style.allCases.map { style in
            // Attributes and texts, without the style sheet and its `font-family`.
            SVGChart(model, style: style).text.replacing(#/<style>.*</style>/#, with: "")
        }
        return (svg + TerminalChart.Characters.allCases.map { TerminalChart(model, characters: $0).text }).joined()
    }

    static let extremes: [[Double]] = [
        [0, least], [least, 2 * least], [-least, least], [.leastNormalMagnitude, 0], [limit], [limit, limit],
        [-limit, limit], [-limit, 0, limit], [1e300, 1e300], [1e-300, 2e-300], [1, limit], [limit, limit.nextDown],
        [1, 1.nextUp],
        Array(repeating: limit, count: 700), Array(repeating: -limit, count: 699) + [limit], [0, -0.0],
        [1e17, 1e17 + 16],
    ]

    @Test("a chart of any finite values has finite numbers only", arguments: extremes)
    func finite(values: [Double]) throws {
        for padding in [0, 1, 1e300, Self.limit, .nan] {
            for compares in [false, true] {
                var options = ChartModel.Options(comparesDayBefore: compares, padding: padding)
                options.maximumPoints = 100
                let model = model(points(values), options)
                let text = pictures(model).lowercased()
                #expect(!text.contains("nan") && !text.contains("inf"))
                let range = try #require(model.values)
                #expect(range.lowerBound.isFinite && range.upperBound.isFinite && range.lowerBound < range.upperBound)
            }
        }
    }

    /// The values of a chart, and its smallest, largest and newest value in words.
    static let narrow: [([Double], String, String, String)] = [
        ([0.001, 0.0005, 0.0015, 0.001], "0.00050", "0.00150", "0.00100"),
        ([1013.25, 1013.246, 1013.254, 1013.25], "1013.2460", "1013.2540", "1013.2500"),
        ([1e15, 1e15 - 1, 1e15 + 1, 1e15], "999999999999999.0", "1000000000000001.0", "1000000000000000.0"),
        ([1e-9, 2e-9, 3e-9, 2e-9], "1.00e-9", "3.00e-9", "2.00e-9"),
        ([-0.002, -0.001, -0.0015], "-0.00200", "-0.00100", "-0.00150"),
        ([20, 25, 21.52], "20.0", "25.0", "21.5"), ([0, 2_000, 512], "0", "2000", "512"),
        ([21.52, 21.52], "21.52", "21.52", "21.52"), ([0.001, 0.001], "0.00100", "0.00100", "0.00100"),
    ]

    @Test("a chart of small or narrow values fills its height, and its words are true", arguments: narrow)
    func small(values: [Double], minimum: String, maximum: String, latest: String) throws {
        let model = model(points(values), .init(unit: "V"))
        let words =
            "Latest \(latest) V at 2026-11-24 00:0\(values.count * 2 - 2), minimum \(minimum) V, maximum \(maximum) V,"
        #expect(model.summary.contains(words), "\(model.summary)")
        #expect(model.latestText == "\(latest) V" && model.valueText(values[values.count - 1]) == "\(latest) V")
        let range = try #require(model.values)
        for text in [SVGChart(model).text, TerminalChart(model).text] { #expect(text.contains("\(latest) V")) }
        guard let low = values.min(), let high = values.max(), low < high else { return }
        // At 1e15, the bounds are rounded.
        #expect(ValueScale.position(low, in: range) <= 0.11 && ValueScale.position(high, in: range) >= 0.89)
        let ticks = model.valueTicks(maximum: 5)
        #expect(ticks.count >= 3 && Set(ticks.map(\.label)).count == ticks.count, "\(ticks)")
        let mean = try #require(model.statistics?.mean)
        #expect(mean > low && mean < high)
    }

    /// A sum of 100 values loses some digits.
    private static let meanOfSum = (0..<100).reduce(0.0) { sum, _ in sum + 21.7 } / 100

    @Test(
        "values that differ by rounding errors only are drawn like values that are all the same",
        arguments: [
            [0.1 + 0.2, 0.3], [21.7, 21.700000000000003, 21.7], [21.7, meanOfSum], [-0.3, -(0.1 + 0.2)],
            [1e300, 1e300.nextUp],
        ],
        [0, 1.0]
    )
    func noise(values: [Double], padding: Double) throws {
        let options = ChartModel.Options(padding: padding)
        let model = model(points(values), options)
        let constant = self.model(points(values.map { _ in values[0] }), options)
        let range = try #require(model.values)
        for value in values {
            #expect(0.45...0.55 ~= ValueScale.position(value, in: range))
            #expect(model.label(value) == constant.label(values[0]))
        }
        #expect(model.note == constant.note && model.note == "All values are the same")
        func layers(_ model: ChartModel) -> Int {
            SVGChart(model, style: .horizon).text.components(separatedBy: "layer").count
        }
        #expect(layers(model) == layers(constant))
    }

    @Test("the mean of many large values is between them")
    func largeMean() throws {
        let values = (0..<720).map { 1e15 + sin(Double($0)) }
        let statistics = try #require(SeriesStatistics(points(values), step: ChartSample.step))
        #expect(abs(statistics.mean - 1e15) < 0.5)
    }

    @Test("a chart without values shows a value with the digits that it needs alone")
    func alone() {
        let model = model(SeriesPoints(), .init(unit: "V"))
        #expect(model.valueText(0.0012) == "0.00120 V" && model.valueText(21.5) == "21.50 V" && model.label(21.5) == "")
    }

    @Test("values that are not finite are left out of a chart")
    func notFinite() {
        let model = model(points([1, .nan, 2, .infinity, 3, -.infinity]))
        #expect(model.statistics?.count == 3 && model.statistics?.maximum == 3)
        #expect(model.runs.map { $0.points.map(\.value) } == [[1], [2], [3]])
        #expect(self.model(points([.nan, .infinity])).note == "No data")
    }

    @Test("a chart may have an empty window and an invalid step")
    func degenerate() {
        let options = ChartModel.Options(comparesDayBefore: true)
        for step in [Duration.zero, .seconds(-5), .seconds(Int64.max), .seconds(Int64.min)] {
            let nothing = ChartSample.begin..<ChartSample.begin
            let empty = ChartModel(points([1, 2]), window: nothing, step: step, options: options)
            #expect(empty.note == "No data" && !pictures(empty).isEmpty)
            let all = SeriesTime(microseconds: .min)..<SeriesTime(microseconds: .max)
            let model = ChartModel(points([1, 2]), window: all, step: step, options: options)
            #expect(model.statistics?.count == 2 && !pictures(model).isEmpty)
        }
    }

    @Test("the number of a chart's ticks is limited")
    func ticks() {
        let model = ChartSample.day.model
        for maximum in [Int.min, 0, 1_000_000, .max] {
            #expect(model.valueTicks(maximum: maximum).count <= 1_001)
            #expect(model.timeTicks(maximum: maximum).count <= 1_001)
        }
    }

    @Test("the comparison of a chart is that of the newest value in the window")
    func comparison() {
        var points = ChartSample.compared.points
        points.set(SeriesPoint(time: ChartSample.window.upperBound, value: 1_000))
        let options = ChartModel.Options(comparesDayBefore: true)
        #expect(model(points, options).dayChangeText == "+2.0 (+12.5 %)")
        #expect(model(points).dayChange == nil && model(points).dayBefore.isEmpty)
        // Without a value in the window there is nothing to compare, but the day before is drawn.
        let before = model(points.window(SeriesTime(microseconds: .min)..<ChartSample.begin), options)
        #expect(before.dayChange == nil && !before.dayBefore.isEmpty)
        #expect(before.note == "No data: the day before is shown")
    }

    @Test("a chart of many points costs one pass")
    func cost() {
        let points = SeriesPoints(
            (0..<200_000).map { SeriesPoint(time: SeriesTime(seconds: Int64($0)), value: Double($0 % 977)) }
        )
        let window = SeriesTime(seconds: 0)..<SeriesTime(seconds: 200_000)
        let time = processorTime {
            let model = ChartModel(points, window: window, step: .seconds(1))
            #expect(model.runs.map(\.points.count).reduce(0, +) == 1_000)
            #expect(SVGChart(model).data.count < 60_000)
        }
        #expect(time < .seconds(10))
    }
}
