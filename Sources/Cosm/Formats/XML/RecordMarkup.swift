internal import Foundation

/// Reads and writes triggers, keys and users in XML (§13): an element for each member.
enum RecordMarkup {
    /// How a kind of record is called.
    struct Names {
        let element: String
        let list: String
        /// Whether words are parted by hyphens.
        let hasHyphens: Bool
        /// Rails' types of members, and that of lists.
        var types: [String: String] = [:]
        var isListTyped = true

        static let trigger = Names(
            element: "datastream-trigger",
            list: "datastream-triggers",
            hasHyphens: true,
            types: [
                "id": "integer", "environment_id": "integer", "threshold_value": "float", "notified_at": "datetime",
            ]
        )
        static let key = Names(element: "key", list: "keys", hasHyphens: true, isListTyped: false)
        static let user = Names(element: "user", list: "users", hasHyphens: false)
    }

    static func read<Record: CosmRecord>(_ data: Data, _ names: Names) throws -> ReadDocument<Record> {
        let root = try MarkupParser.parse(data).root
        if root.name == names.list {
            let records = root.children(named: names.element)
            guard let record = records.first, records.count == 1 else {
                throw root.fault("\(records.count) <\(names.element)> elements where one is wanted")
            }
            return ReadDocument(value: try Record(markup: record), membersAround: root.names(besides: names.element))
        }
        guard root.name == names.element else { throw root.fault("the root is no <\(names.element)>") }
        return ReadDocument(value: try Record(markup: root))
    }

    static func readList<Record: CosmRecord>(_ data: Data, _ names: Names) throws -> ReadDocument<[Record]> {
        let root = try MarkupParser.parse(data).root
        if root.name == names.element { return ReadDocument(value: [try Record(markup: root)]) }
        guard root.name == names.list else { throw root.fault("the root is no <\(names.list)>") }
        let records = try root.children(named: names.element).map { try Record(markup: $0) }
        return ReadDocument(value: records, membersAround: root.names(besides: names.element))
    }

    static func write<Record: CosmRecord & CosmDocument>(
        _ record: Record,
        _ names: Names
    ) throws -> EncodedDocument {
        var writer = MarkupWriter()
        try write(record, names, to: &writer)
        return try LossFinder.document(writer.data, of: record)
    }

    static func writeList<Record: CosmRecord & CosmListElement>(
        _ records: [Record],
        _ names: Names
    ) throws -> EncodedDocument {
        var writer = MarkupWriter()
        writer.open(names.list, names.isListTyped ? [("type", "array")] : [])
        for record in records { try write(record, names, to: &writer) }
        writer.close(names.list)
        return try LossFinder.document(writer.data, of: records)
    }

    private static func write(_ record: some CosmRecord, _ names: Names, to writer: inout MarkupWriter) throws {
        var members = MarkupMembers(writer: writer, names: names)
        members.writer.open(names.element)
        var copy = record
        try copy.visit(&members)
        members.writer.close(names.element)
        writer = members.writer
    }
}

extension MarkupNode {
    /// What a list has besides its elements, but for Rails' type.
    fileprivate func names(besides name: String) -> [String] {
        attributes.keys.filter { $0 != "type" }.sorted() + children.map(\.name).filter { $0 != name }
    }
}

/// Writes each property as an element. What is empty is left out.
private struct MarkupMembers: MemberVisitor {
    var writer: MarkupWriter
    let names: RecordMarkup.Names

    private func spelled(_ name: StaticString) -> String {
        let name = name.description
        return names.hasHyphens ? String(name.map { $0 == "_" ? "-" : $0 }) : name
    }

    mutating func member<Value: WireText>(_ name: StaticString, _ value: inout Value?) {
        guard let value else { return }
        let type = names.types[name.description].map { [("type", $0)] } ?? []
        writer.leaf(spelled(name), value.wireText, type)
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ value: inout Value?) {}

    mutating func list<Value: WireText>(_ name: StaticString, of element: StaticString, _ values: inout [Value]?) {
        guard let values, !values.isEmpty else { return }
        writer.open(spelled(name))
        for value in values { writer.leaf(spelled(element), value.wireText) }
        writer.close(spelled(name))
    }

    mutating func tags(_ name: StaticString, _ tags: inout [String]?) {
        for tag in tags ?? [] { writer.leaf("tag", tag) }
    }

    mutating func record<Record: CosmRecord>(_ name: StaticString, _ record: inout Record?) throws {
        guard var copy = record else { return }
        writer.open(spelled(name))
        try copy.visit(&self)
        writer.close(spelled(name))
    }

    mutating func records<Record: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ records: inout [Record]?
    ) throws {
        guard let records, !records.isEmpty else { return }
        writer.open(spelled(name))
        for var copy in records {
            writer.open(spelled(element))
            try copy.visit(&self)
            writer.close(spelled(element))
        }
        writer.close(spelled(name))
    }
}
