internal import HeliumJSON

/// Reads the attributes, elements and text of an element into a record, by the forms in the record's table (§13).
///
/// Names of several words may have hyphens, as those of triggers and keys, or underscores. A member may be an attribute of the
/// record's element or an element in it, whichever its form. What is empty is absent.
private struct XMLMembers<Record: CosmRecord>: MemberVisitor {
    typealias Failure = any Error

    private(set) var record = Record()
    private let node: MarkupNode
    private var takenAttributes: Set<String> = []
    /// The indices of the children that members took.
    private var takenChildren: Set<Int> = []
    /// Those of them that were read as a text: their other attributes are unknown members.
    private var takenTexts: Set<Int> = []
    /// Attributes of children that are members: `current_value@at`.
    private var takenChildAttributes: Set<String> = []
    private var hasTakenText = false
    /// What is in lists and is none of their elements, or says more of one than its text.
    private var strays = JSONObject()

    init(_ node: MarkupNode) throws {
        self.node = node
        try Record.members(&self)
    }

    private static func hyphenated(_ name: String) -> String {
        String(name.map { $0 == "_" ? "-" : $0 })
    }

    /// The index of the first child of that name. Further ones are unknown members.
    private mutating func child(_ name: String) -> Int? {
        let other = Self.hyphenated(name)
        guard let index = node.children.firstIndex(where: { $0.name == name || $0.name == other }) else { return nil }
        takenChildren.insert(index)
        return index
    }

    private mutating func children(_ name: String) -> [MarkupNode] {
        var found: [MarkupNode] = []
        for (index, child) in node.children.enumerated() where child.name == name {
            takenChildren.insert(index)
            found.append(child)
        }
        return found
    }

    private static func value<Value: WireText>(_ text: String, _ node: MarkupNode) throws -> Value? {
        if text.isEmpty { return nil }
        guard let value = Value(wireText: text) else { throw node.fault(Value.complaint(about: text)) }
        return value
    }

    private static func value<Value: WireText>(of node: MarkupNode) throws -> Value? {
        guard node.children.isEmpty else { throw node.fault("elements stand where a text is wanted") }
        return try value(node.trimmedText, node)
    }

