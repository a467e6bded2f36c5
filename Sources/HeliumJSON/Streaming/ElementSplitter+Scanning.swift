extension ElementSplitter {
    /// Reads tokens until an element or the bytes end.
    mutating func scan(_ scanner: inout ByteScanner) throws(SyntaxFault) -> Stop {
        while true {
            switch state {
            case .string:
                guard try string.run(&scanner, origin: origin, &lines) else { return .endOfBytes }
                if endString(scanner) { return .endOfElement }
            case .number:
                guard try number.run(&scanner, origin: origin) else { return .endOfBytes }
                if endValue() { return .endOfElement }
            case .literal:
                guard try literal.run(&scanner) else { return .endOfBytes }
                if endValue() { return .endOfElement }
            case .byteOrderMark:
                guard try byteOrderMark(&scanner) else { return .endOfBytes }
            default:
                skipSpace(&scanner)
                if state == .separator || state == .value && !isOnPath { scanPlain(&scanner) }
                guard !scanner.isAtEnd else { return .endOfBytes }
                if let stop = try token(&scanner) { return stop }
            }
        }
    }

    /// Reads the byte order mark that may come first. `origin` counts its bytes.
    private mutating func byteOrderMark(_ scanner: inout ByteScanner) throws(SyntaxFault) -> Bool {
        while !scanner.isAtEnd {
            let passed = origin + scanner.position
            if scanner.byte != Self.mark[passed] {
                guard passed == 0 else { throw SyntaxFault(.unexpectedByte(0xEF, wanted: "a value"), at: 0) }
                state = .value
                return true
            }
            scanner.position += 1
            if passed == 2 {
                lines.passContinuation(2)
                state = .value
                return true
            }
        }
        return false
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    @inline(__always)
    mutating func skipSpace(_ scanner: inout ByteScanner) {
        while !scanner.isAtEnd {
            let byte = scanner.byte
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            if byte == 0x0A { lines.passLineFeed(at: origin &+ scanner.position) }
            scanner.position &+= 1
        }
    }

    /// Handles a byte that begins a token.
    @inline(__always)
    private mutating func token(_ scanner: inout ByteScanner) throws(SyntaxFault) -> Stop? {
        let byte = scanner.byte
        switch state {
        case .separator:
            if byte == 0x2C {
                state = nesting.isInObject ? .name : .value
                scanner.position &+= 1
                return nil
            }
            if byte == (nesting.isInObject ? 0x7D : 0x5D) { return leave(&scanner) }
            throw SyntaxFault(.unexpectedByte(byte, wanted: separator), at: origin &+ scanner.position)
        case .firstElement where byte == 0x5D, .firstName where byte == 0x7D:
            return leave(&scanner)
        case .value, .firstElement:
            return try value(byte, &scanner)
        case .firstName, .name:
            guard byte == 0x22 else {
                throw SyntaxFault(.unexpectedByte(byte, wanted: "a member's name"), at: origin &+ scanner.position)
            }
            scanner.position &+= 1
            if nesting.depth == nameDepth { beginName(scanner) }
            isName = true
            return try beginString(&scanner)
        case .colon:
            guard byte == 0x3A else {
                throw SyntaxFault(.unexpectedByte(byte, wanted: "a colon"), at: origin &+ scanner.position)
            }
            scanner.position &+= 1
            state = .value
            return nil
        default:
            throw SyntaxFault(.trailingText, at: origin &+ scanner.position)
        }
    }

    var separator: String { nesting.isInObject ? "a comma or '}'" : "a comma or ']'" }
}

// MARK: Values

extension ElementSplitter {
    @inline(__always)
    private mutating func value(_ byte: UInt8, _ scanner: inout ByteScanner) throws(SyntaxFault) -> Stop? {
        if isOnPath {
            if let stop = enterPath(byte, at: origin &+ scanner.position) { return stop }
        } else if nesting.depth == elementDepth {
            elementLocation = lines.location(of: origin &+ scanner.position)
            capture.begin(.element, at: scanner.position)
        }
        switch byte {
        case 0x22:
            scanner.position &+= 1
            isName = false
            return try beginString(&scanner)
        case 0x30...0x39, 0x2D:
            number = NumberScan(beginningWith: byte)
            state = .number
        case 0x7B, 0x5B:
            try enter(byte, &scanner)
        default:
            guard let literal = LiteralScan(beginningWith: byte, at: origin &+ scanner.position) else {
                throw SyntaxFault(.unexpectedByte(byte, wanted: "a value"), at: origin &+ scanner.position)
            }
            self.literal = literal
            state = .literal
        }
        return nil
    }

    /// Reads a string after its opening quote.
    @inline(__always)
    private mutating func beginString(_ scanner: inout ByteScanner) throws(SyntaxFault) -> Stop? {
        var string = StringScan()
        guard try string.run(&scanner, origin: origin, &lines) else {
            self.string = string
            state = .string
            return .endOfBytes
        }
        return endString(scanner) ? .endOfElement : nil
    }

    /// Handles the end of a string.
    ///
    /// - Returns: Whether an element ends here.
    @inline(__always)
    private mutating func endString(_ scanner: ByteScanner) -> Bool {
        guard isName else { return endValue() }
        state = .colon
        if nesting.depth == nameDepth { endName(scanner) }
        return false
    }

    /// Handles the end of a value.
    ///
    /// - Returns: Whether an element ends here.
    @inline(__always)
    private mutating func endValue() -> Bool {
        state = nesting.depth == 0 ? .over : .separator
        return nesting.depth == elementDepth
    }

    @inline(__always)
    private mutating func enter(_ byte: UInt8, _ scanner: inout ByteScanner) throws(SyntaxFault) {
        guard nesting.depth < maximumDepth else {
            throw SyntaxFault(.tooDeep(maximumDepth), at: origin &+ scanner.position)
        }
        let isObject = byte == 0x7B
        nesting.push(isObject: isObject)
        scanner.position &+= 1
        state = isObject ? .firstName : .firstElement
    }

    @inline(__always)
    private mutating func leave(_ scanner: inout ByteScanner) -> Stop? {
        if nesting.depth == nameDepth { return .missing }
        if nesting.depth == elementDepth { elementDepth = -1 }
        nesting.pop()
        scanner.position &+= 1
        return endValue() ? .endOfElement : nil
    }
}
