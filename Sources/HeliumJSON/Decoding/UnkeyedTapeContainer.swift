/// The elements of an array. It consists of three words, so that an existential stores it without a box. Indexes on the
/// tape fit into 32 bits.
struct UnkeyedTapeContainer: UnkeyedDecodingContainer {
    private let document: JSONDocument
    private let array: UInt32
    private let end: UInt32
    private var index: UInt32
    private var ordinal: UInt32 = 0

    init(document: JSONDocument, array: Int) throws {
        guard document.word(array).kind == .array else { throw document.mismatch([Any].self, at: array) }
        self.document = document
        self.array = UInt32(truncatingIfNeeded: array)
        end = UInt32(truncatingIfNeeded: document.next(array))
        index = UInt32(truncatingIfNeeded: array &+ 1)
    }

    var codingPath: [any CodingKey] { document.path(to: Int(array)) }
    var currentIndex: Int { Int(ordinal) }
    var isAtEnd: Bool { index >= end }

    var count: Int? { document.rememberedCount(of: Int(array)) }

    /// Reads the current element and, if that succeeds, moves to the next.
    @inline(__always)
    private mutating func step<Value>(_ type: Value.Type, _ read: (JSONDocument, Int) throws -> Value) throws -> Value {
        guard index < end else { throw document.exhausted(type, in: Int(array), count: Int(ordinal)) }
        let value = try read(document, Int(index))
        index = UInt32(truncatingIfNeeded: document.next(Int(index)))
        ordinal &+= 1
        return value
    }

    @inline(__always)
    private mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        try step(type) { try $0.integer(at: $1, as: type) }
    }

    mutating func decodeNil() throws -> Bool {
        guard index < end else { throw document.exhausted(Any?.self, in: Int(array), count: Int(ordinal)) }
        guard document.word(Int(index)).kind == .null else { return false }
        index &+= 1
        ordinal &+= 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try step(type) { try $0.bool(at: $1) } }
    mutating func decode(_ type: String.Type) throws -> String { try step(type) { try $0.string(at: $1) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try step(type) { try $0.double(at: $1) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try step(type) { try $0.float(at: $1) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try step(type) { try $0.value(at: $1, as: type) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try step(KeyedDecodingContainer<Nested>.self) { try $0.container(keyedBy: type, at: $1) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try step(Self.self) { try Self(document: $0, array: $1) }
    }

    mutating func superDecoder() throws -> any Decoder {
        try step(TapeDecoder.self) { TapeDecoder(document: $0, index: $1) }
    }
}
