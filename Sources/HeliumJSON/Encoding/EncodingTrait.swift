internal import Foundation

/// What the encoder knows of a type beyond its `encode(to:)`.
enum EncodingTrait {
    /// Nothing.
    case plain
    case date
    case data
    case url
    case decimal
    case scalar(any ScalarText.Type)
    /// JSON already: its text is taken as it is, and layout comes after.
    case json(any JSONTextWritable.Type)
    case array(any ArrayText.Type)
    /// A dictionary by names: the key strategy does not concern it.
    case dictionary(any DictionaryText.Type)

    init(_ type: any Encodable.Type, keys: HeliumJSONEncoder.KeyEncodingStrategy) {
        if let scalar = Self.scalars[ObjectIdentifier(type)] {
            self = .scalar(scalar)
        } else if type == Date.self {
            self = .date
        } else if type == Data.self {
            self = .data
        } else if type == URL.self {
            self = .url
        } else if type == Decimal.self {
            self = .decimal
        } else if let type = type as? any JSONTextWritable.Type {
            self = .json(type)
        } else if let type = type as? any ArrayText.Type {
            self = .array(type)
        } else if let type = type as? any DictionaryText.Type, keys.isDefault || type.hasStringKeys {
            self = .dictionary(type)
        } else {
            self = .plain
        }
    }

    private static let scalars: [ObjectIdentifier: any ScalarText.Type] = {
        let types: [any ScalarText.Type] = [
            String.self, Bool.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
        ]
        return Dictionary(uniqueKeysWithValues: types.map { (ObjectIdentifier($0), $0) })
    }()
}

/// The traits of the types met last: asking the runtime for a conformance costs more than writing a short value.
struct EncodingTraitsCache {
    /// 64 entries.
    private static let bits = 6

    private struct Entry {
        var type: ObjectIdentifier?
        var trait = EncodingTrait.plain
    }

    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: 1 &<< Self.bits)
        entries.initialize(repeating: Entry(), count: 1 &<< Self.bits)
    }

    func deallocate() { entries.deallocate() }

    @inline(__always)
    func trait(
        of type: any Encodable.Type,
        keys: @autoclosure () -> HeliumJSONEncoder.KeyEncodingStrategy
    ) -> EncodingTrait {
        let id = ObjectIdentifier(type)
        // Addresses differ by small multiples mostly: their product's highest bits spread them.
        let hash = UInt64(UInt(bitPattern: id)) &* 0x9E37_79B9_7F4A_7C15
        let first = Int(truncatingIfNeeded: hash &>> UInt64(64 &- Self.bits))
        if entries[first].type == id { return entries[first].trait }
        return trait(of: type, id, from: first, keys: keys())
    }

    /// Looks on in a few entries, so that types which share one don't drive each other out each time.
    @inline(never)
    private func trait(
        of type: any Encodable.Type,
        _ id: ObjectIdentifier,
        from first: Int,
        keys: HeliumJSONEncoder.KeyEncodingStrategy
    ) -> EncodingTrait {
        var place = first
        for step in 0..<8 {
            place = (first + step) & (1 << Self.bits - 1)
            if entries[place].type == id { return entries[place].trait }
            if entries[place].type == nil { break }
        }
        entries[place] = Entry(type: id, trait: EncodingTrait(type, keys: keys))
        return entries[place].trait
    }
}
