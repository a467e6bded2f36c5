internal import HeliumJSON

extension ReadDocument where Value: CosmDocument {
    /// The members, at any depth, that no property has: those that values keep in their `extra`, and those around the value.
    ///
    /// Paths are by the members' names in JSON: `results[0].url`.
    public var unknownMembers: [String] { membersAround + value.unknownMembers }
}

extension CosmDocument {
    /// The members, at any depth, that are kept in some `extra`: `datastreams[0].colour`.
    public var unknownMembers: [String] {
        var collector = ExtraCollector(path: "")
        if let record = self as? any CosmRecord {
            collector.collect(record)
        } else if let records = self as? [any CosmRecord] {
            collector.collect(records)
        }
        return collector.found
    }
}

/// Walks along a value's properties and gathers what its `extra` members are called.
private struct ExtraCollector: MemberVisitor {
    var path: String
    var found: [String] = []

    private func path(to name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private mutating func below(_ path: String, _ body: (inout Self) -> Void) {
        let outer = self.path
        self.path = path
        body(&self)
        self.path = outer
    }

    mutating func collect(_ record: some CosmRecord) {
        found += record.extra.names.map { path(to: $0) }
        var copy = record
        // The visitor's own methods throw nothing.
        try? copy.visit(&self)
    }

    mutating func collect(_ records: [any CosmRecord]) {
        let outer = path
        for (index, record) in records.enumerated() { below("\(outer)[\(index)]") { $0.collect(record) } }
    }

    mutating func member<Value: WireText>(_ name: StaticString, _ value: inout Value?) {}
    mutating func alias<Value: WireText>(_ name: StaticString, _ value: inout Value?) {}
    mutating func list<Value: WireText>(_ name: StaticString, of element: StaticString, _ values: inout [Value]?) {}
    mutating func tags(_ name: StaticString, _ tags: inout [String]?) {}

    mutating func record<Record: CosmRecord>(_ name: StaticString, _ record: inout Record?) {
        guard let record else { return }
        below(path(to: name.description)) { $0.collect(record) }
    }

    mutating func records<Record: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ records: inout [Record]?
    ) {
        guard let records else { return }
        below(path(to: name.description)) { $0.collect(records) }
    }
}
