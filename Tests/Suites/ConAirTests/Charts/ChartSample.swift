import Foundation
import TestSupport
import Testing

@testable import ConAir

/// A series and what a chart of it asks for.
struct ChartSample: Sendable, CustomTestStringConvertible {
    let name: String
    let points: SeriesPoints
    var options = ChartModel.Options()
    var testDescription: String { name }

    static let step = Duration.seconds(120)
    static let begin = SeriesTime(seconds: 1_795_478_400)
    static let window = begin..<begin.advanced(by: .seconds(86_460))

    var model: ChartModel { ChartModel(points, window: Self.window, step: Self.step, options: options) }

    /// Values at steps after the begin of the window.
    private static func points(_ steps: some Sequence<Int>, _ value: (Int) -> Double) -> SeriesPoints {
        SeriesPoints(steps.map { SeriesPoint(time: begin.advanced(by: step * $0), value: value($0)) })
    }

    private static func curve(_ index: Int) -> Double {
        let angle = Double(index) / 360 * Double.pi
        let noise: Double = index.isMultiple(of: 720) ? 0 : Double(abs(index * 7919) % 13) / 15
        return 21 - 5 * cos(angle) + noise
    }

    private static func wave(_ index: Int) -> SeriesPoint {
        let value: Double = sin(Double(index) / 2_000) + (index.isMultiple(of: 977) ? 1 : 0)
        return SeriesPoint(time: begin.advanced(by: .seconds(index * 4)), value: value)
    }

    static let day = ChartSample(
        name: "day",
        points: points(0...720, curve),
        options: .init(title: "Living room", unit: "°C", zone: TimeZone(identifier: "Europe/Vienna") ?? .gmt)
    )
    static let gaps = ChartSample(
        name: "gaps",
        points: points(Array(0..<200) + Array(260..<400) + Array(410..<600) + Array(601...720), curve),
        options: .init(title: "Gaps", unit: "°C")
    )
    static let compared = ChartSample(
        name: "compared",
        points: points(-720...720) { curve($0) + ($0 > 0 ? 2 : 0) },
        options: .init(title: "Compared", comparesDayBefore: true)
    )
    static let dense = ChartSample(
        name: "dense",
        points: SeriesPoints((0..<20_000).map(wave)),
        options: .init(title: "Dense", maximumPoints: 200, padding: 0.25)
    )
    static let all = [
        day, gaps, compared, dense,
        ChartSample(name: "nothing", points: SeriesPoints()),
        ChartSample(name: "one", points: points([300]) { _ in 20 }, options: .init(title: "One")),
        ChartSample(name: "flat", points: points(0...720) { _ in 20 }),
        ChartSample(name: "scattered", points: points(stride(from: 0, through: 720, by: 40), curve)),
        ChartSample(name: "huge", points: points(0...20) { $0.isMultiple(of: 2) ? 1e300 : 2e300 }),
        ChartSample(
            name: "limits",
            points: points(0...20) { $0.isMultiple(of: 2) ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude }
        ),
        ChartSample(name: "zeros", points: points(0...20) { _ in 0 }, options: .init(padding: 0)),
        ChartSample(
            name: "hostile",
            points: points(0...20) { Double($0) },
            options: .init(title: "</title><script>alert(1)</script>\u{1B}[2J", unit: "<&\">")
        ),
    ]
}

/// Pictures that are stored in `Fixtures/conair`. `HELIUM_RECORD=1 make test` replaces them, and fails.
enum ChartFixture {
    static func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = SharedDocuments.package.appendingPathComponent("Fixtures/conair/\(name)")
        guard ProcessInfo.processInfo.environment["HELIUM_RECORD"] == nil else {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
            Issue.record("recorded \(name)", sourceLocation: sourceLocation)
            return
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        #expect(text == expected, "\(name)", sourceLocation: sourceLocation)
    }
}
