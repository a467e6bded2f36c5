internal import Observation

/// The table of a record as a list, in which members are found by name and by property.
struct MemberTable<Record: CosmRecord>: Sendable {
    /// The members in the order of the table, without the children.
    private(set) var fields: [any MemberField<Record>] = []

    /// The member that holds the child records; `nil` if there is none.
    private(set) var children: (any MemberField<Record>)?

    init() { Record.members(&self) }
}

/// A member of a record as a value.
protocol MemberField<Record>: Sendable {
    associatedtype Record: CosmRecord

    /// The member's name in JSON.
    var name: String { get }
    var facts: MemberFacts { get }
    var clearing: MemberClearing { get }

    func isSame(_ one: Record, _ other: Record) -> Bool
    func copy(from source: Record, to target: inout Record)
    func isAt(_ path: PartialKeyPath<Record>) -> Bool

    /// Notifies the observers of the model's property.
    func notify<Model: EntityHolder>(_ model: Model) where Model.Entity == Record
}

extension MemberField {
    func isAbsent(in record: Record) -> Bool { isSame(record, Record()) }

    /// Whether a save sends the member after an edit.
    var isEditable: Bool { facts.writer == .client }
}

/// The value by which an update removes a member. `null` does not remove it (Docs/Protocols/Cosm.md §3.3).
enum MemberClearing: Hashable, Sendable {
    /// An empty string.
    case text
    /// An empty array.
    case list
    /// An object with an empty string for each of its members, except those of the service.
    case object(except: Set<String>)
}

private struct PropertyField<Record: CosmRecord, Value: Hashable & Sendable>: MemberField {
    let name: String
    let path: any WritableKeyPath<Record, Value> & Sendable
    let facts: MemberFacts
    let clearing: MemberClearing

    func isSame(_ one: Record, _ other: Record) -> Bool { one[keyPath: path] == other[keyPath: path] }

    func copy(from source: Record, to target: inout Record) { target[keyPath: path] = source[keyPath: path] }

    func isAt(_ other: PartialKeyPath<Record>) -> Bool { path == other }

    func notify<Model: EntityHolder>(_ model: Model) where Model.Entity == Record {
        model.core.registrar.withMutation(of: model, keyPath: \.[dynamicMember: path]) {}
    }
}

extension MemberTable: MemberVisitor {
    private mutating func add<Value: Hashable & Sendable>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts,
        _ clearing: MemberClearing
    ) {
        let field = PropertyField(name: name.description, path: path, facts: facts, clearing: clearing)
        if facts.writer == .children { children = field } else { fields.append(field) }
    }

    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) {
        add(name, path, facts, .text)
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) {}

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) {
        add(name, path, facts, .list)
    }

    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) {
        add(name, path, facts, .list)
    }

    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) {
        let services = MemberTable<Inner>().fields.filter { !$0.facts.writer.isClient }
        add(name, path, facts, .object(except: Set(services.map(\.name))))
    }

    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) {
        add(name, path, facts, .list)
    }
}
