/// The arithmetic mean of measured values, added one by one.
///
/// The mean of decimal readings is shown as people compute it: 21.50, 21.52 and 21.54 have the mean 21.52, not
/// 21.520000000000003. The sum is compensated for rounding errors. The mean is the number with at most 15 significant
/// digits that is nearest to the quotient if both are neighbors, because binary rounding may account for their
/// difference. The mean of a single value is that value. The mean is never outside the range of the values, and finite
/// if the values are.
package struct RunningMean: Hashable, Sendable {
    /// The number of values.
    package private(set) var count = 0

    private var smallest = Double.infinity
    private var largest = -Double.infinity
    private var sum = 0.0
    /// The digits that the additions to ``sum`` have lost.
    private var lost = 0.0
    /// The sum of scaled-down values, which stays finite if ``sum`` overflows.
    private var scaled = 0.0

    /// A power of two that is not less than any number of values.
    private static let scale = 0x1p40

    /// Creates a mean without values.
    package init() {}

    /// Creates a mean of one value.
    package init(_ value: Double) { add(value) }

    /// Adds a finite value.
    package mutating func add(_ value: Double) {
        count += 1
        smallest = min(smallest, value)
        largest = max(largest, value)
        scaled += value / Self.scale
        let total = sum + value
        lost += abs(sum) >= abs(value) ? (sum - total) + value : (value - total) + sum
        sum = total
    }

    /// The mean; `nil` without values.
    package var value: Double? {
        guard count > 0 else { return nil }
        guard smallest < largest else { return smallest }
        let number = Double(count)
        let exact = (sum + lost) / number
        let mean = exact.isFinite ? Self.decimal(near: exact) : scaled / number * Self.scale
        return min(max(mean, smallest), largest)
    }

    /// Returns the number with 15 significant digits next to a value, or the value if it is not a neighbor.
    private static func decimal(near value: Double) -> Double {
        let magnitude = abs(value)
        guard magnitude > 0 else { return 0 }
        guard let (digits, exponent) = digits(of: magnitude), digits.count > 15 else { return value }
        let kept = digits.prefix(15).reduce(0) { $0 * 10 + UInt64($1) } + (digits[15] >= 5 ? 1 : 0)
        let places = 14 - exponent
        let rounded: Double
        if powers.indices.contains(abs(places)) {
            // The power and the integer are exact, so that only the last operation rounds.
            rounded = places >= 0 ? Double(kept) / powers[places] : Double(kept) * powers[-places]
        } else {
            rounded = Double("\(kept)e\(-places)") ?? magnitude
        }
        guard abs(rounded - magnitude) <= magnitude.ulp else { return value }
        return value < 0 ? -rounded : rounded
    }

    /// Returns the decimal digits of the shortest text of a positive value, and the exponent of the first one.
    private static func digits(of value: Double) -> (digits: [UInt8], exponent: Int)? {
        let parts = value.description.utf8.split(separator: UInt8(ascii: "e"))
        guard let number = parts.first, let exponent = parts.count > 1 ? Int(String(parts[1]) ?? "") : 0 else {
            return nil
        }
        let whole = number.prefix { $0 != UInt8(ascii: ".") }.count
        let all = number.filter { $0 != UInt8(ascii: ".") }.map { $0 - UInt8(ascii: "0") }
        guard let first = all.firstIndex(where: { $0 > 0 }) else { return nil }
        return (Array(all[first...]), exponent + whole - 1 - first)
    }

    /// The powers of ten that a `Double` represents exactly.
    private static let powers = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
