// The fast path: tokens that are complete in the current bytes and plain are read without a state in between. At the
// end of the bytes, an escape, the beginning or end of an element, or an error, it stops before it, with the state from
// which the general path continues.

extension ElementSplitter {
    /// Continues from a value, or after one.
    mutating func scanPlain(_ scanner: inout ByteScanner) {
        if state == .value, !value(&scanner) { return }
        while goesOn(&scanner), value(&scanner) {}
    }

    /// Reads the bytes after a value: closing brackets, then a comma; in an object also the next name. Returns whether
    /// a value follows.
    @inline(__always)
    private mutating func goesOn(_ scanner: inout ByteScanner) -> Bool {
        while true {
            skipSpace(&scanner)
            guard !scanner.isAtEnd else { return stop(.separator) }
            let isInObject = nesting.isInObject
            if scanner.byte == 0x2C {
                scanner.position &+= 1
                skipSpace(&scanner)
                return isInObject ? name(&scanner) : true
            }
            let depth = nesting.depth
            guard scanner.byte == (isInObject ? 0x7D : 0x5D), depth > 1, depth != nameDepth, depth != elementDepth,
                depth &- 1 != elementDepth
            else { return stop(.separator) }
            scanner.position &+= 1
            nesting.pop()
        }
    }

    /// Reads a value.
    @inline(__always)
    private mutating func value(_ scanner: inout ByteScanner) -> Bool {
        while true {
            guard !scanner.isAtEnd, nesting.depth != elementDepth else { return stop(.value) }
            switch scanner.byte {
            case 0x22:
                return scanner.passPlainString() || stop(.value)
            case 0x30...0x39, 0x2D:
                return scanner.passPlainNumber() || stop(.value)
            case 0x7B:
                guard nesting.depth < maximumDepth else { return stop(.value) }
                nesting.push(isObject: true)
                scanner.position &+= 1
                skipSpace(&scanner)
                guard !scanner.isAtEnd else { return stop(.firstName) }
                if scanner.byte == 0x7D {
                    nesting.pop()
                    scanner.position &+= 1
                    return true
                }
                guard name(&scanner) else { return false }
            case 0x5B:
                guard nesting.depth < maximumDepth else { return stop(.value) }
                nesting.push(isObject: false)
                scanner.position &+= 1
                skipSpace(&scanner)
                guard !scanner.isAtEnd else { return stop(.firstElement) }
                if scanner.byte == 0x5D {
                    nesting.pop()
                    scanner.position &+= 1
                    return true
                }
            case 0x74:
                return scanner.pass("true") || stop(.value)
            case 0x66:
                return scanner.pass("false") || stop(.value)
            case 0x6E:
                return scanner.pass("null") || stop(.value)
            default:
                return stop(.value)
            }
        }
    }

    /// Reads a member's name, its colon, and the white space after it.
    @inline(__always)
    private mutating func name(_ scanner: inout ByteScanner) -> Bool {
        guard !scanner.isAtEnd, scanner.byte == 0x22, nesting.depth != nameDepth, scanner.passPlainString() else {
            return stop(.name)
        }
        skipSpace(&scanner)
        guard !scanner.isAtEnd, scanner.byte == 0x3A else { return stop(.colon) }
        scanner.position &+= 1
        skipSpace(&scanner)
        return true
    }

    @inline(__always)
    private mutating func stop(_ state: State) -> Bool {
        self.state = state
        return false
    }
}

extension ByteScanner {
    /// Skips a string whose opening quote is the current byte, if it contains only ASCII without escapes. Returns
    /// whether it did.
    @inline(__always)
    fileprivate mutating func passPlainString() -> Bool {
        let start = position
        position &+= 1
        skipPlainText()
        while position < count {
            let byte = base[position]
            if byte == 0x22 {
                position &+= 1
                return true
            }
            guard byte >= 0x20, byte < 0x80, byte != 0x5C else { break }
            position &+= 1
        }
        position = start
        return false
    }

    /// Skips a number that is followed by more bytes. Returns whether it did.
    @inline(__always)
    fileprivate mutating func passPlainNumber() -> Bool {
        let start = position
        if byte == 0x2D { position &+= 1 }
        let first = position
        if passDigits() {
            var isNumber = base[first] != 0x30 || position &- first == 1
            if position < count, byte == 0x2E {
                position &+= 1
                isNumber = passDigits() && isNumber
            }
            if position < count, byte | 0x20 == 0x65 {
                position &+= 1
                if position < count, byte == 0x2B || byte == 0x2D { position &+= 1 }
                isNumber = passDigits() && isNumber
            }
            if isNumber, position < count { return true }
        }
        position = start
        return false
    }

    /// Skips digits. Returns whether there was at least one.
    @inline(__always)
    private mutating func passDigits() -> Bool {
        let start = position
        while position < count, base[position] &- 0x30 < 10 { position &+= 1 }
        return position > start
    }

    @inline(__always)
    fileprivate mutating func pass(_ text: StaticString) -> Bool {
        guard isAhead(text) else { return false }
        position &+= text.utf8CodeUnitCount
        return true
    }
}
