/// Converts numbers from their text, which was validated. The standard library converts those that are not handled
/// here.
@usableFromInline
enum NumberText {
    /// Returns a whole number of at most 18 digits, or `nil`.
    @inlinable @inline(__always)
    static func smallInteger(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        let isNegative = text[0] == 0x2D
        let start = isNegative ? 1 : 0
        guard text.count &- start <= 18 else { return nil }
        var value: Int64 = 0
        for index in start..<text.count { value = value &* 10 &+ Int64(text[index] &- 0x30) }
        return isNegative ? 0 &- value : value
    }

    /// Returns a whole number exactly, without point and exponent: `-1200` for `-1.20e3`. Returns `nil` if it is not
    /// whole, or far beyond 128 bits.
    static func wholeNumber(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        var digits: [UInt8] = []
        var fractionDigits = 0
        let mantissa = text.prefix { $0 | 0x20 != 0x65 }
        for byte in mantissa where byte &- 0x30 < 10 { digits.append(byte) }
        if let point = mantissa.firstIndex(of: 0x2E) { fractionDigits = mantissa.endIndex - point - 1 }
        while digits.last == 0x30 {
            digits.removeLast()
            fractionDigits -= 1
        }
        if digits.isEmpty { return "0" }
        let written = text.dropFirst(mantissa.count + 1)
        guard let exponent = written.isEmpty ? 0 : Int(String(decoding: written, as: UTF8.self)),
            exponent.magnitude <= UInt32.max, 0...40 ~= exponent - fractionDigits
        else { return nil }
        let zeros = String(repeating: "0", count: exponent - fractionDigits)
        return (text.first == 0x2D ? "-" : "") + String(decoding: digits, as: UTF8.self) + zeros
    }

    /// Returns whether all digits before the exponent are zeros. A number for which this is `false` and that rounds to
    /// zero is too small for its type, which is an error as in Foundation's decoder.
    static func isZero(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in text {
            if byte | 0x20 == 0x65 { return true }
            if byte &- 0x31 < 9 { return false }
        }
        return true
    }

    /// Returns the nearest double, if it can be computed in a few steps, or `nil`.
    @usableFromInline
    static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var index = text[0] == 0x2D ? 1 : 0
        let isNegative = index == 1
        var digits: UInt64 = 0
        var significant = 0
        var exponent = 0
        func take(_ byte: UInt8) {
            digits = digits &* 10 &+ UInt64(byte &- 0x30)
            if digits != 0 || significant > 0 { significant &+= 1 }  // Leading zeros don't count; wrapping may give 0.
        }
        while index < text.count, text[index] &- 0x30 < 10 {
            take(text[index])
            index &+= 1
        }
        if index < text.count, text[index] == 0x2E {
            index &+= 1
            let first = index
            while index < text.count, text[index] &- 0x30 < 10 {
                take(text[index])
                index &+= 1
            }
            exponent = first &- index
        }
        // 19 digits always fit into 64 bits.
        guard significant <= 19 else { return nil }
        if index < text.count {
            guard let written = self.exponent(text, at: index &+ 1) else { return nil }
            exponent &+= written
        }
        guard let magnitude = double(digits, timesTenTo: exponent) else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    /// Returns an exponent of at most four digits, or `nil`.
    private static func exponent(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        let isNegative = text[start] == 0x2D
        let first = isNegative || text[start] == 0x2B ? start &+ 1 : start
        guard text.count &- first <= 4 else { return nil }
        var value = 0
        for index in first..<text.count { value = value &* 10 &+ Int(text[index] &- 0x30) }
        return isNegative ? -value : value
    }

    /// Returns `digits` times a power of ten, rounded once, or `nil` if that needs more than 128 bits.
    private static func double(_ digits: UInt64, timesTenTo exponent: Int) -> Double? {
        if digits == 0 { return 0 }
        if exponent == 0 { return Double(digits) }
        // Both factors are exact, so one operation rounds once (Clinger 1990).
        if digits <= 1 << 53, exponent.magnitude <= 22 {
            let power = powersOfTen[Int(exponent.magnitude)]
            return exponent < 0 ? Double(digits) / power : Double(digits) * power
        }
        guard exponent.magnitude <= 19 else { return nil }
        let power = wholePowersOfTen[Int(exponent.magnitude)]
        if exponent > 0 { return rounded(UInt128(digits) * UInt128(power), isExact: true, exponent: 0) }
        // At least 63 bits of the quotient, and whether there is a remainder.
        let shift = digits.leadingZeroBitCount
        let (quotient, remainder) = (UInt128(digits &<< UInt64(shift)) &<< 64)
            .quotientAndRemainder(dividingBy: UInt128(power))
        return rounded(quotient, isExact: remainder == 0, exponent: -64 - shift)
    }

    /// Returns `value` times a power of two, rounded once. If `isExact` is `false`, the exact value is slightly larger
    /// than `value`.
    private static func rounded(_ value: UInt128, isExact: Bool, exponent: Int) -> Double {
        let shift = value.leadingZeroBitCount
        let aligned = value &<< UInt128(shift)
        let high = UInt64(truncatingIfNeeded: aligned &>> 64)
        let isWhole = isExact && UInt64(truncatingIfNeeded: aligned) == 0
        // 64 bits are eleven more than are kept. Setting the lowest bit if more bits follow gives the same rounding as
        // all bits.
        let significand = Double(isWhole ? high : high | 1)
        return significand * Double(sign: .plus, exponent: exponent &+ 64 &- shift, significand: 1)
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    private static let wholePowersOfTen: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]
}
