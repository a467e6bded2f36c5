import Foundation
import TestSupport
import Testing

@testable import ConAir

@Suite("Points in columns")
struct SeriesPointsTests {
    @Test(
        "points in columns are those of a dictionary after any changes",
        .tags(.random),
        arguments: ProofLength.seeds(6)
    )
    func model(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var points = SeriesPoints()
        var model: [Int: Double] = [:]
        let range = 4000
        for _ in 0..<60 {
            switch random.below(6) {
            case 0:
                let start = (model.keys.max() ?? 0) + 1
                let new = (0..<random.below(1500)).map { point(start + $0, Double($0)) }
                points.append(contentsOf: new[...])
                for (index, point) in new.enumerated() { model[start + index] = point.value }
            case 1:
                let count = random.below(max(1, model.count / 3))
                points.removeFirst(count)
                for time in model.keys.sorted().prefix(count) { model[time] = nil }
            default:
                for _ in 0..<random.below(40) {
                    let time = random.below(range)
                    points.set(point(time, Double(time)))
                    model[time] = Double(time)
                }
            }
            #expect(points.count == model.count)
        }
        let expected = model.keys.sorted().map { point($0, model[$0] ?? .nan) }
        #expect(Array(points) == expected)
        #expect(Array(points.reversed()) == expected.reversed())
        #expect(points.columns.allSatisfy { 1...SeriesPoints.columnLimit ~= $0.times.count })
        for _ in 0..<50 {
            let (low, high) = (random.below(range), random.below(range))
            let window = seconds(min(low, high))..<seconds(max(low, high))
            #expect(Array(points.window(window)) == expected.filter { window.contains($0.time) })
            #expect(points.window(window).count == expected.count { window.contains($0.time) })
            #expect(points.point(atOrBefore: seconds(low)) == expected.last { $0.time <= seconds(low) })
            #expect(points.value(at: seconds(low)) == model[low])
        }
    }

    @Test("points in columns are sorted, and the last of one time counts")
    func unsorted() {
        let points = SeriesPoints([point(3, 1), point(1, 2), point(3, 3), point(2, 4), point(1, 5)])
        #expect(Array(points) == [point(1, 5), point(2, 4), point(3, 3)])
        #expect(SeriesPoints([]).isEmpty && SeriesPoints([]).first == nil && SeriesPoints([]).last == nil)
    }

    @Test("a snapshot of points does not change")
    func snapshots() {
        var points = SeriesPoints(ramp(from: seconds(0), count: 3000))
        let snapshot = points
        points.set(point(120, -1))
        points.removeFirst(2000)
        points.append(contentsOf: [point(1_000_000, 1)])
        #expect(Array(snapshot) == ramp(from: seconds(0), count: 3000))
        #expect(points.count == 1001)
    }

    @Test("points in columns take at most 24 bytes each")
    func memory() {
        let count = 300_000
        let all = ramp(from: seconds(0), count: count)
        var single = SeriesPoints()
        for point in all { single.append(contentsOf: [point]) }
        var late = SeriesPoints()
        for point in all.enumerated() where point.offset % 100 != 7 { late.set(point.element) }
        for point in all.enumerated() where point.offset % 100 == 7 { late.set(point.element) }
        // 16, and what the allocator rounds up.
        for points in [SeriesPoints(all), single] { #expect(bytes(points) <= 20 * count) }
        #expect(late.count == count)
        // The late points split each column.
        #expect(late.columns.count > count / SeriesPoints.columnLimit * 3 / 2)
        #expect(bytes(late) <= 24 * count, "\(bytes(late) / count) bytes a point")
    }

    @Test("take at most 24 bytes each when they come in any order")
    func shuffledMemory() {
        let count = 100_000
        var random = SeededRandom(seed: 18)
        var points = SeriesPoints()
        for point in ramp(from: seconds(0), count: count).shuffled(using: &random) { points.set(point) }
        #expect(points.count == count && Array(points) == ramp(from: seconds(0), count: count))
        #expect(bytes(points) <= 24 * count, "\(bytes(points) / count) bytes a point")
    }

    private func bytes(_ points: SeriesPoints) -> Int {
        points.columns.reduce(points.columns.capacity * MemoryLayout<SeriesPoints.Column>.stride) {
            $0 + ($1.times.capacity + $1.values.capacity) * 8 + 64
        }
    }

    private func seconds(_ seconds: Int) -> SeriesTime { SeriesTime(seconds: Int64(seconds)) }
    private func point(_ time: Int, _ value: Double) -> SeriesPoint { SeriesPoint(time: seconds(time), value: value) }
}
