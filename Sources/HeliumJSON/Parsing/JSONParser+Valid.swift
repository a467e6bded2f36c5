/// The parser of documents without faults, which are almost all documents.
///
/// It is one function, whose state stays in registers. ``JSONParser``'s other functions take one and a half times as
/// long, because they keep their state in memory in order to report where and why a document is invalid.
///
/// Memory: the document ends with a closing bracket at `count - 1`. `position` is below `count` wherever a byte is read,
/// because it moves only past bytes that are not the last one: past a byte that is known not to be a closing bracket,
/// or by a loop that stops at one. After a closing bracket, `position` is compared with `count`. Eight and four bytes
/// are loaded only if all of them are before `count`. A word is written only below `capacity`, which is checked for two
/// words before each value and its name.
extension JSONParser {
    /// Returns the tape of a document, or `nil` if ``parse(_:limits:)`` must parse it again. That is the case if there
    /// is a fault or an exceeded limit to report, if the value is not an array or object, if a name is so long that its
    /// combining marks must be counted, and for more than 256 MiB.
    static func parseValid(
        _ bytes: UnsafeBufferPointer<UInt8>,
        limits: JSONLimits
    ) -> (words: UnsafeMutablePointer<UInt64>, count: Int)? {
        // All lengths fit into a word if the document's does.
        guard let base = bytes.baseAddress, bytes.count <= TapeWord.maximumLength else { return nil }
        var count = bytes.count
        while count > 0, isSpace(base[count &- 1]) { count &-= 1 }
        guard count >= 2, base[count &- 1] == 0x7D || base[count &- 1] == 0x5D else { return nil }

        let longestName = shortestMarked(limits)
        let maximumCount = max(0, min(limits.maximumValues, count + 1))
        var capacity = min(count / 8 + 16, maximumCount)
        var words = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        var used = 0
        // As in the other functions, the length of an open container's word is the index of the enclosing container.
        var open = nothing
        var isInObject = false
        var depth = 0
        var isValid = false
        var position = afterSpace(base, from: startOfText(base, count))

        // Each round parses a value or the opening bracket of a container, in an object after its name.
        document: while true {
            if capacity &- used < 2 {
                let larger = min(capacity * 2, maximumCount)
                guard larger &- used >= 2 else { break document }
                words = moved(words, used, toCapacity: larger)
                capacity = larger
            }
            if isInObject {
                guard base[position] == 0x22 else { break document }
                let start = position &+ 1
                let (end, kind) = endOfString(base, count, from: start)
                guard end >= 0, end &- start <= longestName else { break document }
                words[used] = TapeWord(kind, offset: start, length: end &- start).bits
                used &+= 1
                position = afterSpace(base, from: end &+ 1)
                guard base[position] == 0x3A else { break document }
                position = afterSpace(base, from: position &+ 1)
            }

            let byte = base[position]
            let word: TapeWord
            var isOpening = false
            switch byte {
            case 0x22:
                let start = position &+ 1
                let (end, kind) = endOfString(base, count, from: start)
                guard end >= 0 else { break document }
                word = TapeWord(kind, offset: start, length: end &- start)
                position = end &+ 1
            case 0x30...0x39, 0x2D:
                let (end, kind) = endOfNumber(base, from: position)
                guard end >= 0 else { break document }
                word = TapeWord(kind, offset: position, length: end &- position)
                position = end
            case 0x7B, 0x5B:
                guard depth < limits.maximumDepth else { break document }
                word = TapeWord(byte == 0x7B ? .object : .array, offset: position, length: open)
                isOpening = true
            case 0x74:
                // The bytes of "true", the first one lowest.
                guard isText(base, count, at: position, 0x6575_7274) else { break document }
                word = TapeWord(.true, offset: position, length: 4)
                position &+= 4
            case 0x66:
                // "fals"
                guard isText(base, count, at: position, 0x736C_6166), base[position &+ 4] == 0x65 else {
                    break document
                }
                word = TapeWord(.false, offset: position, length: 5)
                position &+= 5
            case 0x6E:
                // "null"
                guard isText(base, count, at: position, 0x6C6C_756E) else { break document }
                word = TapeWord(.null, offset: position, length: 4)
                position &+= 4
            default:
                break document
            }
            words[used] = word.bits
            used &+= 1
            if isOpening {
                open = used &- 1
                isInObject = byte == 0x7B
                depth &+= 1
                position = afterSpace(base, from: position &+ 1)
                if base[position] != (isInObject ? 0x7D : 0x5D) { continue document }
            } else if open == nothing {
                break document
            }

            // The closing brackets after a value, or the one of an empty container; then a comma or the end.
            while true {
                position = afterSpace(base, from: position)
                let byte = base[position]
                if byte == 0x2C {
                    position = afterSpace(base, from: position &+ 1)
                    continue document
                }
                guard byte == (isInObject ? 0x7D : 0x5D) else { break document }
                position &+= 1
                depth &-= 1
                let opening = TapeWord(bits: words[open])
                words[open] = TapeWord(opening.kind, offset: opening.offset, length: used &- open).bits
                open = opening.length
                if open == nothing {
                    isValid = position == count
                    break document
                }
                guard position < count else { break document }
                isInObject = TapeWord(bits: words[open]).kind == .object
            }
        }
        if isValid { return (words, used) }
        words.deallocate()
        return nil
    }

