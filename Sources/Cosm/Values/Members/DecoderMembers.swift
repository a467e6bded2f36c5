internal import HeliumCore
internal import HeliumJSON

/// The members of an object that some decoder reads, given to the properties they belong to.
struct DecoderMembers: MemberVisitor {
    let container: KeyedDecodingContainer<MemberName>
    /// The names that properties have, whether or not they are there.
    private(set) var names: [String] = []
    /// How many members properties took.
    private(set) var takenCount = 0

    init(container: KeyedDecodingContainer<MemberName>) { self.container = container }

    private mutating func key(_ name: StaticString) -> MemberName? {
        let key = MemberName(name)
        names.append(key.stringValue)
        guard container.contains(key) else { return nil }
        takenCount += 1
        return key
    }

    mutating func member<Value: WireText>(_ name: StaticString, _ value: inout Value?) throws {
        if let key = key(name) { value = try container.decodeIfPresent(WireSlot<Value>.self, forKey: key)?.value }
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ value: inout Value?) throws {
        guard let key = key(name), value == nil else { return }
        value = try container.decodeIfPresent(WireSlot<Value>.self, forKey: key)?.value
    }

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ values: inout [Value]?
    ) throws {
        guard let key = key(name) else { return }
        values = try container.decodeIfPresent([WireSlot<Value>].self, forKey: key)?.compactMap(\.value)
    }

    mutating func tags(_ name: StaticString, _ tags: inout [String]?) throws {
        guard let key = key(name) else { return }
        if let joined = try? container.decodeIfPresent(String.self, forKey: key) {
            tags = TagList.tags(in: joined)
        } else {
            tags = try container.decodeIfPresent([WireSlot<String>].self, forKey: key)?.compactMap(\.value)
        }
    }

    mutating func record<Record: CosmRecord>(_ name: StaticString, _ record: inout Record?) throws {
        if let key = key(name) { record = try container.decodeIfPresent(Record.self, forKey: key) }
    }

    mutating func records<Record: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ records: inout [Record]?
    ) throws {
        guard let key = key(name) else { return }
        records = try container.decodeIfPresent([Record?].self, forKey: key)?.compactMap(\.self)
    }
}

extension CosmRecord {
    /// Reads an object from any decoder.
    init(membersFrom decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: MemberName.self)
        var members = DecoderMembers(container: container)
        try visit(&members)
        let keys = container.allKeys
        if keys.count > members.takenCount {
            let known = Set(members.names)
            for key in keys where !known.contains(key.stringValue) {
                extra[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
            }
        }
        do {
            try finishReading()
        } catch {
            let path = decoder.codingPath
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: error.reason))
        }
    }
}
