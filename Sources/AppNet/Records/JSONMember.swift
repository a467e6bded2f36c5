internal import HeliumJSON

/// One member of a JSON object, assigned to the property that it belongs to.
struct JSONMember: MemberVisitor {
    let name: JSONName
    let value: JSONReader
    /// Whether a property has taken the member.
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
    mutating func member<Value: WireScalar>(_ name: StaticString, _ target: inout Value?, _ facts: MemberFacts) throws {
        if takes(name) { target = try Value.read(value) }
    }

    @inline(__always)
    mutating func list<Value: WireScalar>(_ name: StaticString, _ values: inout [Value]?, _ facts: MemberFacts) throws {
        if takes(name) { values = try Self.scalars(value) }
    }

    @inline(__always)
    mutating func map<Value: WireScalar>(_ name: StaticString, _ values: inout [String: Value]?, _ facts: MemberFacts)
        throws
    {
        if takes(name) { values = try Self.namedScalars(value) }
    }

    @inline(__always)
    mutating func value<Target: MemberValue>(_ name: StaticString, _ target: inout Target?, _ facts: MemberFacts) throws
    {
        if takes(name) { target = value.isNull ? nil : try Target(json: value) }
    }

    @inline(__always)
    mutating func box<Target: MemberValue>(_ name: StaticString, _ target: inout Box<Target>?, _ facts: MemberFacts)
        throws
    {
        if takes(name) { target = value.isNull ? nil : Box(try Target(json: value)) }
    }

    @inline(never)
    private static func scalars<Value: WireScalar>(_ json: borrowing JSONReader) throws -> [Value]? {
        guard !json.isNull else { return nil }
        var values: [Value] = []
        try json.forEachElement { element in
            if let value = try Value.read(element) { values.append(value) }
        }
        return values
    }

    @inline(never)
    private static func namedScalars<Value: WireScalar>(_ json: borrowing JSONReader) throws -> [String: Value]? {
        guard !json.isNull else { return nil }
        var values: [String: Value] = [:]
        try json.forEachMember { name, member in
            let name = name.string
            if values[name] == nil, let value = try Value.read(member) { values[name] = value }
        }
        return values
    }
}

extension AppNetRecord {
    /// Decodes an object.
    ///
    /// - Throws: `DecodingError` if the JSON is not an object or a member cannot be decoded.
    @inline(__always)
    init(members json: borrowing JSONReader) throws {
        self.init()
        var extra = JSONObject()
        try json.forEachMember { name, value in
            var member = JSONMember(name: name, value: value)
            try visit(&member)
            if !member.isTaken { extra.keep(name, value) }
        }
        if !extra.isEmpty { self.extra = extra }
    }
}