    @inline(never)
    private static func moved(
        _ words: UnsafeMutablePointer<UInt64>,
        _ count: Int,
        toCapacity capacity: Int
    ) -> UnsafeMutablePointer<UInt64> {
        let moved = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        moved.moveInitialize(from: words, count: count)
        words.deallocate()
        return moved
    }
}

// MARK: Tokens

/// Each function takes a position below `count`, and returns one below `count` or -1 for a fault. They are static and
/// take values, because a structure whose address is passed to a function has to be in memory.
extension JSONParser {
    /// Returns the position after a byte order mark, or 0 if there is none.
    private static func startOfText(_ base: UnsafePointer<UInt8>, _ count: Int) -> Int {
        count >= 4 && base[0] == 0xEF && base[1] == 0xBB && base[2] == 0xBF ? 3 : 0
    }

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte <= 0x20 && (byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09)
    }

    /// Skips white space. It stops at the last byte, which is a closing bracket.
    @inline(__always)
    private static func afterSpace(_ base: UnsafePointer<UInt8>, from start: Int) -> Int {
        var position = start
        while isSpace(base[position]) { position &+= 1 }
        return position
    }

    /// Returns the position of a string's closing quote, and the kind of the string. Its text begins at `start`.
    @inline(__always)
    private static func endOfString(
        _ base: UnsafePointer<UInt8>,
        _ count: Int,
        from start: Int
    ) -> (end: Int, kind: TapeWord.Kind) {
        var position = start
        while position <= count &- 8 {
            let special = ByteScanner.specialBytes(in: UInt64(littleEndian: Bytes.load8(base + position)))
            if special != 0 {
                position &+= special.trailingZeroBitCount &>> 3
                if base[position] == 0x22 { return (position, .plainString) }
                break
            }
            position &+= 8
        }
        return endOfUncommonString(base, count, from: position)
    }

    /// Continues a string that contains an escape or UTF-8 beyond ASCII, or is one of the last tokens of the document.
    /// `start` may be `count`.
    @inline(never)
    private static func endOfUncommonString(
        _ base: UnsafePointer<UInt8>,
        _ count: Int,
        from start: Int
    ) -> (end: Int, kind: TapeWord.Kind) {
        var scanner = ByteScanner(UnsafeBufferPointer(start: base, count: count))
        scanner.position = start
        var kind = TapeWord.Kind.plainString
        while true {
            scanner.skipPlainText()
            guard !scanner.isAtEnd else { return (-1, kind) }
            let byte = scanner.byte
            if byte == 0x22 { return (scanner.position, kind) }
            if byte >= 0x20, byte < 0x80, byte != 0x5C {
                // One of the last seven bytes, which are not examined eight at a time.
                scanner.position &+= 1
            } else {
                if byte == 0x5C { kind = .escapedString }
                guard scanner.passSpecial() else { return (-1, kind) }
            }
        }
    }

    /// Returns the position after a number, and its kind. Its first byte is a digit or a minus.
    @inline(__always)
    private static func endOfNumber(
        _ base: UnsafePointer<UInt8>,
        from start: Int
    ) -> (end: Int, kind: TapeWord.Kind) {
        let first = base[start] == 0x2D ? start &+ 1 : start
        let position = afterDigits(base, from: first)
        // There is a digit, and a zero is not followed by another.
        guard position > first, position == first &+ 1 || base[first] != 0x30 else { return (-1, .integer) }
        guard base[position] == 0x2E || base[position] | 0x20 == 0x65 else { return (position, .integer) }
        return (afterFraction(base, from: position), .decimal)
    }

    /// Skips a fraction, an exponent, or both. The byte at `start` is a point or an `e`.
    @inline(never)
    private static func afterFraction(_ base: UnsafePointer<UInt8>, from start: Int) -> Int {
        var position = start
        if base[position] == 0x2E {
            position = afterDigits(base, from: start &+ 1)
            guard position > start &+ 1 else { return -1 }
        }
        guard base[position] | 0x20 == 0x65 else { return position }
        position &+= 1
        if base[position] == 0x2B || base[position] == 0x2D { position &+= 1 }
        let end = afterDigits(base, from: position)
        return end > position ? end : -1
    }

    /// Skips digits. It stops at the last byte, which is a closing bracket.
    @inline(__always)
    private static func afterDigits(_ base: UnsafePointer<UInt8>, from start: Int) -> Int {
        var position = start
        while base[position] &- 0x30 < 10 { position &+= 1 }
        return position
    }

    /// Returns whether the four bytes at a position, the first one lowest, are these, and are not the last ones.
    @inline(__always)
    private static func isText(_ base: UnsafePointer<UInt8>, _ count: Int, at start: Int, _ text: UInt32) -> Bool {
        start &+ 4 < count && UInt32(littleEndian: Bytes.load4(base + start)) == text
    }
}
