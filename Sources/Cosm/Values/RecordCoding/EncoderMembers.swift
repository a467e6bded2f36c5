internal import HeliumCore
internal import HeliumJSON

/// Writes the members that have a value to any encoder.
struct EncoderMembers<Record: CosmRecord>: MemberVisitor {
    typealias Failure = any Error

    /// A pointer, because a copy would retain every member.
    private let record: UnsafePointer<Record>
    private var container: KeyedEncodingContainer<MemberName>
    /// The names of the written members. It is only used if `extra` has members, which could repeat one.
    private var names: [String] = []
    private let keepsNames: Bool

    @inline(__always)
    init(of record: UnsafePointer<Record>, in container: consuming KeyedEncodingContainer<MemberName>) {
        self.record = record
        self.container = container
        keepsNames = !record.pointee.extra.isEmpty
    }

    @inline(__always)
    private mutating func write(_ value: some Encodable, _ name: StaticString) throws {
        let key = MemberName(name)
        if keepsNames { names.append(key.stringValue) }
        try container.encode(value, forKey: key)
    }

    /// Writes the members of `extra` that no property wrote.
    mutating func writeExtra() throws {
        for (name, value) in record.pointee.extra where !names.contains(name) {
            try container.encode(value, forKey: MemberName(name))
        }
    }

    @inline(__always)
    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) throws {
        if let value = record.pointee[keyPath: path] { try write(value, name) }
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
        if let value = record.pointee[keyPath: path] { try write(value, name) }
    }

    @inline(__always)
    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) throws {
        if let value = record.pointee[keyPath: path] { try write(value, name) }
    }

    @inline(__always)
    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) throws {
        if let value = record.pointee[keyPath: path] { try write(value, name) }
    }

    @inline(__always)
    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) throws {
        if let value = record.pointee[keyPath: path] { try write(value, name) }
    }
}

extension CosmRecord {
    /// Writes the properties that have a value, then `extra`.
    func encode(membersTo encoder: any Encoder) throws {
        try withUnsafePointer(to: self) { record in
            var members = EncoderMembers(of: record, in: encoder.container(keyedBy: MemberName.self))
            try Self.members(&members)
            try members.writeExtra()
        }
    }
}
