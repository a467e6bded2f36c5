// Members and elements.
extension EncodingSession {
    /// Returns the container, with the text ready for its next part.
    ///
    /// The kind differs if the container was requested by a value whose encoding failed and was undone.
    @inline(__always)
    func container(
        _ reference: NodeReference,
        _ kind: EncodingNode.Kind
    ) throws -> UnsafeMutablePointer<EncodingNode> {
        guard let node = text.pointee.ready(reference), node.pointee.kind == kind else { throw gone() }
        return node
    }

    /// Returns a member's name as it is written. It is read before the text is made ready for the member, because the
    /// name of a key and a key strategy may run any code, which may use this encoder too.
    @inline(__always)
    func name(of key: some CodingKey, in reference: NodeReference) -> String {
        convertsKeys ? name(for: key, in: reference) : key.stringValue
    }

    /// Begins a member, whose value must be written next.
    @inline(__always)
    func beginMember(_ key: some CodingKey, of reference: NodeReference) throws {
        let name = name(of: key, in: reference)
        _ = beginMember(named: name, of: try container(reference, .object))
    }

    @inline(never)
    private func beginMember(named name: String, of node: UnsafeMutablePointer<EncodingNode>) -> Int {
        var repeated: Int?
        let offset = text.pointee.beginMember(name, of: node, escapingSlashes: escapesSlashes, repeated: &repeated)
        if repeated != nil { text.pointee.hasRepeatedNames = true }
        return offset
    }

    /// Returns a member's name as converted by the strategy.
    @inline(never)
    func name(for key: some CodingKey, in reference: NodeReference) -> String {
        switch options.keys {
        case .useDefaultKeys: return key.stringValue
        case .custom(let convert): return convert(path(to: reference) + [key]).stringValue
        case .convertToSnakeCase:
            let name = key.stringValue
            if let converted = convertedNames[name] { return converted }
            let converted = HeliumJSONEncoder.KeyEncodingStrategy.snakeCase(name)
            // Limited, because dictionaries may have any number of keys.
            if convertedNames.count < 1024 { convertedNames[name] = converted }
            return converted
        }
    }

    @inline(__always)
    func beginElement(of reference: NodeReference) throws {
        text.pointee.beginElement(of: try container(reference, .array))
    }

    /// Encodes a member's value.
    @inline(__always)
    func member<Value: Encodable>(_ value: Value, _ key: some CodingKey, of reference: NodeReference) throws {
        let name = name(of: key, in: reference)
        let node = try container(reference, .object)
        let mark = text.pointee.mark(node)
        let offset = beginMember(named: name, of: node)
        if convertsKeys { originalKeys[offset] = key }
        try child(value, step: offset, of: reference, mark)
        if convertsKeys { originalKeys[offset] = nil }
    }

    /// Encodes a member of a dictionary, to whose names no key strategy applies.
    func member<Value: Encodable>(
        _ value: Value,
        named name: String,
        isUnique: Bool,
        of reference: NodeReference
    ) throws {
        let node = try container(reference, .object)
        let mark = text.pointee.mark(node)
        let offset =
            isUnique
            ? text.pointee.beginMember(unique: name, of: node, escapingSlashes: escapesSlashes)
            : beginMember(named: name, of: node)
        try child(value, step: offset, of: reference, mark)
    }

    /// Begins an array's first elements, which the caller writes. Returns `nil` if the array has elements already.
    func beginElements(of reference: NodeReference, _ count: Int) throws -> Int? {
        let node = try container(reference, .array)
        guard node.pointee.count == 0 else { return nil }
        node.pointee.count = count
        return count
    }

    /// Encodes an element.
    @inline(__always)
    func element<Value: Encodable>(_ value: Value, of reference: NodeReference) throws {
        let node = try container(reference, .array)
        let mark = text.pointee.mark(node)
        text.pointee.beginElement(of: node)
        try child(value, step: node.pointee.count &- 1, of: reference, mark)
    }

    @inline(__always)
    private func child<Value: Encodable>(
        _ value: Value,
        step: Int,
        of parent: NodeReference,
        _ mark: TextAssembly.Mark
    ) throws {
        let names = text.pointee.names.count
        let segment = text.pointee.segmentStart
        let child = text.pointee.push(step: step)
        do {
            try write(value, in: child)
        } catch {
            // Code that catches the error may continue without this value.
            if !text.pointee.goBack(to: mark, in: parent) { fail(error) }
            throw error
        }
        text.pointee.end(child, names: names, segment: segment)
    }

    /// Encodes a value as the whole value of a node.
    func single<Value: Encodable>(_ value: Value, in reference: NodeReference) throws {
        guard let node = text.pointee.ready(reference) else { throw gone() }
        let mark = text.pointee.markValue(node)
        do {
            try write(value, in: reference)
        } catch {
            // Code that catches the error may encode another value instead.
            if !text.pointee.goBack(to: mark, in: reference) { fail(error) }
            throw error
        }
        fill(reference)
    }
}
