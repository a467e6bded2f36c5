/// A value in a document, from which a ``JSONReadable`` type is created.
public struct JSONReader {
    @usableFromInline let document: JSONDocument
    @usableFromInline let index: Int

    @inlinable @inline(__always)
    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    /// The kind of a value.
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

    /// The kind of the value.
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

    /// A Boolean value that indicates whether the value is `null`.
    @inlinable public var isNull: Bool { document.word(index).kind == .null }

    /// The position of the value in the document.
    public var location: JSONLocation { document.location(of: index) }

    /// The path to the value.
    public var codingPath: [any CodingKey] { document.path(to: index) }

    /// The decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] { document.options.userInfo }
}

// MARK: Reading

extension JSONReader {
    /// Reads the value.
    ///
    /// - Throws: `DecodingError`: `typeMismatch`, `valueNotFound` for null, `dataCorrupted` for a value that the type
    ///   can't represent.
    @inlinable @inline(__always)
    public func read<Value: JSONReadable>(_ type: Value.Type = Value.self) throws -> Value { try Value(json: self) }

    /// Decodes the value, with its `init(from:)` if it is not ``JSONReadable``.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try document.value(at: index, as: type)
    }

    /// Calls `body` with the name and value of each member, in document order. If a name occurs twice, only the first
    /// member is passed.
    ///
    /// - Throws: `DecodingError` if the value is not an object; the error of `body`.
    @inlinable @inline(__always)
    public func forEachMember(_ body: (JSONName, JSONReader) throws -> Void) throws {
        guard document.word(index).kind == .object else { throw document.mismatch([String: Any].self, at: index) }
        let end = document.next(index)
        var passed = PassedNames()
        var member = index &+ 1
        while member < end {
            if !passed.mayHold(member, of: document) || !document.isRepeated(member, in: index, &passed) {
                // They are not stored in variables first, which would retain and release the document for each member.
                try body(
                    JSONName(document: document, index: member),
                    JSONReader(document: document, index: member &+ 1)
                )
            }
            member = document.next(member &+ 1)
        }
    }

    /// Calls `body` with the name and value of each member, in document order, including members with repeated names.
    ///
    /// - Throws: `DecodingError` if the value is not an object; the error of `body`.
    package func forEachMemberWithRepeated(_ body: (JSONName, JSONReader) throws -> Void) throws {
        guard kind == .object else { throw document.mismatch([String: Any].self, at: index) }
        try document.forEachMember(of: index) { _, value in
            try body(JSONName(document: document, index: value &- 1), JSONReader(document: document, index: value))
        }
    }

    /// Calls `body` with each element of an array.
    ///
    /// - Throws: `DecodingError` if the value is not an array; the error of `body`.
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
    /// The number of elements of an array, or of members of an object including repeated names; 0 for any other value.
    ///
    /// They are counted on each access.
    @inlinable public var elementCount: Int { document.elementCount(of: index) }
}

extension JSONReader {
    /// Calls `body` with the bytes of a number, or of a string without escapes, so that a value can be created without
    /// an intermediate string. Returns `nil` for any other value. The bytes are valid only during the call.
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
    /// Returns a member's value if it is not `nil`.
    ///
    /// - Throws: `DecodingError.keyNotFound` if it is `nil`.
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

    /// Returns the error for a value of the right type with invalid contents.
    public func corrupted(_ reason: String) -> DecodingError { document.corrupted(reason, at: index) }
}
