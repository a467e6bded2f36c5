internal import HeliumJSON

/// Collects the names of the members that have a value.
private struct PresentMembers<Record: CosmRecord>: MemberVisitor {
    let record: Record
    var names: [String] = []

    private mutating func note<Value>(_ name: StaticString, _ path: MemberPath<Record, Value>) {
        if record[keyPath: path] != nil { names.append(name.description) }
    }

    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) {
        note(name, path)
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) {}

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) {
        note(name, path)
    }

    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) {
        note(name, path)
    }

    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) {
        note(name, path)
    }

    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) {
        note(name, path)
    }
}

extension CosmRecord {
    /// The names of the members that have a value, in the order of the record's table, followed by those of `extra`.
    var presentMembers: [String] {
        var members = PresentMembers(record: self)
        Self.members(&members)
        return members.names + extra.names
    }
}
