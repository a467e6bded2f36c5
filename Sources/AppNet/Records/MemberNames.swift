/// The names that a record's properties have.
struct MemberNames: MemberVisitor {
    private var names: Set<String> = []

    static func all(of record: (some AppNetRecord).Type) -> Set<String> {
        var visitor = MemberNames()
        var empty = record.init()
        // The visitor's own methods throw nothing.
        try? empty.visit(&visitor)
        return visitor.names
    }

    mutating func member<Value: WireScalar>(_ name: StaticString, _ value: inout Value?) {
        names.insert(name.description)
    }

    mutating func list<Value: WireScalar>(_ name: StaticString, _ values: inout [Value]?) {
        names.insert(name.description)
    }

    mutating func map<Value: WireScalar>(_ name: StaticString, _ values: inout [String: Value]?) {
        names.insert(name.description)
    }

    mutating func value<Value: MemberValue>(_ name: StaticString, _ value: inout Value?) {
        names.insert(name.description)
    }

    mutating func box<Value: MemberValue>(_ name: StaticString, _ value: inout Box<Value>?) {
        names.insert(name.description)
    }
}
