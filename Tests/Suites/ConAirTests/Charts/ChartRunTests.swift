import Foundation
import TestSupport
import Testing

@testable import ConAir

@Suite("Runs of a chart")
struct ChartRunTests {
    private let step = Duration.seconds(60)

    /// Values at minutes.
    private func points(_ minutes: some Sequence<Int>, _ value: (Int) -> Double = { Double($0) }) -> SeriesPoints {
        SeriesPoints(minutes.map { SeriesPoint(time: SeriesTime(seconds: Int64($0) * 60), value: value($0)) })
    }

    @Test("a gap of more than 1.5 steps begins a new run of a chart")
    func gaps() {
        let runs = ChartRun.runs(points([0, 1, 2, 4, 5, 9]), step: step, maximum: 100)
        #expect(runs.map { $0.points.map(\.value) } == [[0, 1, 2], [4, 5], [9]])
        #expect(runs.allSatisfy { $0.bands.isEmpty })
    }

    @Test("an empty chart has no runs")
    func nothing() { #expect(ChartRun.runs(SeriesPoints(), step: step, maximum: 100).isEmpty) }

    @Test("each run of a chart is sampled by itself, and its band has all values")
    func bands() throws {
        let minutes = Array(0..<10_000).filter { !(3_000..<3_100).contains($0) && $0 != 7_000 }
        let points = points(minutes) { sin(Double($0) / 100) * 10 + Double($0 % 7) }
        let runs = ChartRun.runs(points, step: step, maximum: 500)
        #expect(runs.count == 3)
        #expect(runs.first?.points.last?.time == SeriesTime(seconds: 2_999 * 60))
        #expect(runs.map(\.points.count).reduce(0, +) <= 510)
        for run in runs {
            let (first, last) = try (#require(run.points.first), #require(run.points.last))
            #expect(run.bands.map(\.time) == run.points.map(\.time))
            let whole = points.window(first.time..<last.time.advanced(by: .seconds(1)))
            let statistics = try #require(SeriesStatistics(whole, step: step))
            #expect(run.bands.map(\.values.lowerBound).min() == statistics.minimum)
            #expect(run.bands.map(\.values.upperBound).max() == statistics.maximum)
            #expect(zip(run.points, run.bands).allSatisfy { $1.values.contains($0.value) })
        }
    }

    @Test("extremes stay if a chart has more gaps than pixels, and no line crosses a gap")
    func onlyGaps() {
        let points = points((0..<100_000).map { $0 * 2 }) { Double($0 % 1_000) }
        let runs = ChartRun.runs(points, step: step, maximum: 1_000)
        #expect(runs.count <= 1_002 && runs.count > 500)
        #expect(runs.allSatisfy { $0.points.count == 1 })
        #expect(runs.contains { $0.points[0].value == 998 } && runs.contains { $0.points[0].value == 0 })
    }

    @Test("long runs of a chart stay lines beside many short ones")
    func crowded() {
        // Two days of minutes, then two days of which every second minute is missing.
        let minutes = Array(0..<2_880) + (1_441..<2_880).map { $0 * 2 }
        let runs = ChartRun.runs(points(minutes) { Double($0 % 500) }, step: step, maximum: 1_000)
        let lines = runs.filter { $0.points.count > 1 }
        #expect(lines.count == 1)
        #expect(lines.first?.points.first?.time == SeriesTime(seconds: 0))
        #expect(lines.first?.points.last?.time == SeriesTime(seconds: 2_879 * 60))
        #expect(lines.first.map { $0.points.count > 500 && $0.bands.count == $0.points.count } == true)
        let dots = runs.dropFirst()
        #expect(dots.count > 200 && dots.allSatisfy { $0.points.count == 1 })
        let points = runs.flatMap(\.points)
        #expect(points.count <= 2_500 && zip(points, points.dropFirst()).allSatisfy { $0.time < $1.time })
    }

    @Test(
        "no run of a chart contains a gap, and none is lost, for random gaps",
        .tags(.random),
        arguments: ProofLength.seeds(5)
    )
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (minute, minutes) = (0, [Int]())
        for _ in 0..<(1 + random.below(3_000)) {
            minute += random.oneIn(20) ? 2 + random.below(30) : 1
            minutes.append(minute)
        }
        let points = points(minutes)
        let runs = ChartRun.runs(points, step: step, maximum: 5_000)
        #expect(runs.count == points.gaps(step: step).count + 1)
        #expect(runs.flatMap(\.points) == Array(points))
        let sampled = ChartRun.runs(points, step: step, maximum: 1_000)
        let gaps = points.gaps(step: step)
        for run in sampled {
            let (first, last) = (run.points[0].time, run.points[run.points.count - 1].time)
            #expect(!gaps.contains { first <= $0.lowerBound && $0.upperBound <= last })
        }
    }
}
