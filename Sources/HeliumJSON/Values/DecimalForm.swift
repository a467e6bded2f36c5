/// The decimal value of a number's text: `±digits × 10^exponent`, without zeros at either end of the digits.
///
/// It is computed in one pass over the text, however large the exponent is, and contains no copy of the text.
struct DecimalForm {
    let isNegative: Bool

    /// The number of digits; 0 for zero.
    let count: Int

    /// The power of ten of the last digit; `nil` if the exponent in the text has more than 18 digits.
    let exponent: Int?

    /// The text from the first digit to the last, which may contain a point.
    private let digits: UnsafeBufferPointer<UInt8>

    /// Creates the value of a text that was validated.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        var (point, end): (Int?, Int) = (nil, 0)
        var (first, last): (Int?, Int) = (nil, 0)
        while end < text.count, text[end] | 0x20 != 0x65 {
            if text[end] == 0x2E {
                point = end
            } else if text[end] &- 0x31 < 9 {
                first = first ?? end
                last = end
            }
            end += 1
        }
        guard let first else {
            (isNegative, count, exponent) = (false, 0, 0)
            digits = UnsafeBufferPointer(rebasing: text[..<0])
            return
        }
        isNegative = text[0] == 0x2D
        digits = UnsafeBufferPointer(rebasing: text[first...last])
        let unit = point ?? end
        count = last - first + (first < unit && unit < last ? 0 : 1)
        let position = last < unit ? unit - 1 - last : unit - last
        exponent = end == text.count ? position : Self.exponent(text[(end + 1)...]).map { $0 + position }
    }

    private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let digits = text.drop { $0 == 0x2B || $0 == 0x2D }.drop { $0 == 0x30 }
        guard digits.count <= 18 else { return nil }
        let magnitude = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return text.first == 0x2D ? -magnitude : magnitude
    }

    /// Calls `body` with the value of each digit until it returns `false`.
    @inline(__always)
    private func forEachDigit(_ body: (UInt8) -> Bool) {
        for byte in digits where byte != 0x2E {
            guard body(byte &- 0x30) else { return }
        }
    }
}

extension DecimalForm {
    /// Returns whether the values are equal. Returns `false` for exponents of more than 18 digits.
    static func areEqual(_ left: DecimalForm, _ right: DecimalForm) -> Bool {
        guard let exponent = left.exponent, exponent == right.exponent, left.count == right.count,
            left.isNegative == right.isNegative
        else { return false }
        return left.digits.lazy.filter { $0 != 0x2E }.elementsEqual(right.digits.lazy.filter { $0 != 0x2E })
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(isNegative)
        hasher.combine(exponent)
        var chunk: UInt64 = 1
        forEachDigit { digit in
            chunk = chunk &* 10 &+ UInt64(digit)
            if chunk >= 1_000_000_000_000_000_000 {
                hasher.combine(chunk)
                chunk = 1
            }
            return true
        }
        hasher.combine(chunk)
    }

    /// Returns the value as a whole number, or `nil` if it is not whole or does not fit.
    func integer<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
        // Each decimal digit takes more than three bits.
        guard let exponent, exponent >= 0, count + exponent <= Value.bitWidth / 3 + 1 else { return nil }
        var value: Value = 0
        var fits = true
        func take(_ digit: UInt8) -> Bool {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Value(truncatingIfNeeded: digit)
            let (sum, carry) =
                isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
            value = sum
            fits = !overflow && !carry
            return fits
        }
        forEachDigit(take)
        for _ in 0..<exponent where fits { _ = take(0) }
        return fits ? value : nil
    }

    /// The digits as one number; `nil` if they do not fit.
    var significand: UInt128? {
        var value: UInt128 = 0
        guard count <= 39 else { return nil }
        var overflows = false
        forEachDigit { digit in
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt128(digit))
            value = sum
            overflows = overflow || carry
            return !overflows
        }
        return overflows ? nil : value
    }
}
