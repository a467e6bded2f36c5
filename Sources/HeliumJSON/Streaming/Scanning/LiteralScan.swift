/// A literal `true`, `false` or `null` that is read in parts.
struct LiteralScan {
    private let text: StaticString
    private var passed = 0
    /// The position in the stream at which the literal begins.
    let start: Int

    /// Creates an unused scan.
    init() {
        text = "null"
        start = 0
    }

    /// Creates a scan of the literal that begins with a byte, or returns `nil` if there is none.
    @inline(__always)
    init?(beginningWith byte: UInt8, at start: Int) {
        switch byte {
        case 0x74: text = "true"
        case 0x66: text = "false"
        case 0x6E: text = "null"
        default: return nil
        }
        self.start = start
    }

    /// Continues reading. Returns whether the literal is complete; if not, the bytes are used up.
    @inline(__always)
    mutating func run(_ scanner: inout ByteScanner) throws(SyntaxFault) -> Bool {
        while passed < text.utf8CodeUnitCount {
            guard !scanner.isAtEnd else { return false }
            guard scanner.byte == text.utf8Start[passed] else { throw SyntaxFault(.badLiteral, at: start) }
            passed &+= 1
            scanner.position &+= 1
        }
        return true
    }
}
