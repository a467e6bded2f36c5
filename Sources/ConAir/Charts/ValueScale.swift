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

    /// Returns a value with enough digits to distinguish the chart's values, without the unit. Empty if the chart has
    /// no values.
    public func label(_ value: Double) -> String {
        guard let values else { return "" }
        let step = ValueScale.step(values, maximum: 5) / 10
        return ValueScale.label(value, step: step, magnitude: ValueScale.magnitude(values))
    }
}

/// A value axis.
enum ValueScale {
    /// Returns the value range of all runs, including padding; `nil` if there are no runs.
    static func range(of runs: [ChartRun], padding: Double) -> ClosedRange<Double>? {
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
        guard low <= high else { return nil }
        var room = padding.isFinite ? max(padding, 0) : 0
        // At 1e300, a padding of 1 has no effect.
        let smallest = max(abs(low), abs(high)) * 1e-9
        if high / 2 - low / 2 + room <= smallest { room = max(abs(low), abs(high)) / 16 }
        // All values are zero, and there is no padding.
        if high / 2 - low / 2 + room == 0 { room = 1 }
        let limit = Double.greatestFiniteMagnitude
        return max(low - room, -limit)...min(high + room, limit)
    }

    /// Returns the position of a value: 0 at the lower bound, 1 at the upper one.
    static func position(_ value: Double, in range: ClosedRange<Double>) -> Double {
        // Values are halved, because the distance of the bounds may overflow a `Double`.
        (value / 2 - range.lowerBound / 2) / (range.upperBound / 2 - range.lowerBound / 2)
    }

    /// Returns the distance between ticks: 1, 2 or 5 times a power of ten.
    static func step(_ range: ClosedRange<Double>, maximum: Int) -> Double {
        let count = Double(min(max(maximum, 2), 1_000))
        let raw = range.upperBound / count - range.lowerBound / count
        let power = pow(10, floor(log10(raw)))
        let step = ([1, 2, 5].first { $0 * power >= raw } ?? 10) * power
        return step.isFinite ? max(step, .leastNormalMagnitude) : power
    }

    static func ticks(_ range: ClosedRange<Double>, maximum: Int) -> [ValueTick] {
        let step = step(range, maximum: maximum)
        let first = (range.lowerBound / step).rounded(.up)
        return (0...min(max(maximum, 2), 1_000)).map { (first + Double($0)) * step }
            .filter { range.contains($0) }
            .map { ValueTick(value: $0, label: label($0, step: step, magnitude: magnitude(range))) }
    }

    // MARK: Digits

    /// Returns the largest absolute value.
    static func magnitude(_ range: ClosedRange<Double>) -> Double { max(abs(range.lowerBound), abs(range.upperBound)) }

    /// Returns a value with as many digits as multiples of `step` need.
    ///
    /// - Parameter magnitude: The largest absolute value on the axis. It determines whether the labels of the axis have
    ///   an exponent.
    static func label(_ value: Double, step: Double, magnitude: Double) -> String {
        let last = decimalExponent(step * (1 + 1e-9))
        // Zero has no sign.
        guard abs(value) >= step / 1e6, value != 0 else { return "0" }
        let fraction = max(0, -last)
        if isFixed(magnitude, last: last, fraction: fraction) {
            let text = String(format: "%.*f", fraction, value)
            return text.allSatisfy { "-0.".contains($0) } ? String(text.drop { $0 == "-" }) : text
        }
        let text = String(format: "%.*e", digits(decimalExponent(abs(value)), last), value)
        // C writes the exponent as `e+05`.
        guard let mark = text.firstIndex(of: "e"), let power = Int(text[text.index(after: mark)...]) else {
            return text
        }
        return "\(text[..<mark])e\(power)"
    }

    /// Returns whether labels have no exponent: near 1, and elsewhere if they are not longer without one.
    private static func isFixed(_ magnitude: Double, last: Int, fraction: Int) -> Bool {
        if magnitude < 1e7, last >= -7 { return true }
        let first = decimalExponent(magnitude)
        let fixed = max(first, 0) + 1 + (fraction > 0 ? fraction + 1 : 0)
        let digits = digits(first, last)
        return fixed <= digits + (digits > 0 ? 2 : 1) + 1 + "\(first)".utf8.count
    }

    /// Returns the number of digits after the decimal point of a number with an exponent. An axis needs up to 11,
    /// because its range is at least a billionth of its magnitude.
    private static func digits(_ first: Int, _ last: Int) -> Int { min(max(first - last, 0), 11) }

    /// Returns the power of ten of a number's first digit.
    private static func decimalExponent(_ value: Double) -> Int {
        value > 0 && value.isFinite ? Int(floor(log10(value))) : 0
    }
}
