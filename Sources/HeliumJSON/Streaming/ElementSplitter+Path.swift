// MARK: The path to the array

extension ElementSplitter {
    /// Handles the beginning of a value on the path: an object on the way, or the array.
    mutating func enterPath(_ byte: UInt8, at offset: Int) -> Stop? {
        isOnPath = false
        pathLocation = lines.location(of: offset)
        let isArray = descended == path.count
        if byte == (isArray ? 0x5B : 0x7B) {
            if isArray {
                elementDepth = nesting.depth + 1
            } else {
                nameDepth = nesting.depth + 1
            }
            return nil
        }
        // A byte that begins no value is an error of another kind.
        return Self.noun(byte).map { .mismatch(noun: $0) }
    }

    /// Handles the beginning of a name that may be the next one of the path.
    mutating func beginName(_ scanner: ByteScanner) {
        // If every scalar is escaped, a scalar of one to three bytes takes six bytes, and one of four bytes takes
        // twelve.
        capture.begin(.name(longest: 6 * path[descended].utf8.count), at: scanner.position)
    }

    /// Handles the end of a name, whose closing quote is the last byte read.
    mutating func endName(_ scanner: ByteScanner) {
        guard case .name(let longest) = capture.kind, capture.count(at: scanner.position - 1) <= longest else {
            capture.drop()
            return
        }
        let wanted = path[descended]
        let isWanted = capture.take(
            endingIn: UnsafeRawBufferPointer(start: scanner.base, count: scanner.position - 1)
        ) { text in
            let text = text.assumingMemoryBound(to: UInt8.self)
            guard text.contains(0x5C) else { return wanted.utf8.elementsEqual(text) }
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { name in
                guard let start = name.baseAddress else { return false }
                return wanted.utf8.elementsEqual(name[..<Unescaper.write(text, to: start)])
            }
        }
        guard isWanted else { return }
        descended += 1
        isOnPath = true
        nameDepth = -1
    }

    private static func noun(_ byte: UInt8) -> String? {
        switch byte {
        case 0x22: "a string"
        case 0x30...0x39, 0x2D: "a number"
        case 0x7B: "an object"
        case 0x5B: "an array"
        case 0x74, 0x66: "a boolean"
        case 0x6E: "null"
        default: nil
        }
    }
}

// MARK: Errors

extension ElementSplitter {
    func fault(_ fault: SyntaxFault) -> ElementFault {
        var kind = ElementFault.Kind.invalid
        var location = lines.location(of: fault.offset)
        var keys: [any CodingKey] = []
        switch fault.kind {
        case .elementTooLong:
            kind = .elementTooLong
            location = elementLocation
            keys = self.keys + [PathKey.index(elementCount)]
        case .empty:
            kind = .empty
        default:
            break
        }
        let error = JSONError(reason: fault.message, location: location)
        return ElementFault(kind: kind, decodingError: .dataCorrupted(error, at: keys))
    }

    /// Creates the error of a value that is neither the array nor an object on the way to it.
    func mismatch(_ noun: String) -> ElementFault {
        let error = JSONError(reason: "found \(noun)", location: pathLocation)
        let context = DecodingError.Context(
            codingPath: keys,
            debugDescription: "\(error.reason) at \(error.location)",
            underlyingError: error
        )
        let wanted: Any.Type = descended == path.count ? [Any].self : [String: Any].self
        return ElementFault(
            kind: .mismatch,
            decodingError: noun == "null" ? .valueNotFound(wanted, context) : .typeMismatch(wanted, context)
        )
    }

    /// Creates the error of an object without a member of the next name.
    func missing() -> ElementFault {
        let key = PathKey.name(path[descended])
        let error = JSONError(reason: "no member \"\(key.stringValue)\"", location: pathLocation)
        let context = DecodingError.Context(
            codingPath: keys,
            debugDescription: "\(error.reason) in the object at \(error.location)",
            underlyingError: error
        )
        return ElementFault(kind: .missing, decodingError: .keyNotFound(key, context))
    }

    /// The names of the path that were found.
    private var keys: [any CodingKey] { path.prefix(descended).map(PathKey.name) }
}
