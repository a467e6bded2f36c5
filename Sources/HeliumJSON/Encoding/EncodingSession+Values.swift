internal import HeliumEssentials

extension EncodingSession {
    /// Checks that a node can receive one token.
    @inline(__always)
    func beginScalar(_ reference: NodeReference) throws {
        guard let node = text.pointee.ready(reference) else { throw gone() }
        guard node.pointee.kind == .fresh else { throw occupied(at: path(to: reference)) }
    }

    @inline(__always)
    func trait(of type: any Encodable.Type) -> EncodingTrait {
        traits.trait(of: type) { EncodingTrait(type, keys: options.keys) }
    }

    /// Writes the value of a node.
    func write<Value: Encodable>(_ value: Value, in node: NodeReference) throws {
        switch trait(of: Value.self) {
        case .plain: try writePlain(value, in: node)
        case .scalar(let type): try withUnsafePointer(to: value) { try write(type, $0, in: node) }
        case .json(let type): try withUnsafePointer(to: value) { try write(json: type, $0, in: node) }
        case .array(let type): try withUnsafePointer(to: value) { try type.write($0, in: node, of: self) }
        case .dictionary(let type): try withUnsafePointer(to: value) { try type.write($0, in: node, of: self) }
        case .date: try withUnsafePointer(to: value) { try write(UnsafeRawPointer($0).load(as: Date.self), in: node) }
        case .data: try withUnsafePointer(to: value) { try write(UnsafeRawPointer($0).load(as: Data.self), in: node) }
        case .url: try withUnsafePointer(to: value) { try write(UnsafeRawPointer($0).load(as: URL.self), in: node) }
        case .decimal:
            try withUnsafePointer(to: value) { try write(UnsafeRawPointer($0).load(as: Decimal.self), in: node) }
        }
    }

    /// Writes a value with its `encode(to:)`.
    @inline(__always)
    func writePlain<Value: Encodable>(_ value: Value, in node: NodeReference) throws {
        try enter(node)
        defer { text.pointee.nesting &-= 1 }
        try value.encode(to: TextEncoder(session: self, node: node))
    }

    /// Enters a nesting level. The number of levels is limited, so that an endless type throws instead of overflowing
    /// the stack.
    @inline(__always)
    private func enter(_ node: NodeReference) throws {
        guard text.pointee.nesting < Self.maximumNesting, text.pointee.depth(node) <= Self.maximumDepth + 1 else {
            throw tooDeep(at: path(to: node))
        }
        text.pointee.nesting &+= 1
    }

    /// Writes one token.
    @inline(__always)
    func write<Value: ScalarText>(scalar value: Value, in node: NodeReference) throws {
        try beginScalar(node)
        guard value.append(to: self) else { throw noNumber(value, at: path(to: node)) }
        text.pointee.endScalar()
    }

    private func write<Value: ScalarText>(
        _ type: Value.Type,
        _ value: UnsafeRawPointer,
        in node: NodeReference
    ) throws {
        try write(scalar: value.assumingMemoryBound(to: Value.self).pointee, in: node)
    }

    /// Makes a node an object without members if its value has encoded nothing.
    func fill(_ node: NodeReference) {
        if text.pointee.node(node)?.pointee.kind == .fresh { _ = open(node, as: .object) }
    }

    /// Writes a value that is JSON.
    private func write<Value: JSONTextWritable>(
        json type: Value.Type,
        _ value: UnsafeRawPointer,
        in node: NodeReference
    ) throws {
        try beginScalar(node)
        let value = value.assumingMemoryBound(to: Value.self).pointee
        value.writeJSON(into: &text.pointee.text, escapingSlashes: escapesSlashes)
        text.pointee.endScalar()
    }
}

// MARK: Foundation's types

extension EncodingSession {
    private func write(_ date: Date, in node: NodeReference) throws {
        switch options.dates.storage {
        case .custom(let write):
            try enter(node)
            defer { text.pointee.nesting -= 1 }
            try write(date, TextEncoder(session: self, node: node))
            return fill(node)
        case .deferredToDate:
            return try write(scalar: date.timeIntervalSinceReferenceDate, in: node)
        default: break
        }
        let seconds = date.timeIntervalSince1970
        // Passes the number, because printing such a date traps, and so would printing an error that contains one.
        guard seconds.isFinite else { throw invalid(seconds, at: path(to: node), "the date is not finite") }
        // Called before the text is made ready, because the function may run any code.
        if case .formatted(let format) = options.dates.storage { return try write(scalar: format(date), in: node) }
        try beginScalar(node)
        switch options.dates.storage {
        case .rfc3339(let milliseconds): text.pointee.text.append(rfc3339: date, milliseconds: milliseconds)
        case .seconds: text.pointee.text.append(finite: seconds)
        case .milliseconds:
            guard (1000 * seconds).isFinite else { throw noNumber(1000 * seconds, at: path(to: node)) }
            text.pointee.text.append(finite: 1000 * seconds)
        case .formatted, .custom, .deferredToDate: break
        }
        text.pointee.endScalar()
    }

    private func write(_ data: Data, in node: NodeReference) throws {
        switch options.data {
        case .deferredToData:
            try writePlain(data, in: node)
        case .custom(let write):
            try enter(node)
            defer { text.pointee.nesting -= 1 }
            try write(data, TextEncoder(session: self, node: node))
            fill(node)
        case .base64:
            try write(scalar: data.base64EncodedString(), in: node)
        }
    }

    private func write(_ url: URL, in node: NodeReference) throws {
        try write(scalar: url.absoluteString, in: node)
    }

    private func write(_ decimal: Decimal, in node: NodeReference) throws {
        guard decimal.isFinite else { throw noNumber(decimal, at: path(to: node)) }
        try beginScalar(node)
        text.pointee.text.append(plain: decimal.description)
        text.pointee.endScalar()
    }
}

extension TextBuffer {
    fileprivate mutating func append(rfc3339 date: Date, milliseconds: Bool) {
        reserve(RFC3339.maximumLength + 2)
        base[count] = 0x22
        let length = RFC3339.write(date, milliseconds: milliseconds, to: base + count + 1)
        base[count + 1 + length] = 0x22
        count &+= length + 2
    }
}
