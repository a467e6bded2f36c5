/// Creates the tape of a document in one pass, without recursion. It allocates only the tape. A document without faults
/// is parsed by ``parseValid(_:limits:)``; for any other document, the functions here find the fault in a second pass.
///
/// While an array or object is open, its word contains the index of the enclosing container in place of its span, so
/// the tape serves as its own stack.
struct JSONParser: ~Copyable {
    private var scanner: ByteScanner
    private var tape: TapeBuffer
    private let limits: JSONLimits
    /// The length in bytes up to which a name can't have too long a run of marks.
    private let shortestMarked: Int
    /// The innermost open array or object.
    private var open = Self.nothing
    private var isInObject = false
    private var depth = 0

    /// The index of no container.
    static let nothing = TapeWord.maximumLength

    private init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        scanner = ByteScanner(bytes)
        tape = TapeBuffer(forBytes: bytes.count, maximumCount: min(limits.maximumValues, bytes.count + 1))
        self.limits = limits
        shortestMarked = Self.shortestMarked(limits)
    }

    /// Returns the length in bytes up to which a name can't have too long a run of marks.
    static func shortestMarked(_ limits: JSONLimits) -> Int {
        let (bytes, overflow) = max(0, limits.maximumNameMarks).multipliedReportingOverflow(by: CombiningMarks.shortest)
        return overflow ? .max : bytes
    }

    /// Returns the tape of the one value in `bytes`.
    ///
    /// A byte order mark before it is skipped (RFC 8259 §8.1 allows that). The caller must free the words.
    static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>,
        limits: JSONLimits
    ) throws(SyntaxFault) -> (words: UnsafeMutablePointer<UInt64>, count: Int) {
        let longest = min(limits.maximumBytes, TapeWord.maximumOffset)
        guard bytes.count <= longest else { throw SyntaxFault(.tooLong(longest), at: max(0, longest)) }
        if let tape = parseValid(bytes, limits: limits) { return tape }
        return try parseReporting(bytes, limits: limits)
    }

    /// Does the same for any document that fits the tape, and finds its fault.
    static func parseReporting(
        _ bytes: UnsafeBufferPointer<UInt8>,
        limits: JSONLimits
    ) throws(SyntaxFault) -> (words: UnsafeMutablePointer<UInt64>, count: Int) {
        var parser = JSONParser(bytes, limits: limits)
        try parser.document()
        return parser.tape.take()
    }

    private mutating func document() throws(SyntaxFault) {
        if scanner.isAhead("\u{FEFF}") { scanner.position = 3 }
        scanner.skipSpace()
        if scanner.isAtEnd { throw SyntaxFault(.empty, at: scanner.position) }
        repeat { try value() } while try goesOn()
        guard scanner.isAtEnd else { throw SyntaxFault(.trailingText, at: scanner.position) }
    }

    /// Parses a value, or the opening of a container that is not empty. The scanner is at its first byte.
    @inline(__always)
    private mutating func value() throws(SyntaxFault) {
        while true {
            guard !scanner.isAtEnd else { throw SyntaxFault(.unexpectedEnd(wanted: "a value"), at: scanner.position) }
            switch scanner.byte {
            case 0x22:
                return try append(try scanner.string())
            case 0x30...0x39, 0x2D:
                return try append(try scanner.number())
            case 0x7B:
                try enter(.object)
                if !scanner.isAtEnd, scanner.byte == 0x7D { return leave() }
                try name()
            case 0x5B:
                try enter(.array)
                if !scanner.isAtEnd, scanner.byte == 0x5D { return leave() }
            case 0x74:
                return try literal("true", .true)
            case 0x66:
                return try literal("false", .false)
            case 0x6E:
                return try literal("null", .null)
            default:
                throw SyntaxFault(.unexpectedByte(scanner.byte, wanted: "a value"), at: scanner.position)
            }
        }
    }

    /// Parses the bytes after a value: closing brackets, then a comma or the end. Returns whether another value
    /// follows.
    @inline(__always)
    private mutating func goesOn() throws(SyntaxFault) -> Bool {
        while true {
            scanner.skipSpace()
            if open == Self.nothing { return false }
            guard !scanner.isAtEnd else {
                throw SyntaxFault(.unexpectedEnd(wanted: separator), at: scanner.position)
            }
            switch scanner.byte {
            case 0x2C:
                scanner.position &+= 1
                scanner.skipSpace()
                if isInObject { try name() }
                return true
            case isInObject ? 0x7D : 0x5D:
                leave()
            default:
                throw SyntaxFault(.unexpectedByte(scanner.byte, wanted: separator), at: scanner.position)
            }
        }
    }

    private var separator: String { isInObject ? "a comma or '}'" : "a comma or ']'" }

    /// Parses a member's name and its colon.
    @inline(__always)
    private mutating func name() throws(SyntaxFault) {
        guard !scanner.isAtEnd else {
            throw SyntaxFault(.unexpectedEnd(wanted: "a member's name"), at: scanner.position)
        }
        guard scanner.byte == 0x22 else {
            throw SyntaxFault(.unexpectedByte(scanner.byte, wanted: "a member's name"), at: scanner.position)
        }
        let name = try scanner.string()
        if name.length > shortestMarked { try refuseMarks(name) }
        try append(name)
        scanner.skipSpace()
        guard !scanner.isAtEnd else { throw SyntaxFault(.unexpectedEnd(wanted: "a colon"), at: scanner.position) }
        guard scanner.byte == 0x3A else {
            throw SyntaxFault(.unexpectedByte(scanner.byte, wanted: "a colon"), at: scanner.position)
        }
        scanner.position &+= 1
        scanner.skipSpace()
    }

    @inline(never)
    private func refuseMarks(_ name: TapeWord) throws(SyntaxFault) {
        let text = UnsafeBufferPointer(start: scanner.base + name.offset, count: name.length)
        guard CombiningMarks.areMore(than: limits.maximumNameMarks, in: Unescaper.string(of: text)) else { return }
        throw SyntaxFault(.tooManyMarks(limits.maximumNameMarks), at: name.offset - 1)
    }

    @inline(__always)
    private mutating func literal(_ text: StaticString, _ kind: TapeWord.Kind) throws(SyntaxFault) {
        guard scanner.isAhead(text) else { throw SyntaxFault(.badLiteral, at: scanner.position) }
        try append(TapeWord(kind, offset: scanner.position, length: text.utf8CodeUnitCount))
        scanner.position &+= text.utf8CodeUnitCount
    }

    @inline(__always)
    private mutating func enter(_ kind: TapeWord.Kind) throws(SyntaxFault) {
        depth &+= 1
        guard depth <= limits.maximumDepth else {
            throw SyntaxFault(.tooDeep(limits.maximumDepth), at: scanner.position)
        }
        let index = tape.count
        try append(TapeWord(kind, offset: scanner.position, length: open))
        open = index
        isInObject = kind == .object
        scanner.position &+= 1
        scanner.skipSpace()
    }

    @inline(__always)
    private mutating func leave() {
        let word = TapeWord(bits: tape.words[open])
        tape.words[open] = TapeWord(word.kind, offset: word.offset, length: tape.count &- open).bits
        open = word.length
        isInObject = open != Self.nothing && TapeWord(bits: tape.words[open]).kind == .object
        depth &-= 1
        scanner.position &+= 1
    }

    @inline(__always)
    private mutating func append(_ word: TapeWord) throws(SyntaxFault) {
        guard tape.append(word) else { throw SyntaxFault(.tooManyValues(limits.maximumValues), at: word.offset) }
    }
}
