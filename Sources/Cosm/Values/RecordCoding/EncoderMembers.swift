internal import HeliumCore
internal import HeliumJSON

/// Writes the members of a record that have a value to any encoder.
struct EncoderMembers<Record: CosmRecord>: MemberVisitor {
    typealias Failure = any Error

    private let record: Record
    private var container: KeyedEncodingContainer<MemberName>
    /// The names of the members written, kept only if `extra` could repeat one.
    private var names: [String] = []

    /// Writes the properties that have a value, then the members of `extra` that no property wrote.
    init(writing record: Record, to container: KeyedEncodingContainer<MemberName>) throws {
        self.record = record
        self.container = container
        try Record.members(&self)
        for (name, value) in record.extra where !names.contains(name) {
            try self.container.encode(value, forKey: MemberName(name))
        }
    }

    @inline(__always)
    private mutating func write(_ value: (some Encodable)?, _ name: StaticString) throws {
        guard let value else { return }
        let key = MemberName(name)
        if !record.extra.isEmpty { names.append(key.stringValue) }
        try container.encode(value, forKey: key)
    }

    @inline(__always)
    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) throws {
        try write(record[keyPath: path], name)
    }

    @inline(__always)
    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) throws {}

    @inline(__always)
    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) throws {
        try write(record[keyPath: path], name)
    }

    @inline(__always)
    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) throws {
        try write(record[keyPath: path], name)
    }

    @inline(__always)
    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) throws {
        try write(record[keyPath: path], name)
    }

    @inline(__always)
    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) throws {
        try write(record[keyPath: path], name)
    }
}

extension CosmRecord {
    /// Writes the properties that have a value, then `extra`.
    func encode(membersTo encoder: any Encoder) throws {
        _ = try EncoderMembers(writing: self, to: encoder.container(keyedBy: MemberName.self))
    }
}
