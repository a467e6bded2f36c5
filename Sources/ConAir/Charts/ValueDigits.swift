internal import Foundation

/// The digits with which the values of a chart are shown.
package struct ValueDigits: Hashable, Sendable {
    /// The power of ten of the last digit: -2 for hundredths.
    package let last: Int

    /// Whether numbers have no exponent.
    package let isFixed: Bool

    /// Creates the digits that multiples of `step` need.
    ///
    /// - Parameter magnitude: The largest absolute value. It determines whether numbers have an exponent.
    init(step: Double, magnitude: Double) {
        last = Self.decimalExponent(step * (1 + 1e-9))
        isFixed = Self.isFixed(magnitude, last: last)
    }

    /// Creates the digits that distinguish the values of a chart: about a hundredth of their range, and at least three
    /// significant digits of the largest one.
    ///
    /// - Parameters:
    ///   - extent: The range of the values.
    ///   - axis: The range of the axis, which includes padding. It determines the digits of values that are all the
    ///     same, and whether numbers have an exponent.
    init(extent: ClosedRange<Double>, axis: ClosedRange<Double>) {
        let magnitude = ValueScale.magnitude(extent)
        let range = ValueScale.isFlat(extent) ? axis : extent
        let distinct = Self.decimalExponent(ValueScale.step(range, maximum: 5) / 10 * (1 + 1e-9))
        let significant = magnitude > 0 ? Self.decimalExponent(magnitude) - 2 : distinct
        last = max(min(distinct, significant), Self.decimalExponent(magnitude.ulp))
        isFixed = Self.isFixed(ValueScale.magnitude(axis), last: last)
    }

    /// Returns a value in these digits.
    package func text(_ value: Double) -> String {
        // Zero has no sign.
        guard value != 0, abs(value) >= pow(10, Double(last)) / 1e6 else { return "0" }
        if isFixed {
            let text = String(format: "%.*f", max(0, -last), value)
            return text.allSatisfy { "-0.".contains($0) } ? String(text.drop { $0 == "-" }) : text
        }
        let text = String(format: "%.*e", Self.count(Self.decimalExponent(abs(value)), last), value)
        // C writes the exponent as `e+05`.
        guard let mark = text.firstIndex(of: "e"), let power = Int(text[text.index(after: mark)...]) else {
            return text
        }
        return "\(text[..<mark])e\(power)"
    }

    /// Returns whether numbers have no exponent: near 1, and elsewhere if they are not longer without one.
    private static func isFixed(_ magnitude: Double, last: Int) -> Bool {
        if magnitude < 1e7, last >= -7 { return true }
        let first = decimalExponent(magnitude)
        let fixed = max(first, 0) + 1 + (last < 0 ? 1 - last : 0)
        let digits = count(first, last)
        return fixed <= digits + (digits > 0 ? 2 : 1) + 1 + "\(first)".utf8.count
    }

    /// Returns the number of digits after the decimal point of a number with an exponent. A `Double` has up to 17
    /// digits.
    private static func count(_ first: Int, _ last: Int) -> Int { min(max(first - last, 0), 16) }

    /// Returns the power of ten of a number's first digit.
    private static func decimalExponent(_ value: Double) -> Int {
        value > 0 && value.isFinite ? Int(floor(log10(value))) : 0
    }
}
