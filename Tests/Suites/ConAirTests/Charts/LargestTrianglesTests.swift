import Foundation
import TestSupport
import Testing

@testable import ConAir

@Suite("Largest triangle, three buckets")
struct LargestTrianglesTests {
    private func points(_ values: [Double]) -> SeriesPoints {
        SeriesPoints(values.enumerated().map { SeriesPoint(time: SeriesTime(seconds: Int64($0)), value: $1) })
    }

    @Test("down-sampling keeps a series with few points", arguments: [0, 1, 2, 3, 10])
    func few(count: Int) {
        let points = points((0..<count).map(Double.init))
        #expect(points.largestTriangles(10) == Array(points))
    }

    @Test("down-sampling keeps the first point, the last and a peak")
    func peak() {
        var values = (0..<5_000).map { sin(Double($0) / 300) }
        values[2_345] = 40
        let points = points(values)
        let sample = points.largestTriangles(100)
        #expect(sample.count == 100)
        #expect(sample.first == points.first && sample.last == points.last)
        #expect(sample.contains { $0.value == 40 })
        #expect(sample.allSatisfy { points.value(at: $0.time) == $0.value })
        #expect(zip(sample, sample.dropFirst()).allSatisfy { $0.time < $1.time })
    }

    @Test(
        "down-sampling selects the points of the algorithm's definition",
        .tags(.random),
        arguments: ProofLength.seeds(8)
    )
    func definition(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // Also with points in several columns.
        let limit = seed.isMultiple(of: 4) ? 5_000 : 400
        let values = (0..<(50 + random.below(limit))).map { _ in Double(random.below(1_000)) / 7 }
        let count = 5 + random.below(40)
        let sample = points(values).largestTriangles(count).map { Int($0.time.microseconds / 1_000_000) }
        #expect(Self.isByDefinition(sample, of: values, count))
    }

    /// Whether the indices are those of the algorithm of the thesis, as plainly as possible. Of areas that are equal except
    /// for rounding, each is the largest.
    private static func isByDefinition(_ sample: [Int], of values: [Double], _ count: Int) -> Bool {
        guard values.count > count else { return sample == Array(values.indices) }
        let every = Double(values.count - 2) / Double(count - 2)
        let bounds = (0..<(count - 2)).map { Int(Double($0) * every) + 1 } + [values.count - 1, values.count]
        guard sample.count == count, sample.first == 0, sample.last == values.count - 1 else { return false }
        return (0..<(count - 2)).allSatisfy { bucket in
            let next = bounds[bucket + 1]..<bounds[bucket + 2]
            let meanX = next.map(Double.init).reduce(0, +) / Double(next.count)
            let meanY = next.map { values[$0] }.reduce(0, +) / Double(next.count)
            func area(_ index: Int) -> Double {
                let (x, y) = (Double(sample[bucket]), values[sample[bucket]])
                return abs((x - meanX) * (values[index] - y) - (x - Double(index)) * (meanY - y))
            }
            let own = bounds[bucket]..<bounds[bucket + 1]
            let chosen = sample[bucket + 1]
            return own.contains(chosen) && own.allSatisfy { area($0) <= area(chosen) + 1e-6 }
        }
    }

    @Test("down-sampling handles values at the limits of numbers")
    func limits() {
        let limit = Double.greatestFiniteMagnitude
        let points = points((0..<1_000).map { $0.isMultiple(of: 2) ? limit : -limit })
        let sample = points.largestTriangles(50)
        #expect(sample.count == 50)
        #expect(Set(sample.map(\.time)).count == 50)
    }
}
