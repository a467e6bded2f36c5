// Numbers as JSON writes them.
extension TextBuffer {
    @inline(__always)
    mutating func append(integer value: some FixedWidthInteger) {
        if let value = Int64(exactly: value) {
            append(digitsOf: value.magnitude, isNegative: value < 0)
        } else {
            append(plain: String(value))
        }
    }

    /// Text that needs no escape.
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

    /// As many digits, leading zeros among them; there is room.
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
    /// The shortest text that reads back as the same finite number, as Swift prints it, without the `.0` of whole ones.
    mutating func append(finite value: Double) {
        if !appendShort(value) { append(description: value.description) }
    }

    /// The same for `Float`.
    mutating func append(finite value: Float) {
        // Up to here Swift prints a whole one's digits.
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

    /// A number of up to six decimals, and fifteen digits in all: two such never round to the same double, so the digits
    /// that give it back are the shortest. `false` if it is another.
    @inline(__always)
    private mutating func appendShort(_ value: Double) -> Bool {
        let magnitude = value.magnitude
        // Below, Swift prints an exponent; zero may be negative.
        guard magnitude >= 0.001, magnitude < 1e9 else {
            guard magnitude < 1e15, magnitude >= 1, magnitude == magnitude.rounded() else { return false }
            append(digitsOf: UInt64(magnitude), isNegative: value < 0)
            return true
        }
        let scaled = (magnitude * 1e6).rounded()
        // Both are exact, so the quotient is the double nearest to these digits.
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
