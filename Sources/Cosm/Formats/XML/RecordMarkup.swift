internal import Foundation
internal import HeliumCore

/// Reads and writes triggers, keys and users in XML (Docs/Protocols/Cosm.md §13). Each member is an element.
enum RecordMarkup {
    /// The names of the elements of a kind of record.
    struct Names {
        let element: String
        let list: String
        /// Whether the words of names are separated by hyphens.
        let hasHyphens: Bool
        /// Whether the element of a list has the attribute `type`, as Rails writes it.
        var isListTyped = true

        static let trigger = Names(element: "datastream-trigger", list: "datastream-triggers", hasHyphens: true)
        static let key = Names(element: "key", list: "keys", hasHyphens: true, isListTyped: false)
        static let user = Names(element: "user", list: "users", hasHyphens: false)
    }

    static func read<Record: CosmRecord>(_ data: Data, _ names: Names) throws -> ReadDocument<Record> {
        let root = try MarkupParser.parse(data).root
        if root.name == names.list {
            let records = root.children(named: names.element)
            guard let record = records.first, records.count == 1 else {
                throw root.fault("expected one <\(names.element)> element, found \(records.count)")
            }
            return ReadDocument(value: try Record(markup: record), membersAround: root.names(besides: names.element))
        }
        guard root.name == names.element else { throw root.fault("the root element is not <\(names.element)>") }
        return ReadDocument(value: try Record(markup: root))
    }

    static func readList<Record: CosmRecord>(_ data: Data, _ names: Names) throws -> ReadDocument<[Record]> {
        let root = try MarkupParser.parse(data).root
        if root.name == names.element { return ReadDocument(value: [try Record(markup: root)]) }
        guard root.name == names.list else { throw root.fault("the root element is not <\(names.list)>") }
        let records = try root.children(named: names.element).map { try Record(markup: $0) }
        return ReadDocument(value: records, membersAround: root.names(besides: names.element))
    }

    /// Reads a list without the records that cannot be read.
    static func readItems<Record: CosmRecord>(_ data: Data, _ names: Names) throws -> ReadDocument<CosmList<Record>> {
        let root = try MarkupParser.parse(data).root
        if root.name == names.element { return ReadDocument(value: CosmList([try Record(markup: root)])) }
        guard root.name == names.list else { throw root.fault("the root element is not <\(names.list)>") }
        var items = CosmList<Record>([])
        var firstError: (any Error)?
        for node in root.children(named: names.element) {
            do {
                items.elements.append(try Record(markup: node))
            } catch {
                firstError = firstError ?? error
                items.unreadable.add(id: (node.child("id") ?? node.child("login"))?.trimmedText, Record.self, error)
            }
        }
        if items.isEmpty, !items.unreadable.hasUsableID, let firstError { throw firstError }
        return ReadDocument(value: items, membersAround: root.names(besides: names.element))
    }

    static func write<Record: CosmRecord & CosmDocument>(
        _ record: Record,
        _ names: Names
    ) throws -> EncodedDocument {
        var writer = MarkupWriter(hasHyphens: names.hasHyphens)
        writer.write(record, as: names.element)
        return try LossFinder.document(writer.data, of: record)
    }

    static func writeList<Record: CosmRecord & CosmListElement>(
        _ records: [Record],
        _ names: Names
    ) throws -> EncodedDocument {
        var writer = MarkupWriter(hasHyphens: names.hasHyphens)
        writer.open(names.list, names.isListTyped ? [("type", "array")] : [])
        for record in records { writer.write(record, as: names.element) }
        writer.close(names.list)
        return try LossFinder.document(writer.data, of: records)
    }
}

extension MarkupNode {
    /// Returns the names of a list's attributes and elements other than `name`, without Rails' attribute `type`.
    fileprivate func names(besides name: String) -> [String] {
        attributes.keys.filter { $0 != "type" }.sorted() + children.map(\.name).filter { $0 != name }
    }
}
