internal import HeliumCore
internal import HeliumJSON

/// Properties written to some encoder: those that are there, in the order of the list.
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

    mutating func member<Value: WireText>(_ name: StaticString, _ value: inout Value?) throws {
        if let value { try encode(value, name) }
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ value: inout Value?) throws {}

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ values: inout [Value]?
    ) throws {
        if let values { try encode(values, name) }
    }

    mutating func tags(_ name: StaticString, _ tags: inout [String]?) throws {
        if let tags { try encode(tags, name) }
    }

    mutating func record<Record: CosmRecord>(_ name: StaticString, _ record: inout Record?) throws {
        if let record { try encode(record, name) }
    }

    mutating func records<Record: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ records: inout [Record]?
    ) throws {
        if let records { try encode(records, name) }
    }

    /// The members of `extra` that no property wrote.
    mutating func encode(extra: JSONObject) throws {
        for (name, value) in extra where !names.contains(name) {
            try container.encode(value, forKey: MemberName(name))
        }
    }
}

extension CosmRecord {
    /// Writes the properties that are there, then `extra`.
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
