// The text of numbers in JSON.
extension TextBuffer {
    @inline(__always)
    mutating func append(integer value: some FixedWidthInteger) {
        if let value = Int64(exactly: value) {
            append(digitsOf: value.magnitude, isNegative: value < 0)
        } else {
            append(plain: String(value))
        }
    }

    /// Appends text that needs no escape.
    mutating func append(plain text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    private mutating func append(digitsOf magnitude: UInt64, isNegative: Bool) {
        reserve(20)
        if isNegative { append(0x2D) }
        let length = Self.digitCount(magnitude)
        write(magnitude, digits: length)
    }

    /// Writes exactly `digits` digits, with leading zeros if necessary. There must be room.
    @inline(__always)
    private mutating func write(_ value: UInt64, digits: Int) {
        var (rest, index) = (value, count &+ digits)
        while index > count {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            index &-= 1
            base[index] = 0x30 &+ UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
        count &+= digits
    }

    @inline(__always)
    private static func digitCount(_ value: UInt64) -> Int {
        var (length, limit) = (1, 10 as UInt64)
        while length < 19, value >= limit {
            length &+= 1
            limit &*= 10
        }
        return value >= limit && length == 19 ? 20 : length
    }
}

// MARK: Floating point

extension TextBuffer {
    /// Appends the shortest text that reads back as the same finite number, as Swift prints it, without the `.0` of
    /// whole numbers.
    mutating func append(finite value: Double) {
        if !appendShort(value) { append(description: value.description) }
    }

    /// Appends the shortest text that reads back as the same finite `Float`.
    mutating func append(finite value: Float) {
        // Below this limit, Swift prints all digits of a whole number.
        if value == value.rounded(), value.magnitude < 0x1p24, value != 0 {
            append(integer: Int64(value))
        } else {
            append(description: value.description)
        }
    }

    private mutating func append(description: String) {
        append(plain: description)
        if base[count &- 1] == 0x30, base[count &- 2] == 0x2E { count &-= 2 }
    }

    /// Appends a number of up to six decimals and fifteen digits in total. Two such numbers never round to the same
    /// double, so the digits that give the value back are the shortest. Returns `false` for any other number.
    @inline(__always)
    private mutating func appendShort(_ value: Double) -> Bool {
        let magnitude = value.magnitude
        // Below this range, Swift prints an exponent. Zero may be negative.
        guard magnitude >= 0.001, magnitude < 1e9 else {
            guard magnitude < 1e15, magnitude >= 1, magnitude == magnitude.rounded() else { return false }
            append(digitsOf: UInt64(magnitude), isNegative: value < 0)
            return true
        }
        let scaled = (magnitude * 1e6).rounded()
        // Both operands are exact, so the quotient is the double nearest to these digits.
        guard scaled / 1e6 == magnitude else { return false }
        let (whole, decimals) = UInt64(scaled).quotientAndRemainder(dividingBy: 1_000_000)
        append(digitsOf: whole, isNegative: value < 0)
        guard decimals != 0 else { return true }
        var (fraction, digits) = (decimals, 6)
        while case (let shorter, 0) = fraction.quotientAndRemainder(dividingBy: 10) {
            fraction = shorter
            digits &-= 1
        }
        reserve(8)
        append(0x2E)
        write(fraction, digits: digits)
        return true
    }
}
