public import HeliumEssentials

extension JSONValue: JSONReadable, KeylessReadable {
    /// Reads any value.
    public init(json: borrowing JSONReader) throws { self = json.document.jsonValue(at: json.index) }
}

extension JSONObject: JSONReadable, KeylessReadable {
    /// Reads an object.
    public init(json: borrowing JSONReader) throws {
        guard json.document.word(json.index).kind == .object else {
            throw json.document.mismatch(Self.self, at: json.index)
        }
        self = json.document.jsonObject(at: json.index)
    }
}

extension JSONNumber: JSONReadable, KeylessReadable {
    /// Reads a number.
    public init(json: borrowing JSONReader) throws {
        let word = json.document.word(json.index)
        guard word.isNumber else { throw json.document.mismatch(Self.self, at: json.index) }
        self.init(checked: json.document.text(word), isInteger: word.kind == .integer)
    }
}

// MARK: Whole documents

extension JSONValue {
    /// Creates the value of a document.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with a ``JSONError``, like ``HeliumJSONDecoder``.
    public init(parsing data: Data, limits: JSONLimits = JSONLimits()) throws {
        self = try data.withUnsafeBytes { try Self.parse($0, limits) }
    }

    /// Creates the value of a document in an array.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with a ``JSONError``, like ``HeliumJSONDecoder``.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws {
        self = try bytes.withUnsafeBytes { try Self.parse($0, limits) }
    }

    /// Creates the value of a document in a string.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with a ``JSONError``, like ``HeliumJSONDecoder``.
    public init(parsing text: String, limits: JSONLimits = JSONLimits()) throws {
        var text = text
        self = try text.withUTF8 { try Self.parse(UnsafeRawBufferPointer($0), limits) }
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer, _ limits: JSONLimits) throws -> JSONValue {
        try bytes.withMemoryRebound(to: UInt8.self) { bytes in
            try JSONDocument.decode(bytes, options: DecodingOptions(limits: limits)) { $0.jsonValue(at: 0) }
        }
    }
}

// MARK: From the tape

extension JSONDocument {
    /// Returns the value at `index`. The parser has limited its depth.
    func jsonValue(at index: Int) -> JSONValue {
        let word = word(index)
        switch word.kind {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .integer, .decimal: return .number(JSONNumber(checked: text(word), isInteger: word.kind == .integer))
        case .plainString, .escapedString: return .string(string(word))
        case .array: return .array(jsonElements(of: index))
        default: return .object(jsonObject(at: index))
        }
    }

    @inline(never)
    private func jsonElements(of array: Int) -> [JSONValue] {
        let end = next(array)
        var (count, element) = (0, array + 1)
        while element < end {
            element = next(element)
            count += 1
        }
        var elements: [JSONValue] = []
        elements.reserveCapacity(count)
        element = array + 1
        while element < end {
            elements.append(jsonValue(at: element))
            element = next(element)
        }
        return elements
    }

    /// Returns the object at `index`. If a name occurs twice, the first member is used.
    @inline(never)
    func jsonObject(at index: Int) -> JSONObject {
        var count = 0
        forEachMember(of: index) { _, _ in count += 1 }
        if count > JSONObject.linearCount { return largeObject(at: index, count: count) }
        var members: [JSONObject.Element] = []
        members.reserveCapacity(count)
        var passed: UInt64 = 0
        forEachMember(of: index) { word, value in
            let name = string(word)
            // The hash of an escaped name is unknown.
            let bit = word.kind == .escapedString ? ~0 : MemberCursor.bit(base + word.offset, word.length)
            if passed & bit == 0 || !members.contains(where: { $0.name.hasSameBytes(as: name) }) {
                members.append((name, jsonValue(at: value)))
            }
            passed |= bit
        }
        return JSONObject(unique: members)
    }

    private func largeObject(at index: Int, count: Int) -> JSONObject {
        var members: [JSONObject.Element] = []
        members.reserveCapacity(count)
        var names = NameTable(capacity: count)
        forEachMember(of: index) { word, value in
            let name = string(word)
            if names.insert(name, after: members) { members.append((name, jsonValue(at: value))) }
        }
        return JSONObject(indexed: members, names)
    }
}
