internal import HeliumJSON

/// Reads the members of a JSON object into a record.
///
/// This is the fast path of decoding. Everything is inlined into the record's table, so that a member costs comparisons of
/// its name and a store into its property.
struct JSONMembers<Record: CosmRecord>: MemberVisitor {
    typealias Failure = any Error

    private(set) var record = Record()
    /// The member to read; `nil` once a property has taken it.
    private var member: (name: JSONName, value: JSONReader)?

    @inline(__always)
    init() {}

    /// Reads a member.
    ///
    /// - Returns: Whether there is a property for it.
    @inline(__always)
    mutating func read(_ name: JSONName, _ value: JSONReader) throws -> Bool {
        member = (name, value)
        try Record.members(&self)
        return member == nil
    }

    @inline(__always)
    private mutating func take(_ name: StaticString) -> JSONReader? {
        guard let member, name ~= member.name else { return nil }
        self.member = nil
        return member.value
    }

    @inline(__always)
    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) throws {
        if let value = take(name) { record[keyPath: path] = try Value.read(value) }
    }

    @inline(__always)
    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) throws {
        guard let value = take(name), record[keyPath: path] == nil else { return }
        record[keyPath: path] = try Value.read(value)
    }

    @inline(__always)
    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) throws {
        if let value = take(name) { record[keyPath: path] = try Self.texts(value) }
    }

    @inline(__always)
    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) throws {
        guard let value = take(name) else { return }
        record[keyPath: path] = value.kind == .string ? TagList.tags(in: try value.read()) : try Self.texts(value)
    }

    @inline(__always)
    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) throws {
        if let value = take(name) { record[keyPath: path] = value.isNull ? nil : try Inner(members: value) }
    }

    @inline(__always)
    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) throws {
        if let value = take(name) { record[keyPath: path] = value.isNull ? nil : try Inner.array(members: value) }
    }

    private static func texts<Value: WireText>(_ json: borrowing JSONReader) throws -> [Value]? {
        guard !json.isNull else { return nil }
        var texts: [Value] = []
        try json.forEachElement { element in
            if let text = try Value.read(element) { texts.append(text) }
        }
        return texts
    }
}

extension CosmRecord {
    /// Reads an object.
    ///
    /// - Throws: `DecodingError` if this is no object, or a member cannot be read.
    init(members json: borrowing JSONReader) throws {
        var members = JSONMembers<Self>()
        var extra = JSONObject()
        try json.forEachMember { name, value in
            if try !members.read(name, value) { extra.keep(name, value) }
        }
        self = members.record
        if !extra.isEmpty { self.extra = extra }
        do {
            try finishReading()
        } catch {
            throw json.corrupted(error.reason)
        }
    }

    /// Reads an array of objects. Elements that are `null` are left out.
    static func array(members json: borrowing JSONReader) throws -> [Self] {
        var records: [Self] = []
        records.reserveCapacity(json.elementCount)
        try json.forEachElement { element in
            if !element.isNull { records.append(try Self(members: element)) }
        }
        return records
    }
}