    private static func value<Value: WireText>(of attribute: String, _ node: MarkupNode) throws -> Value? {
        try value(MarkupNode.leaf("", attribute, line: node.line).trimmedText, node)
    }

    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) throws {
        if let value: Value = try attributeOfChild(facts.form) ?? attributeOrChild(name.description) {
            record[keyPath: path] = value
        } else if case .text = facts.form {
            hasTakenText = true
            record[keyPath: path] = try Self.value(node.trimmedText, node)
        }
    }

    private mutating func attributeOfChild<Value: WireText>(_ form: XMLForm) throws -> Value? {
        guard case .attributeOf(let element, let attribute) = form,
            let child = node.child(element.description),
            let text = child.attributes[attribute.description]
        else { return nil }
        takenChildAttributes.insert("\(element)@\(attribute)")
        return try Self.value(of: text, child)
    }

    private mutating func attributeOrChild<Value: WireText>(_ name: String) throws -> Value? {
        if let text = node.attributes[name] {
            takenAttributes.insert(name)
            if let value: Value = try Self.value(of: text, node) { return value }
        }
        guard let child = child(name) else { return nil }
        takenTexts.insert(child)
        return try Self.value(of: node.children[child])
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) throws {
        if record[keyPath: path] == nil { record[keyPath: path] = try attributeOrChild(name.description) }
    }

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) throws {
        guard let list = child(name.description).map({ node.children[$0] }) else { return }
        let elements = elements(element.description, of: list)
        for element in elements { note(element.attributes, of: "\(list.name)/\(element.name)") }
        let found: [Value] = try elements.compactMap { try Self.value(of: $0) }
        if !found.isEmpty { record[keyPath: path] = found }
    }

    /// The elements of a list; notes what else is in it.
    private mutating func elements(_ name: String, of list: MarkupNode) -> [MarkupNode] {
        let other = Self.hyphenated(name)
        note(list.attributes, of: list.name)
        if !list.trimmedText.isEmpty { strays["\(list.name)/#text"] = .string(list.trimmedText) }
        return list.children.filter { child in
            if child.name == name || child.name == other { return true }
            if !child.isEmpty { strays.add("\(list.name)/\(child.name)", child.jsonValue) }
            return false
        }
    }

    private mutating func note(_ attributes: [String: String], of element: String) {
        // Rails' types of elements.
        for (name, text) in attributes.sorted(by: { $0.key < $1.key }) where name != "type" {
            strays.add("\(element)@\(name)", .string(text))
        }
    }

    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) throws {
        let elements = children("tag")
        for element in elements { note(element.attributes, of: "tag") }
        let found: [String] = try elements.compactMap { try Self.value(of: $0) }
        if !found.isEmpty { record[keyPath: path] = found }
    }

    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) throws {
        guard let child = child(name.description).map({ node.children[$0] }), !child.isEmpty else { return }
        let value = try Inner(markup: child)
        // Nothing but empty elements is nothing.
        if value != Inner() { record[keyPath: path] = value }
    }

    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) throws {
        let found: [MarkupNode]
        if case .elements = facts.form {
            found = children(element.description)
        } else if let list = child(name.description).map({ node.children[$0] }) {
            found = elements(element.description, of: list)
        } else {
            return
        }
        if !found.isEmpty { record[keyPath: path] = try found.map { try Inner(markup: $0) } }
    }

    /// What no member took, by name.
    var others: JSONObject {
        var others = strays
        for name in takenChildAttributes { others.removeValue(named: name) }
        // Properties and what has their names: looked up for every other child.
        let taken = Set(takenAttributes.map { ByteText($0) }).union(
            takenChildren.map { ByteText(node.children[$0].name) }
        )
        for (name, text) in node.attributes.sorted(by: { $0.key < $1.key }) where !takenAttributes.contains(name) {
            // Rails' types of elements: they say what the text says itself.
            if name != "type" { others[name] = .string(text) }
        }
        for (index, child) in node.children.enumerated() {
            if takenTexts.contains(index), !child.trimmedText.isEmpty {
                for (name, text) in child.attributes.sorted(by: { $0.key < $1.key }) where name != "type" {
                    let path = "\(child.name)@\(name)"
                    if !takenChildAttributes.contains(path) { others[path] = .string(text) }
                }
            } else if !takenChildren.contains(index), !child.isEmpty {
                // A second one of a name that a property has.
                others.add(taken.contains(child.name) ? "\(child.name)[1]" : child.name, child.jsonValue)
            }
        }
        let text = hasTakenText ? "" : node.trimmedText
        if !text.isEmpty { others["#text"] = .string(text) }
        return others
    }
}

extension JSONObject {
    /// Adds a member; a second of the same name makes both an array.
    fileprivate mutating func add(_ name: String, _ value: JSONValue) {
        switch self[name] {
        case nil: self[name] = value
        case .array(var values):
            // Taken out, so that it grows in place.
            self[name] = .null
            values.append(value)
            self[name] = .array(values)
        case let first?: self[name] = [first, value]
        }
    }
}

extension MarkupNode {
    /// The element as JSON: its text, or an object of its attributes and children.
    fileprivate var jsonValue: JSONValue {
        if attributes.isEmpty && children.isEmpty { return .string(trimmedText) }
        var object = JSONObject()
        for (name, text) in attributes.sorted(by: { $0.key < $1.key }) { object[name] = .string(text) }
        for child in children { object.add(child.name, child.jsonValue) }
        if !trimmedText.isEmpty { object["#text"] = .string(trimmedText) }
        return .object(object)
    }
}

extension CosmRecord {
    /// Reads an element.
    ///
    /// - Throws: ``CosmDocumentError``.
    init(markup node: MarkupNode) throws {
        let members = try XMLMembers<Self>(node)
        self = members.record
        let others = members.others
        if !others.isEmpty { extra = others }
    }
}
