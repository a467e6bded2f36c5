internal import Foundation

/// A tick of a value axis.
public struct ValueTick: Sendable, Equatable {
    /// The value.
    public let value: Double

    /// The value in digits, without the unit: `21.5`, or `2e300` for values far from 1.
    public let label: String
}

extension ChartModel {
    /// Returns ticks at round values within ``values``, ascending.
    ///
    /// - Parameter maximum: The maximum number of intervals between the ticks, from 2 to 1,000.
    public func valueTicks(maximum: Int) -> [ValueTick] {
        values.map { ValueScale.ticks($0, maximum: maximum) } ?? []
    }

    /// Returns a value with enough digits to distinguish the chart's values, and at least three significant digits of
    /// the largest one, without the unit. Empty if the chart has no values.
    public func label(_ value: Double) -> String { digits?.text(value) ?? "" }

    /// Returns a value with the digits of the chart, and its unit. If the chart has no values, the digits are those of a
    /// chart of this value alone.
    package func valueText(_ value: Double) -> String {
        let text = digits(showing: value).text(value)
        return options.unit.isEmpty ? text : "\(text) \(options.unit)"
    }

    /// Whether all values of the chart are the same, or differ by rounding errors only. They are drawn as a straight line.
    package var isFlat: Bool { extent.map(ValueScale.isFlat) ?? true }

    /// The digits of the chart's values; those of a chart of `value` alone if it has none.
    package func digits(showing value: Double) -> ValueDigits {
        let alone = value...value
        return digits ?? ValueDigits(extent: alone, axis: ValueScale.padded(alone, padding: options.padding))
    }

    private var digits: ValueDigits? {
        guard let extent, let values else { return nil }
        return ValueDigits(extent: extent, axis: values)
    }
}

/// A value axis.
enum ValueScale {
    /// Returns the range of the values of all runs; `nil` if there are no runs.
    static func extent(of runs: [ChartRun]) -> ClosedRange<Double>? {
        var (low, high) = (Double.infinity, -Double.infinity)
        for run in runs {
            for point in run.points {
                low = min(low, point.value)
                high = max(high, point.value)
            }
            for band in run.bands {
                low = min(low, band.values.lowerBound)
                high = max(high, band.values.upperBound)
            }
        }
        return low <= high ? low...high : nil
    }

    /// Returns whether the bounds of a range are the same, or differ by rounding errors only: by at most eight times the
    /// distance between two numbers of their magnitude. Examples are 0.1 + 0.2 and 0.3, or means of equal values.
    static func isFlat(_ range: ClosedRange<Double>) -> Bool { halfLength(range) <= magnitude(range).ulp * 4 }

    /// Returns the range of an axis: a range of values with padding, at most a tenth of the range unless it is flat.
    static func padded(_ extent: ClosedRange<Double>, padding: Double) -> ClosedRange<Double> {
        let (low, high) = (extent.lowerBound, extent.upperBound)
        var room = padding.isFinite ? max(padding, 0) : 0
        if isFlat(extent) {
            // At 1e300, a padding of 1 has no effect.
            if room <= magnitude(extent) * 1e-9 { room = magnitude(extent) / 16 }
            // All values are zero, and there is no padding.
            if room == 0 { room = 1 }
        } else {
            room = min(room, halfLength(extent) / 5)
        }
        let limit = Double.greatestFiniteMagnitude
        return max(low - room, -limit)...min(high + room, limit)
    }

    /// Returns half of the length of a range, because the whole may overflow a `Double`.
    private static func halfLength(_ range: ClosedRange<Double>) -> Double {
        range.upperBound / 2 - range.lowerBound / 2
    }

    /// Returns the position of a value: 0 at the lower bound, 1 at the upper one.
    static func position(_ value: Double, in range: ClosedRange<Double>) -> Double {
        // Values are halved, because the distance of the bounds may overflow a `Double`.
        (value / 2 - range.lowerBound / 2) / (range.upperBound / 2 - range.lowerBound / 2)
    }

    /// Returns the distance between ticks: 1, 2 or 5 times a power of ten. It is not less than the distance between two
    /// numbers of the largest absolute value.
    static func step(_ range: ClosedRange<Double>, maximum: Int) -> Double {
        let count = Double(min(max(maximum, 2), 1_000))
        let raw = max(halfLength(range) / count * 2, magnitude(range).ulp)
        let power = pow(10, floor(log10(raw)))
        // The range may be longer than a multiple of the step by a rounding error.
        let step = ([1, 2, 5].first { $0 * power >= raw * (1 - 1e-12) } ?? 10) * power
        return step.isFinite ? max(step, .leastNormalMagnitude) : power
    }

    static func ticks(_ range: ClosedRange<Double>, maximum: Int) -> [ValueTick] {
        let step = step(range, maximum: maximum)
        let first = (range.lowerBound / step).rounded(.up)
        return (0...min(max(maximum, 2), 1_000)).map { (first + Double($0)) * step }
            .filter { range.contains($0) }
            .map { ValueTick(value: $0, label: label($0, step: step, magnitude: magnitude(range))) }
    }

    /// Returns the largest absolute value.
    static func magnitude(_ range: ClosedRange<Double>) -> Double { max(abs(range.lowerBound), abs(range.upperBound)) }

    /// Returns a value with as many digits as multiples of `step` need.
    ///
    /// - Parameter magnitude: The largest absolute value on the axis. It determines whether the labels of the axis have
    ///   an exponent.
    static func label(_ value: Double, step: Double, magnitude: Double) -> String {
        ValueDigits(step: step, magnitude: magnitude).text(value)
    }
}
