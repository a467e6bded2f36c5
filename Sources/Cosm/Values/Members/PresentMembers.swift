internal import HeliumJSON

/// The names of a record's members that are there, `extra` ones last.
struct PresentMembers: MemberVisitor {
    private var names: [String] = []

    static func names(of record: some CosmRecord) -> [String] {
        var visitor = PresentMembers()
        var copy = record
        // The visitor's own methods throw nothing.
        try? copy.visit(&visitor)
        return visitor.names + record.extra.names
    }

    mutating func member<Value: WireText>(_ name: StaticString, _ value: inout Value?) {
        if value != nil { names.append(name.description) }
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ value: inout Value?) {}

    mutating func list<Value: WireText>(_ name: StaticString, of element: StaticString, _ values: inout [Value]?) {
        if values != nil { names.append(name.description) }
    }

    mutating func tags(_ name: StaticString, _ tags: inout [String]?) {
        if tags != nil { names.append(name.description) }
    }

    mutating func record<Record: CosmRecord>(_ name: StaticString, _ record: inout Record?) {
        if record != nil { names.append(name.description) }
    }

    mutating func records<Record: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ records: inout [Record]?
    ) {
        if records != nil { names.append(name.description) }
    }
}
