internal import HeliumJSON

extension ReadDocument where Value: CosmDocument {
    /// The names of the members, at any depth, that no property has. They include those in `extra` and those outside of
    /// the value.
    ///
    /// Paths use the names of the members in JSON: `results[0].url`.
    public var unknownMembers: [String] { membersAround + value.unknownMembers }
}

extension CosmDocument {
    /// The paths of the members, at any depth, that are kept in an `extra`: `datastreams[0].colour`.
    public var unknownMembers: [String] {
        if let record = self as? any CosmRecord { return record.unknownMembers(at: "") }
        guard let records = self as? [any CosmRecord] else { return [] }
        return records.enumerated().flatMap { $1.unknownMembers(at: "[\($0)]") }
    }
}

extension CosmRecord {
    fileprivate func unknownMembers(at path: String) -> [String] {
        var members = UnknownMembers(record: self, path: path)
        members.found = extra.names.map { members.path(to: $0) }
        Self.members(&members)
        return members.found
    }
}

/// Collects the names in the `extra` of a record's inner records.
private struct UnknownMembers<Record: CosmRecord>: MemberVisitor {
    let record: Record
    let path: String
    var found: [String] = []

    func path(to name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) {}

    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) {}

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) {}

    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) {}

    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) {
        found += record[keyPath: path]?.unknownMembers(at: self.path(to: name.description)) ?? []
    }

    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) {
        for (index, inner) in (record[keyPath: path] ?? []).enumerated() {
            found += inner.unknownMembers(at: "\(self.path(to: name.description))[\(index)]")
        }
    }
}
