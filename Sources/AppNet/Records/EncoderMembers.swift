internal import HeliumCore
internal import HeliumJSON

/// A visitor that encodes the properties that are not `nil`, in the order of the list.
struct EncoderMembers: MemberVisitor {
    private var container: KeyedEncodingContainer<MemberName>
    private var names: [String] = []
    private let keepsNames: Bool

    init(container: KeyedEncodingContainer<MemberName>, keepsNames: Bool) {
        self.container = container
        self.keepsNames = keepsNames
    }

    private mutating func encode(_ value: some Encodable, _ name: StaticString) throws {
        let key = MemberName(name)
        if keepsNames { names.append(key.stringValue) }
        try container.encode(value, forKey: key)
    }

    mutating func member<Value: WireScalar>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) throws {
        if let value { try encode(value.native, name) }
    }

    mutating func list<Value: WireScalar>(_ name: StaticString, _ values: inout [Value]?, _ facts: MemberFacts) throws {
        if let values { try encode(values.map(\.native), name) }
    }

    mutating func map<Value: WireScalar>(_ name: StaticString, _ values: inout [String: Value]?, _ facts: MemberFacts)
        throws
    {
        if let values { try encode(values.mapValues(\.native), name) }
    }

    mutating func value<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) throws {
        if let value { try encode(value, name) }
    }

    mutating func box<Value: MemberValue>(_ name: StaticString, _ value: inout Box<Value>?, _ facts: MemberFacts) throws
    {
        if let value { try encode(value.value, name) }
    }

    /// Encodes the members of `extra` that no property has encoded.
    mutating func encode(extra: JSONObject) throws {
        for (name, value) in extra where !names.contains(name) {
            try container.encode(value, forKey: MemberName(name))
        }
    }
}

extension AppNetRecord {
    /// Encodes the properties that are not `nil`, then `extra`.
    func encode(membersTo encoder: any Encoder) throws {
        var copy = self
        var members = EncoderMembers(
            container: encoder.container(keyedBy: MemberName.self),
            keepsNames: !extra.isEmpty
        )
        try copy.visit(&members)
        try members.encode(extra: extra)
    }
}
