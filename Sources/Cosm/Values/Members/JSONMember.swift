internal import HeliumJSON

/// One member of a JSON object, given to the property it belongs to.
struct JSONMember: MemberVisitor {
    let name: JSONName
    let value: JSONReader
    /// Whether a property has it.
    var isTaken = false

    @inline(__always)
    init(name: JSONName, value: JSONReader) {
        self.name = name
        self.value = value
    }

    @inline(__always)
    private mutating func takes(_ name: StaticString) -> Bool {
        guard !isTaken, name ~= self.name else { return false }
        isTaken = true
        return true
    }

    @inline(__always)
    mutating func member<Value: WireText>(_ name: StaticString, _ target: inout Value?) throws {
        if takes(name) { target = try Value.read(value) }
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ target: inout Value?) throws {
        if takes(name), target == nil { target = try Value.read(value) }
    }

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ values: inout [Value]?
    ) throws {
        guard takes(name) else { return }
        values = try Self.texts(value)
    }

    mutating func tags(_ name: StaticString, _ tags: inout [String]?) throws {
        guard takes(name) else { return }
        tags = value.kind == .string ? TagList.tags(in: try value.read()) : try Self.texts(value)
    }

    mutating func record<Record: CosmRecord>(_ name: StaticString, _ record: inout Record?) throws {
        guard takes(name) else { return }
        record = value.isNull ? nil : try Record(members: value)
    }

    mutating func records<Record: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ records: inout [Record]?
    ) throws {
        guard takes(name) else { return }
        records = value.isNull ? nil : try Record.array(members: value)
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
    /// - Throws: `DecodingError` for what is no object, and for members that can't be read.
    init(members json: borrowing JSONReader) throws {
        self.init()
        var extra = JSONObject()
        try json.forEachMember { name, value in
            var member = JSONMember(name: name, value: value)
            try visit(&member)
            if !member.isTaken { extra.keep(name, value) }
        }
        if !extra.isEmpty { self.extra = extra }
        do {
            try finishReading()
        } catch {
            throw json.corrupted(error.reason)
        }
    }

    /// Reads an array of objects; one that is `null` is left out.
    static func array(members json: borrowing JSONReader) throws -> [Self] {
        var records: [Self] = []
        records.reserveCapacity(json.elementCount)
        try json.forEachElement { element in
            if !element.isNull { records.append(try Self(members: element)) }
        }
        return records
    }
}
