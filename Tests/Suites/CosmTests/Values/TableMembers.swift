import HeliumJSON

@testable import Cosm

/// The members of a record as its table has them, those of inner records included.
struct TableMembers<Record: CosmRecord>: MemberVisitor {
    private(set) var members: [TableMember] = []

    static var all: [TableMember] {
        var table = Self()
        Record.members(&table)
        return table.members
    }

    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) {
        members.append(TableMember(name: name.description, facts: facts))
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) {}

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) {
        members.append(TableMember(name: name.description, facts: facts, isList: true))
    }

    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) {
        members.append(TableMember(name: name.description, facts: facts, isList: true))
    }

    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) {
        members.append(TableMember(name: name.description, facts: facts, inner: TableMembers<Inner>.all))
    }

    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) {
        let inner = TableMembers<Inner>.all
        members.append(TableMember(name: name.description, facts: facts, isList: true, inner: inner))
    }
}

struct TableMember {
    let name: String
    let facts: MemberFacts
    var isList = false
    /// The members of the inner records; `nil` if the member holds none.
    var inner: [TableMember]?
}

extension [TableMember] {
    var names: [String] { map(\.name) }

    func names(where isIncluded: (MemberWriter) -> Bool) -> [String] { filter { isIncluded($0.facts.writer) }.names }

    /// The paths of the members that XML has no place for, in a document with one record in each list.
    var pathsAbsentInXML: [String] {
        flatMap { member -> [String] in
            if case .absent = member.facts.form { return [member.name] }
            let path = member.isList ? "\(member.name)[0]" : member.name
            return (member.inner ?? []).pathsAbsentInXML.map { "\(path).\($0)" }
        }
    }
}

/// Gives each member of a record a value, by the table.
struct FilledMembers<Record: CosmRecord>: MemberVisitor {
    private(set) var record = Record()

    /// Texts, of which each type takes the first that it can read.
    private static var texts: [String] { ["2013-02-01T09:00:02.412000Z", "7", "true"] }

    private func value<Value: WireText>() -> Value? {
        Self.texts.lazy.compactMap { Value(wireText: $0) }.first
    }

    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) {
        record[keyPath: path] = value()
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) {}

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) {
        record[keyPath: path] = [value()].compactMap(\.self)
    }

    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) {
        record[keyPath: path] = ["a", "b"]
    }

    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) {
        record[keyPath: path] = .filled
    }

    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) {
        record[keyPath: path] = [.filled]
    }
}

extension CosmRecord {
    /// A record with a value for each member.
    static var filled: Self {
        var members = FilledMembers<Self>()
        Self.members(&members)
        return members.record
    }
}
