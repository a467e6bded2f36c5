internal import HeliumCore
internal import HeliumJSON

/// Reads the members of an object from any decoder into a record.
struct DecoderMembers<Record: CosmRecord>: MemberVisitor {
    typealias Failure = any Error

    private(set) var record = Record()
    private let container: KeyedDecodingContainer<MemberName>
    /// The names in the table.
    private var names: [String] = []
    /// The number of members that properties have read.
    private var takenCount = 0

    init(_ container: KeyedDecodingContainer<MemberName>) throws {
        self.container = container
        try Record.members(&self)
    }

    /// The members that no property has read.
    var extra: JSONObject {
        get throws {
            var extra = JSONObject()
            let keys = container.allKeys
            guard keys.count > takenCount else { return extra }
            let known = Set(names)
            for key in keys where !known.contains(key.stringValue) {
                extra[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
            }
            return extra
        }
    }

    private mutating func key(_ name: StaticString) -> MemberName? {
        let key = MemberName(name)
        names.append(key.stringValue)
        guard container.contains(key) else { return nil }
        takenCount += 1
        return key
    }

    @inline(__always)
    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) throws {
        guard let key = key(name) else { return }
        record[keyPath: path] = try container.decodeIfPresent(WireSlot<Value>.self, forKey: key)?.value
    }

    @inline(__always)
    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) throws {
        guard let key = key(name), record[keyPath: path] == nil else { return }
        record[keyPath: path] = try container.decodeIfPresent(WireSlot<Value>.self, forKey: key)?.value
    }

    @inline(__always)
    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) throws {
        guard let key = key(name) else { return }
        record[keyPath: path] = try texts(key)
    }

    @inline(__always)
    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) throws {
        guard let key = key(name) else { return }
        if let joined = try? container.decodeIfPresent(String.self, forKey: key) {
            record[keyPath: path] = TagList.tags(in: joined)
        } else {
            record[keyPath: path] = try texts(key)
        }
    }

    @inline(__always)
    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) throws {
        guard let key = key(name) else { return }
        record[keyPath: path] = try container.decodeIfPresent(Inner.self, forKey: key)
    }

    @inline(__always)
    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) throws {
        guard let key = key(name) else { return }
        if Record.leavesOutUnreadable,
            let list = try container.decodeIfPresent(ReadableItems<Inner?>.self, forKey: key),
            case let elements = list.elements.compactMap(\.self),
            list.unreadable.isEmpty || !elements.isEmpty || list.unreadable.hasUsableID
        {
            record[keyPath: path] = elements
            record.leaveOut(list.unreadable)
        } else {
            record[keyPath: path] = try container.decodeIfPresent([Inner?].self, forKey: key)?.compactMap(\.self)
        }
    }

    private func texts<Value: WireText>(_ key: MemberName) throws -> [Value]? {
        try container.decodeIfPresent([WireSlot<Value>].self, forKey: key)?.compactMap(\.value)
    }
}

extension CosmRecord {
    /// Creates a record from an object of any decoder.
    init(membersFrom decoder: any Decoder) throws {
        let members = try DecoderMembers<Self>(decoder.container(keyedBy: MemberName.self))
        self = members.record
        let extra = try members.extra
        if !extra.isEmpty { self.extra = extra }
        do {
            try finishReading()
        } catch {
            let path = decoder.codingPath
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: error.reason))
        }
    }
}
