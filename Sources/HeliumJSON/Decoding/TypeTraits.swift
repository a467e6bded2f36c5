internal import Foundation

/// What the decoder knows of a type beyond its `init(from:)`.
enum TypeTrait {
    /// Nothing.
    case plain
    case date
    case data
    case url
    case decimal
    /// It reads itself.
    case readable(any JSONReadable.Type)
    /// A dictionary by names: the key strategy does not concern it.
    case dictionary(any NamedMembers.Type)

    init(_ type: any Decodable.Type, keys: HeliumJSONDecoder.KeyDecodingStrategy) {
        if type == Date.self {
            self = .date
        } else if type == Data.self {
            self = .data
        } else if type == URL.self {
            self = .url
        } else if type == Decimal.self {
            self = .decimal
        } else if let type = type as? any JSONReadable.Type, keys.isDefault || type is any KeylessReadable.Type {
            self = .readable(type)
        } else if let type = type as? any NamedMembers.Type {
            self = .dictionary(type)
        } else {
            self = .plain
        }
    }
}

/// The traits of the types met last: asking the runtime for a conformance costs more than reading a short value.
struct TypeTraitsCache {
    private static let count = 32

    private struct Entry {
        var type: ObjectIdentifier?
        var trait = TypeTrait.plain
    }

    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.count)
        entries.initialize(repeating: Entry(), count: Self.count)
    }

    func deallocate() { entries.deallocate() }

    @inline(__always)
    func trait(of type: any Decodable.Type, keys: @autoclosure () -> HeliumJSONDecoder.KeyDecodingStrategy) -> TypeTrait
    {
        let id = ObjectIdentifier(type)
        // Metadata is aligned to 16 bytes mostly.
        let entry = entries + (Int(bitPattern: id) &>> 4 & (Self.count &- 1))
        if entry.pointee.type != id { entry.pointee = Entry(type: id, trait: TypeTrait(type, keys: keys())) }
        return entry.pointee.trait
    }
}

/// Dictionaries by name.
protocol NamedMembers {
    static func read(_ document: JSONDocument, at index: Int) throws -> Self
}

extension Dictionary: NamedMembers where Key == String, Value: Decodable {
    static func read(_ document: JSONDocument, at index: Int) throws -> Self {
        guard document.word(index).kind == .object else { throw document.mismatch(Self.self, at: index) }
        var result: Self = [:]
        try document.forEachMember(of: index) { name, value in
            let name = document.string(name)
            if result[name] == nil { result[name] = try document.value(at: value, as: Value.self) }
        }
        return result
    }
}

extension JSONDocument {
    /// Decodes the value at `index`.
    @inline(__always)
    func value<Value: Decodable>(at index: Int, as type: Value.Type) throws -> Value {
        switch typeTraits.trait(of: type, keys: options.keys) {
        case .plain: return try Value(from: TapeDecoder(document: self, index: index))
        case .readable(let readable): return try make(type) { try read(readable, at: index, into: $0) }
        case .date: return try make(type) { try put(date(at: index), into: $0) }
        case .data: return try make(type) { try put(data(at: index), into: $0) }
        case .url: return try make(type) { try put(url(at: index), into: $0) }
        case .decimal: return try make(type) { try put(decimal(at: index), into: $0) }
        case .dictionary(let dictionary):
            return try make(type) { try readMembers(dictionary, at: index, into: $0) }
        }
    }

    /// A value that `write` puts into memory: `Value` is known there under another name, and a cast would box it.
    @inline(__always)
    private func make<Value>(_ type: Value.Type, _ write: (UnsafeMutableRawPointer) throws -> Void) throws -> Value {
        try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
            let address = memory.baseAddress.unsafelyUnwrapped
            try write(UnsafeMutableRawPointer(address))
            return address.move()
        }
    }

    private func put<Value>(_ value: Value, into memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(as: Value.self, to: value)
    }

    private func read<Value: JSONReadable>(
        _ type: Value.Type,
        at index: Int,
        into memory: UnsafeMutableRawPointer
    ) throws {
        put(try Value(json: JSONReader(document: self, index: index)), into: memory)
    }

    private func readMembers<Value: NamedMembers>(
        _ type: Value.Type,
        at index: Int,
        into memory: UnsafeMutableRawPointer
    ) throws {
        put(try Value.read(self, at: index), into: memory)
    }
}
