import HeliumCore
import Testing

@Suite("Means of measured values")
struct RunningMeanTests {
    private static let limit = Double.greatestFiniteMagnitude

    private func mean(_ values: some Sequence<Double>) -> Double? {
        var mean = RunningMean()
        for value in values { mean.add(value) }
        return mean.value
    }

    static let decimals: [([Double], String)] = [
        ([21.5, 21.52, 21.54], "21.52"), ([21.51, 21.52, 21.53], "21.52"), ([0.1, 0.2], "0.15"),
        ([0.1, 0.2, 0.3], "0.2"), ([1, 2], "1.5"), ([-21.5, -21.52, -21.54], "-21.52"),
        ([1e-300, 3e-300], "2e-300"), ([1e300, 3e300], "2e+300"), ([1013.246, 1013.254], "1013.25"),
        ([1, 1, 2], "1.3333333333333333"), ([1, -1], "0.0"), ([1e15 + 0.25, 1e15 + 0.75], "1000000000000000.5"),
    ]

    @Test("a mean of decimal readings has no digits of binary rounding", arguments: decimals)
    func decimal(values: [Double], text: String) {
        #expect(mean(values).map { "\($0)" } == text)
    }

    @Test("ten thousand readings have the mean that their decimals have")
    func many() {
        #expect(mean((0..<10_000).map { Double($0 % 100) / 100 }) == 0.495)
        #expect(mean(repeatElement(0.1, count: 10_000)) == 0.1)
    }

    @Test("a single value and equal values are their mean, with all digits")
    func equal() {
        let value = 0.1 + 0.2
        #expect(mean([value]) == value && RunningMean(value).value == value)
        #expect(mean([value, value, value]) == value)
        #expect(mean([]) == nil && RunningMean().count == 0)
    }

    static let extremes: [[Double]] = [
        [limit, limit], [-limit, -limit, -limit], [-limit, limit], [limit, limit, -limit],
        [0, .leastNonzeroMagnitude], [limit, .leastNonzeroMagnitude], [1, 1.nextUp], [-0.0, 0],
        [limit, limit.nextDown],
    ]

    @Test("a mean is finite, and within the range of its values", arguments: extremes)
    func extreme(values: [Double]) throws {
        let result = try #require(self.mean(values))
        #expect(result.isFinite)
        #expect(try result >= #require(values.min()) && result <= #require(values.max()))
    }
}
