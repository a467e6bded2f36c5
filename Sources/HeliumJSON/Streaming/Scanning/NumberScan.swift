/// A number that is read in parts.
struct NumberScan {
    private enum Step {
        /// Before the first digit, after a minus.
        case first
        /// After a zero that began the number.
        case zero
        case digits
        /// Before the first digit of the fraction, and after it.
        case point, fraction
        /// After `e`, after its sign, and after its first digit.
        case mark, sign, exponent
    }

    private var step = Step.first

    /// Whether a minus has not been read yet.
    private var hasMinus: Bool

    /// Creates a scan of a number that begins with a digit or a minus, which is the first byte to read.
    @inline(__always)
    init(beginningWith byte: UInt8 = 0x30) { hasMinus = byte == 0x2D }

    /// Continues reading.
    ///
    /// - Parameters:
    ///   - scanner: The current bytes.
    ///   - origin: The position in the stream at which they begin.
    /// - Returns: Whether a byte follows the number. If not, the bytes are used up.
    @inline(__always)
    mutating func run(_ scanner: inout ByteScanner, origin: Int) throws(SyntaxFault) -> Bool {
        if hasMinus {
            hasMinus = false
            scanner.position &+= 1
        }
        while !scanner.isAtEnd {
            let byte = scanner.byte
            if byte &- 0x30 < 10 {
                switch step {
                case .first: step = byte == 0x30 ? .zero : .digits
                case .zero: throw SyntaxFault(.leadingZero, at: origin &+ scanner.position &- 1)
                case .point: step = .fraction
                case .mark, .sign: step = .exponent
                case .digits, .fraction, .exponent: break
                }
            } else {
                switch step {
                case .zero where byte == 0x2E, .digits where byte == 0x2E: step = .point
                case .zero where byte | 0x20 == 0x65, .digits where byte | 0x20 == 0x65,
                    .fraction where byte | 0x20 == 0x65:
                    step = .mark
                case .mark where byte == 0x2B || byte == 0x2D: step = .sign
                case .zero, .digits, .fraction, .exponent: return true
                case .first, .point, .mark, .sign: throw SyntaxFault(.badNumber, at: origin &+ scanner.position)
                }
            }
            scanner.position &+= 1
        }
        return false
    }

    /// Whether the number may end here.
    var isWhole: Bool {
        switch step {
        case .zero, .digits, .fraction, .exponent: true
        case .first, .point, .mark, .sign: false
        }
    }
}
