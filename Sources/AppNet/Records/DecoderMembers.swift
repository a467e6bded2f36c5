internal import HeliumCore
internal import HeliumJSON

/// The members of an object in any decoder, assigned to the properties that they belong to.
struct DecoderMembers: MemberVisitor {
    let container: KeyedDecodingContainer<MemberName>
    /// The number of members that properties have taken.
    private(set) var takenCount = 0

    init(container: KeyedDecodingContainer<MemberName>) { self.container = container }

    private mutating func key(_ name: StaticString) -> MemberName? {
        let key = MemberName(name)
        guard container.contains(key) else { return nil }
        takenCount += 1
        return key
    }

    mutating func member<Value: WireScalar>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) throws {
        guard let key = key(name) else { return }
        do {
            guard let native = try container.decodeIfPresent(Value.Native.self, forKey: key) else { return }
            guard let read = Value(native: native) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key,
                    in: container,
                    debugDescription: Value.complaint(about: "\(native)")
                )
            }
            value = read
        } catch DecodingError.typeMismatch {
            value = try container.decodeIfPresent(WireSlot<Value>.self, forKey: key)?.value
        }
    }

    mutating func list<Value: WireScalar>(_ name: StaticString, _ values: inout [Value]?, _ facts: MemberFacts) throws {
        guard let key = key(name) else { return }
        values = try container.decodeIfPresent([WireSlot<Value>].self, forKey: key)?.compactMap(\.value)
    }

    mutating func map<Value: WireScalar>(_ name: StaticString, _ values: inout [String: Value]?, _ facts: MemberFacts)
        throws
    {
        guard let key = key(name) else { return }
        values = try container.decodeIfPresent([String: WireSlot<Value>].self, forKey: key)?.compactMapValues(\.value)
    }

    mutating func value<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) throws {
        if let key = key(name) { value = try container.decodeIfPresent(Value.self, forKey: key) }
    }

    mutating func box<Value: MemberValue>(_ name: StaticString, _ value: inout Box<Value>?, _ facts: MemberFacts) throws
    {
        if let key = key(name) { value = try container.decodeIfPresent(Value.self, forKey: key).map { Box($0) } }
    }
}

extension AppNetRecord {
    /// Decodes an object with any decoder.
    init(membersFrom decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: MemberName.self)
        var members = DecoderMembers(container: container)
        try visit(&members)
        let keys = container.allKeys
        guard keys.count > members.takenCount else { return }
        let known = MemberNames.all(of: Self.self)
        for key in keys where !known.contains(key.stringValue) {
            extra[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
        }
    }
}

/// The names of the members that a record has properties for.
struct MemberNames: MemberVisitor {
    private var names: Set<String> = []

    static func all(of record: (some AppNetRecord).Type) -> Set<String> {
        var visitor = MemberNames()
        var empty = record.init()
        // The visitor's own methods throw nothing.
        try? empty.visit(&visitor)
        return visitor.names
    }

    mutating func member<Value: WireScalar>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) {
        names.insert(name.description)
    }

    mutating func list<Value: WireScalar>(_ name: StaticString, _ values: inout [Value]?, _ facts: MemberFacts) {
        names.insert(name.description)
    }

    mutating func map<Value: WireScalar>(_ name: StaticString, _ values: inout [String: Value]?, _ facts: MemberFacts) {
        names.insert(name.description)
    }

    mutating func value<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) {
        names.insert(name.description)
    }

    mutating func box<Value: MemberValue>(_ name: StaticString, _ value: inout Box<Value>?, _ facts: MemberFacts) {
        names.insert(name.description)
    }
}
