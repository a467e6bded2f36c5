internal import HeliumCore
internal import HeliumJSON

/// Reads one member of a JSON object into a record.
///
/// This is the fast path of decoding. It is inlined into the record's table, so that a member costs only comparisons of
/// its name and a store into its property.
struct JSONMember<Record: CosmRecord>: MemberVisitor {
    typealias Failure = any Error

    private let name: JSONName
    private let value: JSONReader
    /// A pointer, because a record stored here would be copied for each member.
    private let record: UnsafeMutablePointer<Record>
    /// Whether there is a property for the member.
    private(set) var isTaken = false

    @inline(__always)
    init(_ name: JSONName, _ value: JSONReader, to record: UnsafeMutablePointer<Record>) {
        self.name = name
        self.value = value
        self.record = record
    }

    @inline(__always)
    private mutating func takes(_ name: StaticString) -> Bool {
        guard !isTaken, name ~= self.name else { return false }
        isTaken = true
        return true
    }

    @inline(__always)
    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) throws {
        if takes(name) { record.pointee[keyPath: path] = try Value.read(value) }
    }

    @inline(__always)
    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) throws {
        guard takes(name), record.pointee[keyPath: path] == nil else { return }
        record.pointee[keyPath: path] = try Value.read(value)
    }

    @inline(__always)
    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) throws {
        if takes(name) { record.pointee[keyPath: path] = try Self.texts(value) }
    }

    @inline(__always)
    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) throws {
        guard takes(name) else { return }
        record.pointee[keyPath: path] =
            value.kind == .string ? TagList.tags(in: try value.read()) : try Self.texts(value)
    }

    @inline(__always)
    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) throws {
        if takes(name) { record.pointee[keyPath: path] = value.isNull ? nil : try Inner(members: value) }
    }

    @inline(__always)
    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) throws {
        guard takes(name) else { return }
        guard Record.leavesOutUnreadable, value.kind == .array else {
            record.pointee[keyPath: path] = value.isNull ? nil : try Inner.array(members: value)
            return
        }
        let list = try ReadableItems<Inner>(json: value) { $0.isNull ? nil : try Inner(members: $0) }
        record.pointee[keyPath: path] = list.elements
        if !list.unreadable.isEmpty { record.pointee.leaveOut(list.unreadable) }
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
    /// Creates a record from an object.
    ///
    /// - Throws: `DecodingError` if the value is not an object, or a member cannot be read.
    init(members json: borrowing JSONReader) throws {
        self.init()
        var extra = JSONObject()
        try withUnsafeMutablePointer(to: &self) { record in
            try json.forEachMember { name, value in
                var member = JSONMember(name, value, to: record)
                try Self.members(&member)
                if !member.isTaken { extra.keep(name, value) }
            }
        }
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
