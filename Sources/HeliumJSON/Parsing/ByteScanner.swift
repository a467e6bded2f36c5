/// Reads JSON tokens (RFC 8259) from bytes, without reading past their end.
struct ByteScanner {
    let base: UnsafePointer<UInt8>
    let count: Int
    var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        // An empty buffer may have no address. Nothing is read from it then.
        base = bytes.baseAddress ?? UnsafePointer(bitPattern: MemoryLayout<UInt64>.alignment).unsafelyUnwrapped
        count = bytes.count
    }

    var isAtEnd: Bool {
        @inline(__always) get { position >= count }
    }

    /// The current byte. Must not be called at the end.
    var byte: UInt8 {
        @inline(__always) get { base[position] }
    }

    @inline(__always)
    mutating func skipSpace() {
        while position < count {
            let byte = base[position]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position &+= 1
        }
    }

    @inline(__always)
    func isAhead(_ text: StaticString) -> Bool {
        guard count &- position >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where base[position &+ index] != text.utf8Start[index] { return false }
        return true
    }
}

// MARK: Strings

extension ByteScanner {
    /// Returns the string whose opening quote is the current byte. Its text is validated; escapes are kept.
    @inline(__always)
    mutating func string() throws(SyntaxFault) -> TapeWord {
        position &+= 1
        let start = position
        var kind = TapeWord.Kind.plainString
        while true {
            skipPlainText()
            guard position < count else { throw SyntaxFault(.unexpectedEnd(wanted: "a string's end"), at: position) }
            let byte = base[position]
            if byte == 0x22 {
                let length = position &- start
                guard length <= TapeWord.maximumLength else { throw SyntaxFault(.tokenTooLong, at: start) }
                position &+= 1
                return TapeWord(kind, offset: start, length: length)
            }
            if byte == 0x5C {
                kind = .escapedString
                try escape()
            } else if byte < 0x20 {
                throw SyntaxFault(.controlCharacter(byte), at: position)
            } else if byte < 0x80 {
                position &+= 1
            } else {
                try beyondASCII()
            }
        }
    }

    /// Skips plain ASCII of a string, eight bytes at a time. A few plain bytes may remain.
    @inline(__always)
    mutating func skipPlainText() {
        while position &+ 8 <= count {
            let special = Self.specialBytes(in: load8())
            guard special == 0 else {
                position &+= special.trailingZeroBitCount &>> 3
                return
            }
            position &+= 8
        }
    }

    /// Returns eight bytes, the first one lowest.
    @inline(__always)
    private func load8() -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self))
    }

    /// Returns the high bit of each byte that ends a run of plain ASCII: a quote, a backslash, a control character, or
    /// a byte above 0x7F. Only the lowest set bit is reliable, because subtraction borrows upwards.
    @inline(__always)
    static func specialBytes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // With bit 1 inverted, control characters and the quote are the bytes below 0x21. Bytes above 0x7F are special
        // anyway, so the high bits of the differences may be set for them.
        let quoteOrControl = (word ^ (ones &* 0x02)) &- (ones &* 0x21)
        let backslash = (word ^ (ones &* 0x5C)) &- ones
        return (quoteOrControl | backslash | word) & (ones &* 0x80)
    }

    /// Skips the escape whose backslash is the current byte, or the UTF-8 beyond ASCII that begins there. Returns
    /// `false` for an invalid one, and for any other byte.
    mutating func passSpecial() -> Bool {
        do throws(SyntaxFault) {
            if byte == 0x5C {
                try escape()
            } else if byte >= 0x80 {
                try beyondASCII()
            } else {
                return false
            }
        } catch {
            return false
        }
        return true
    }

    /// Skips an escape, whose backslash is the current byte.
    @inline(never)
    private mutating func escape() throws(SyntaxFault) {
        let start = position
        guard position &+ 1 < count else { throw SyntaxFault(.unexpectedEnd(wanted: "an escape"), at: count) }
        switch base[position &+ 1] {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74:
            position &+= 2
        case 0x75:
            let unit = try hexadecimal(at: start)
            if unit & 0xF800 == 0xD800 {
                guard unit < 0xDC00, isAhead("\\u") else { throw SyntaxFault(.loneSurrogate, at: start) }
                let second = position
                guard try hexadecimal(at: second) & 0xFC00 == 0xDC00 else {
                    throw SyntaxFault(.loneSurrogate, at: start)
                }
            }
        default:
            throw SyntaxFault(.badEscape, at: start)
        }
    }

    /// Reads `\u` and four digits.
    private mutating func hexadecimal(at start: Int) throws(SyntaxFault) -> UInt32 {
        guard count &- start >= 6 else {
            for index in (start + 2)..<max(start + 2, count) where Self.digit(base[index]) == nil {
                throw SyntaxFault(.badEscape, at: start)
            }
            throw SyntaxFault(.unexpectedEnd(wanted: "an escape's digit"), at: count)
        }
        var unit: UInt32 = 0
        for index in (start &+ 2)..<(start &+ 6) {
            guard let digit = Self.digit(base[index]) else { throw SyntaxFault(.badEscape, at: start) }
            unit = unit &<< 4 | digit
        }
        position = start &+ 6
        return unit
    }

    /// Returns the value of a hexadecimal digit, or `nil`.
    @inline(__always)
    static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte &- 0x30)
        case 0x41...0x46: UInt32(byte &- 0x37)
        case 0x61...0x66: UInt32(byte &- 0x57)
        default: nil
        }
    }

    /// Skips well-formed sequences of two to four bytes (Unicode 16, table 3-7) that follow each other.
    private mutating func beyondASCII() throws(SyntaxFault) {
        repeat {
            let length = UTF8Sequence.length(base + position, available: count &- position)
            guard length > 0 else { throw SyntaxFault(.badUTF8, at: position) }
            position &+= length
        } while position < count && base[position] >= 0x80
    }
}

// MARK: Numbers

extension ByteScanner {
    /// Returns the number that begins with the current byte, a digit or a minus.
    @inline(__always)
    mutating func number() throws(SyntaxFault) -> TapeWord {
        let start = position
        var kind = TapeWord.Kind.integer
        if base[position] == 0x2D { position &+= 1 }
        let first = position
        try digits()
        if base[first] == 0x30, position &- first > 1 { throw SyntaxFault(.leadingZero, at: first) }
        if position < count, base[position] == 0x2E {
            kind = .decimal
            position &+= 1
            try digits()
        }
        if position < count, base[position] | 0x20 == 0x65 {
            kind = .decimal
            position &+= 1
            if position < count, base[position] == 0x2B || base[position] == 0x2D { position &+= 1 }
            try digits()
        }
        let length = position &- start
        guard length <= TapeWord.maximumLength else { throw SyntaxFault(.tokenTooLong, at: start) }
        return TapeWord(kind, offset: start, length: length)
    }

    /// Skips one or more digits.
    @inline(__always)
    private mutating func digits() throws(SyntaxFault) {
        let start = position
        while position < count, base[position] &- 0x30 < 10 { position &+= 1 }
        if position == start {
            if position < count { throw SyntaxFault(.badNumber, at: position) }
            throw SyntaxFault(.unexpectedEnd(wanted: "a digit"), at: position)
        }
    }
}
