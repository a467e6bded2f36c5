/// A value in a document, to be read: what a ``JSONReadable`` type makes itself of.
public struct JSONReader {
    @usableFromInline let document: JSONDocument
    @usableFromInline let index: Int

    @inlinable @inline(__always)
    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    /// What stands here.
    public enum Kind: Hashable, Sendable {
        /// `null`
        case null
        /// `true` or `false`
        case bool
        /// A number.
        case number
        /// A string.
        case string
        /// An array.
        case array
        /// An object.
        case object
    }

    /// What stands here.
    public var kind: Kind {
        switch document.word(index).kind {
        case .null: .null
        case .true, .false: .bool
        case .integer, .decimal: .number
        case .plainString, .escapedString: .string
        case .array: .array
        default: .object
        }
    }

    /// Whether `null` stands here.
    @inlinable public var isNull: Bool { document.word(index).kind == .null }

    /// Where in the document it stands.
    public var location: JSONLocation { document.location(of: index) }

    /// The members and elements on the way here.
    public var codingPath: [any CodingKey] { document.path(to: index) }

    /// What the decoder was given.
    public var userInfo: [CodingUserInfoKey: any Sendable] { document.options.userInfo }
}

// MARK: Reading

extension JSONReader {
    /// The value here.
    ///
    /// - Throws: `DecodingError`: `typeMismatch`, `valueNotFound` for null, `dataCorrupted` for what does not fit.
    @inlinable @inline(__always)
    public func read<Value: JSONReadable>(_ type: Value.Type = Value.self) throws -> Value { try Value(json: self) }

    /// The value here, by its `init(from:)` if it is not ``JSONReadable``.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try document.value(at: index, as: type)
    }

    /// Calls `body` with each member's name and value, in the order of the document. Of two members with one name only the
    /// first comes.
    ///
    /// - Throws: `DecodingError` if this is no object, and what `body` throws.
    @inlinable @inline(__always)
    public func forEachMember(_ body: (JSONName, JSONReader) throws -> Void) throws {
        guard document.word(index).kind == .object else { throw document.mismatch([String: Any].self, at: index) }
        let end = document.next(index)
        var passed = PassedNames()
        var member = index &+ 1
        while member < end {
            let name = JSONName(document: document, index: member)
            if !passed.mayHold(name) || !document.isRepeated(member, in: index, &passed) {
                try body(name, JSONReader(document: document, index: member &+ 1))
            }
            member = document.next(member &+ 1)
        }
    }

    /// Calls `body` with each member's name and value, in the order of the document, also with those whose name came
    /// before.
    ///
    /// - Throws: `DecodingError` if this is no object, and what `body` throws.
    package func forEachMemberWithRepeated(_ body: (JSONName, JSONReader) throws -> Void) throws {
        guard kind == .object else { throw document.mismatch([String: Any].self, at: index) }
        try document.forEachMember(of: index) { _, value in
            try body(JSONName(document: document, index: value &- 1), JSONReader(document: document, index: value))
        }
    }

    /// Calls `body` with each element of an array.
    ///
    /// - Throws: `DecodingError` if this is no array, and what `body` throws.
    @inlinable @inline(__always)
    public func forEachElement(_ body: (JSONReader) throws -> Void) throws {
        guard document.word(index).kind == .array else { throw document.mismatch([Any].self, at: index) }
        let end = document.next(index)
        var element = index &+ 1
        while element < end {
            try body(JSONReader(document: document, index: element))
            element = document.next(element)
        }
    }
}

extension JSONReader {
    /// How many elements an array has, or members an object, those of one name each counted; 0 for anything else.
    ///
    /// They are counted at each call.
    @inlinable public var elementCount: Int { document.elementCount(of: index) }
}

extension JSONReader {
    /// Hands over the bytes of a number, or of a string without escapes, so that a type can be made of them without a string
    /// between; `nil` for anything else. They are there for the call only.
    @inlinable @inline(__always)
    package func withPlainText<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        let word = document.word(index)
        guard word.kind == .plainString || word.isNumber else { return nil }
        return try body(document.text(word))
    }
}

// MARK: Errors

extension JSONReader {
    /// A member's value, which must have been there.
    ///
    /// - Throws: `DecodingError.keyNotFound` if it was not.
    @inlinable @inline(__always)
    public func required<Value>(_ value: Value?, _ name: StaticString) throws -> Value {
        guard let value else { throw missing(name) }
        return value
    }

    @usableFromInline
    @inline(never)
    func missing(_ name: StaticString) -> DecodingError {
        document.missing(PathKey.name(name.description), in: index)
    }

    /// The error for a value that is of the right type and says what can't be.
    public func corrupted(_ reason: String) -> DecodingError { document.corrupted(reason, at: index) }
}
