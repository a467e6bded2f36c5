/// A string that is read in parts, starting after its opening quote. It stores the part of an escape or a UTF-8
/// sequence that was read before the bytes ended. The text is only validated and not stored.
struct StringScan {
    private enum Step {
        case text
        /// After a backslash.
        case escape
        /// In the digits after `\u`.
        case digits
        /// The position at which the other half of a surrogate pair must begin: its backslash, then its `u`.
        case pairBackslash, pairMark
        /// Inside of a UTF-8 sequence.
        case sequence
    }

    private var step = Step.text
    /// The position in the stream at which the escape or sequence begins.
    private var start = 0
    private var digitsLeft = 0
    private var unit: UInt32 = 0
    private var isSecondHalf = false
    private var continuationsLeft = 0
    /// The valid values of the sequence's next byte.
    private var continuation: ClosedRange<UInt8> = 0x80...0xBF
    private var sequenceLength = 0

    /// Continues reading.
    ///
    /// - Parameters:
    ///   - scanner: The current bytes.
    ///   - origin: The position in the stream at which they begin.
    ///   - lines: Records bytes that continue a character.
    /// - Returns: Whether the closing quote was read. If not, the bytes are used up.
    @inline(__always)
    mutating func run(
        _ scanner: inout ByteScanner,
        origin: Int,
        _ lines: inout LineTracker
    ) throws(SyntaxFault) -> Bool {
        while true {
            if step == .text {
                scanner.skipPlainText()
                guard !scanner.isAtEnd else { return false }
                let byte = scanner.byte
                if byte == 0x22 {
                    scanner.position &+= 1
                    return true
                }
                // The last few of the current bytes are not skipped eight at a time.
                guard byte < 0x20 || byte >= 0x80 || byte == 0x5C else {
                    scanner.position &+= 1
                    continue
                }
                try special(byte, &scanner, origin: origin, &lines)
            } else {
                guard !scanner.isAtEnd else { return false }
                try goOn(scanner.byte, at: origin &+ scanner.position, &lines)
                scanner.position &+= 1
            }
        }
    }

    /// Returns the fault if the stream ends here.
    func fault(atEnd end: Int) -> SyntaxFault {
        switch step {
        case .text: SyntaxFault(.unexpectedEnd(wanted: "a string's end"), at: end)
        case .escape: SyntaxFault(.unexpectedEnd(wanted: "an escape"), at: end)
        case .digits: SyntaxFault(.unexpectedEnd(wanted: "an escape's digit"), at: end)
        case .pairBackslash, .pairMark: SyntaxFault(.loneSurrogate, at: start)
        case .sequence: SyntaxFault(.badUTF8, at: start)
        }
    }
}

extension StringScan {
    /// Handles a byte that ends a run of plain text and is not a quote.
    @inline(never)
    private mutating func special(
        _ byte: UInt8,
        _ scanner: inout ByteScanner,
        origin: Int,
        _ lines: inout LineTracker
    ) throws(SyntaxFault) {
        start = origin &+ scanner.position
        if byte == 0x5C {
            step = .escape
            scanner.position &+= 1
        } else if byte < 0x20 {
            throw SyntaxFault(.controlCharacter(byte), at: start)
        } else {
            while !scanner.isAtEnd, scanner.byte >= 0x80 {
                let length = UTF8Sequence.length(
                    scanner.base + scanner.position,
                    available: scanner.count &- scanner.position
                )
                // The sequence is invalid or split, which reading it byte by byte will show.
                guard length > 0 else {
                    start = origin &+ scanner.position
                    try beginSequence(scanner.byte)
                    scanner.position &+= 1
                    return
                }
                lines.passContinuation(length &- 1)
                scanner.position &+= length
            }
        }
    }

    /// Handles a byte inside of an escape or a sequence.
    private mutating func goOn(_ byte: UInt8, at offset: Int, _ lines: inout LineTracker) throws(SyntaxFault) {
        switch step {
        case .text:
            break
        case .escape:
            switch byte {
            case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: step = .text
            case 0x75: beginDigits(second: false)
            default: throw SyntaxFault(.badEscape, at: start)
            }
        case .digits:
            guard let digit = ByteScanner.digit(byte) else { throw SyntaxFault(.badEscape, at: start) }
            unit = unit &<< 4 | digit
            digitsLeft &-= 1
            if digitsLeft == 0 { try endDigits() }
        case .pairBackslash:
            guard byte == 0x5C else { throw SyntaxFault(.loneSurrogate, at: start) }
            step = .pairMark
        case .pairMark:
            guard byte == 0x75 else { throw SyntaxFault(.loneSurrogate, at: start) }
            start = offset &- 1
            beginDigits(second: true)
        case .sequence:
            guard continuation.contains(byte) else { throw SyntaxFault(.badUTF8, at: start) }
            continuation = 0x80...0xBF
            continuationsLeft &-= 1
            if continuationsLeft == 0 {
                step = .text
                lines.passContinuation(sequenceLength &- 1)
            }
        }
    }

    private mutating func beginDigits(second: Bool) {
        step = .digits
        digitsLeft = 4
        unit = 0
        isSecondHalf = second
    }

    private mutating func endDigits() throws(SyntaxFault) {
        if isSecondHalf {
            // The first half is the six bytes before this one.
            guard unit & 0xFC00 == 0xDC00 else { throw SyntaxFault(.loneSurrogate, at: start &- 6) }
            step = .text
        } else if unit & 0xF800 == 0xD800 {
            guard unit < 0xDC00 else { throw SyntaxFault(.loneSurrogate, at: start) }
            step = .pairBackslash
        } else {
            step = .text
        }
    }

    /// Handles the lead byte of a sequence (Unicode 16, table 3-7).
    private mutating func beginSequence(_ lead: UInt8) throws(SyntaxFault) {
        switch lead {
        case 0xC2...0xDF: sequenceLength = 2
        case 0xE0...0xEF: sequenceLength = 3
        case 0xF0...0xF4: sequenceLength = 4
        default: throw SyntaxFault(.badUTF8, at: start)
        }
        switch lead {
        case 0xE0: continuation = 0xA0...0xBF  // Not longer than needed.
        case 0xED: continuation = 0x80...0x9F  // No surrogate.
        case 0xF0: continuation = 0x90...0xBF
        case 0xF4: continuation = 0x80...0x8F  // Not beyond U+10FFFF.
        default: continuation = 0x80...0xBF
        }
        continuationsLeft = sequenceLength &- 1
        step = .sequence
    }
}
