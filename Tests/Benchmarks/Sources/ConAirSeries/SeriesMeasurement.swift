import BareTriangles
import BenchmarkHarness
import ConAir
import Foundation
import MemoryCount

/// Measures the cost of storing, cutting, down-sampling and drawing a series of a million points.
struct SeriesMeasurement {
    private static let count = 1_000_000
    private static let step = Duration.seconds(60)
    private let list: [SeriesPoint]
    private let points: SeriesPoints
    private let window: Range<SeriesTime>

    init() {
        list = (0..<Self.count).map { index in
            SeriesPoint(
                time: SeriesTime(seconds: 1_700_000_000 + Int64(index) * 60),
                value: 20 + 5 * sin(Double(index) / 229) + Double(index * 7919 % 101) / 50
            )
        }
        points = SeriesPoints(list)
        // All but the ends, so that columns are cut.
        window = list[1].time..<list[Self.count - 1].time
    }

    func run(rounds: Int) throws -> [OperationResult] {
        let model = ChartModel(points, window: window, step: Self.step)
        var parts = Alternation([
            ("append", { repeating($0) { _ = SeriesPoints(list) } }),
            ("window", { repeating($0) { _ = points.window(window) } }),
            ("largest triangles", { repeating($0) { _ = points.largestTriangles(1_000) } }),
            ("model of a chart", { repeating($0) { _ = ChartModel(points, window: window, step: Self.step) } }),
            ("picture", { repeating($0) { _ = SVGChart(model).data } }),
            (
                "append, window, largest triangles and picture",
                {
                    repeating($0) {
                        let series = SeriesPoints(list)
                        _ = SVGChart(ChartModel(series, window: window, step: Self.step)).data
                    }
                }
            ),
        ])
        return try parts.run(group: "conair-million", bytes: 0, rounds: rounds) + triangles(rounds) + [memory(rounds)]
    }

    /// The choice alone, from the same columns: Swift copies them into arrays first, which is counted.
    private func triangles(_ rounds: Int) throws -> [OperationResult] {
        let times = list.map(\.time.microseconds)
        let values = list.map(\.value)
        var indices = [Int](repeating: 0, count: 1_000)
        func bare() { bare_largest_triangles(times, values, times.count, indices.count, &indices) }
        bare()
        guard points.largestTriangles(1_000) == indices.map({ list[$0] }) else { throw OtherChoice() }
        var alternation = Alternation([
            ("in C", { repeating($0, bare) }),
            ("ConAir", { repeating($0) { _ = points.largestTriangles(1_000) } }),
        ])
        return try alternation.run(group: "conair-triangles", bytes: 0, rounds: rounds)
    }

    private func memory(_ rounds: Int) -> OperationResult {
        let values = (0..<rounds).map { _ in
            let before = allocated_bytes()
            let series = SeriesPoints(list)
            let after = allocated_bytes()
            return withExtendedLifetime(series) { Double(after - before) / Double(Self.count) }
        }
        return OperationResult(
            group: "conair-memory",
            operation: "a point",
            bytes: 0,
            rounds: values,
            unit: "bytes"
        )
    }
}

/// Runs `body` so many times.
func repeating(_ count: Int, _ body: () throws -> Void) rethrows -> UInt64 {
    for _ in 0..<count { try body() }
    return UInt64(count)
}

/// C and Swift chose other points.
struct OtherChoice: Error {}
