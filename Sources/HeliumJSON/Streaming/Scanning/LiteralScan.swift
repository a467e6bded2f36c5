/// `true`, `false` or `null`, read piece by piece.
struct LiteralScan {
    private let text: StaticString
    private var passed = 0
    /// Where it begins, in the stream.
    let start: Int

    /// Any, before there is one.
    init() {
        text = "null"
        start = 0
    }

    /// The literal that begins with a byte; `nil` if none does.
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

    /// Reads on; returns whether all of it was read, otherwise the bytes are used up.
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
