// Writes records as elements, in the forms that their tables define (Docs/Protocols/Cosm.md §13). Blank members are
// left out.

extension MarkupWriter {
    /// Writes a record as an element.
    ///
    /// - Parameter isKept: Whether the element is written even if it is blank.
    mutating func write<Record: CosmRecord>(_ record: Record, as name: String, isKept: Bool = true) {
        let own = OwnMarkup(of: record, hasHyphens: hasHyphens)
        let isBlank = own.attributes.allSatisfy { $0.1?.isEmpty ?? true }
        if own.hasText { return leaf(name, own.text, own.attributes, isKept: isKept || !isBlank) }
        var inside = inside
        inside.writeElements(of: record, own.attributesOfElements)
        if isBlank, inside.isEmpty, !isKept { return }
        open(name, own.attributes)
        append(inside)
        close(name)
    }

    /// Writes the members of a record that are elements.
    mutating func writeElements<Record: CosmRecord>(
        of record: Record,
        _ attributes: [String: [(String, String?)]] = [:]
    ) {
        var elements = ElementMarkup(record: record, attributes: attributes, writer: self)
        // The text is moved out, not shared, so that appending to it does not copy it.
        self = MarkupWriter()
        Record.members(&elements)
        self = elements.writer
    }
}

/// Collects the attributes and the text of a record's element, and the attributes that its members have on other
/// elements.
private struct OwnMarkup<Record: CosmRecord>: MemberVisitor {
    private let record: Record
    private let hasHyphens: Bool
    private(set) var attributes: [(String, String?)] = []
    /// Whether the record's element contains text instead of elements.
    private(set) var hasText = false
    private(set) var text: String?
    /// The attributes of other elements, by the name of the element.
    private(set) var attributesOfElements: [String: [(String, String?)]] = [:]

    init(of record: Record, hasHyphens: Bool) {
        self.record = record
        self.hasHyphens = hasHyphens
        Record.members(&self)
    }

    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) {
        switch facts.form {
        case .attribute: attributes.append((MarkupWriter.spelled(name, hasHyphens), record[keyPath: path]?.wireText))
        case .attributeOf(let element, let attribute):
            let value = (attribute.description, record[keyPath: path]?.wireText)
            attributesOfElements[element.description, default: []].append(value)
        case .text:
            hasText = true
            text = record[keyPath: path]?.wireText
        case .element, .typedElement, .searchElement, .elements, .absent: break
        }
    }

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
    ) {}

    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) {}
}

/// Writes the members of a record that are elements.
private struct ElementMarkup<Record: CosmRecord>: MemberVisitor {
    let record: Record
    /// The members that are attributes of other elements, by the name of the element.
    let attributes: [String: [(String, String?)]]
    var writer: MarkupWriter

    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) {
        guard let text = record[keyPath: path]?.wireText else { return }
        switch facts.form {
        case .element: writer.leaf(writer.spelled(name), text, attributes[name.description] ?? [])
        case .typedElement(let type): writer.leaf(writer.spelled(name), text, [("type", type.description)])
        case .searchElement: writer.leaf("opensearch:\(name)", text)
        case .elements, .attribute, .attributeOf, .text, .absent: break
        }
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) {}

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) {
        guard let values = record[keyPath: path], !values.isEmpty else { return }
        writer.open(writer.spelled(name))
        for value in values { writer.leaf(writer.spelled(element), value.wireText) }
        writer.close(writer.spelled(name))
    }

    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) {
        for tag in record[keyPath: path] ?? [] { writer.leaf("tag", tag) }
    }

    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) {
        if let inner = record[keyPath: path] { writer.write(inner, as: writer.spelled(name), isKept: false) }
    }

    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) {
        guard let records = record[keyPath: path], !records.isEmpty else { return }
        switch facts.form {
        case .absent: break
        case .elements: for inner in records { writer.write(inner, as: writer.spelled(element)) }
        default:
            writer.open(writer.spelled(name), attributes[name.description] ?? [])
            for inner in records { writer.write(inner, as: writer.spelled(element)) }
            writer.close(writer.spelled(name))
        }
    }
}
