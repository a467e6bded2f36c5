import Foundation
import Testing

@testable import ConAir

@Suite("Ticks of values")
struct ValueScaleTests {
    private static let limit = Double.greatestFiniteMagnitude
    private static let least = Double.leastNonzeroMagnitude

    static let ranges: [(ClosedRange<Double>, Int, [String])] = [
        (0...10, 5, ["0", "2", "4", "6", "8", "10"]),
        (19.2...23.1, 4, ["20", "21", "22", "23"]),
        (-1...1, 4, ["-1.0", "-0.5", "0", "0.5", "1.0"]),
        (0.001...0.002, 5, ["0.0010", "0.0012", "0.0014", "0.0016", "0.0018", "0.0020"]),
        (1e300...2e300, 5, ["1.0e300", "1.2e300", "1.4e300", "1.6e300", "1.8e300", "2.0e300"]),
        (-limit...limit, 4, ["-1e308", "0", "1e308"]),
        (12_345_678...12_345_680, 4, ["12345678.0", "12345678.5", "12345679.0", "12345679.5", "12345680.0"]),
        (0...20_000_000, 4, ["0", "5e6", "1.0e7", "1.5e7", "2.0e7"]),
        (0...5e-9, 5, ["0", "1e-9", "2e-9", "3e-9", "4e-9", "5e-9"]),
        (
            1e15...(1e15 + 2), 4,
            ["1000000000000000.0", "1000000000000000.5", "1000000000000001.0"]
                + ["1000000000000001.5", "1000000000000002.0"]
        ),
        (1e17...(1e17 + 1e9), 5, ["00", "02", "04", "06", "08", "10"].map { "1.0000000\($0)e17" }),
    ]

    @Test("ticks of the value axis are at round values", arguments: ranges)
    func ticks(range: ClosedRange<Double>, maximum: Int, labels: [String]) {
        let ticks = ValueScale.ticks(range, maximum: maximum)
        #expect(ticks.map(\.label) == labels)
        #expect(ticks.allSatisfy { range.contains($0.value) })
    }

    @Test("a value that is rounded to zero has no sign")
    func zero() {
        #expect(ValueScale.label(-0.04, step: 0.1, magnitude: 20) == "0.0")
        #expect(ValueScale.label(-0.06, step: 0.1, magnitude: 20) == "-0.1")
        #expect(ValueScale.label(-0.0, step: 0.1, magnitude: 20) == "0")
    }

    static let values: [([Double], Double, ClosedRange<Double>)] = [
        ([20, 22], 1, 19.8...22.2), ([20], 1, 19...21), ([20, 20], 0, 18.75...21.25), ([0], 0, -1...1),
        ([1e300], 1, (1e300 - 1e300 / 16)...(1e300 + 1e300 / 16)), ([-limit, limit], 1, -limit...limit),
        ([3, 4], .nan, 3...4), ([3, 4], .infinity, 3...4), ([3, 4], -2, 3...4),
        // At most a tenth of the range.
        ([20, 30], 1, 19...31), ([20, 25], 1, 19.5...25.5), ([0, 0.5], 1, -0.05...0.55),
        ([1024, 1024.5], 1, 1023.95...1024.55),
        ([1e15, 1e15 + 10], 1, (1e15 - 1)...(1e15 + 11)), ([limit, -limit], limit, -limit...limit),
    ]

    @Test("the value axis has a margin, and is never empty", arguments: values)
    func range(values: [Double], padding: Double, range: ClosedRange<Double>) throws {
        let points = values.enumerated().map { SeriesPoint(time: SeriesTime(seconds: Int64($0)), value: $1) }
        let extent = try #require(ValueScale.extent(of: [ChartRun(points: points)]))
        let result = ValueScale.padded(extent, padding: padding)
        #expect(abs(result.lowerBound / 2 - range.lowerBound / 2) <= ValueScale.magnitude(range).ulp)
        #expect(abs(result.upperBound / 2 - range.upperBound / 2) <= ValueScale.magnitude(range).ulp)
        for value in values {
            let position = ValueScale.position(value, in: result)
            #expect(position >= 0 && position <= 1)
        }
    }

    @Test("labels of the value axis are short for any finite values")
    func extremes() {
        for low in [-Self.limit, -1e300, -1, -Self.least, 0, Self.least, 1e-300, 1e17] {
            for high in [-1e299, 0, Self.least, 1e-299, 1, 1e17, 1e300, Self.limit] where high > low {
                let ticks = ValueScale.ticks(low...high, maximum: 5)
                #expect(ticks.count <= 7)
                #expect(Set(ticks.map(\.label)).count == ticks.count)
                for tick in ticks {
                    #expect(tick.value.isFinite)
                    #expect(tick.label.utf8.count <= 18 && Double(tick.label) != nil)
                }
            }
        }
    }
}
