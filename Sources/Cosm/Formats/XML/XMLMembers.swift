internal import HeliumCore
internal import HeliumJSON

/// Reads the attributes, elements and text of an element into a record, in the forms that the record's table defines
/// (Docs/Protocols/Cosm.md §13).
///
/// Names of several words may have hyphens, as those of triggers and keys do, or underscores. Each member may be an
/// attribute of the record's element or an element in it, whichever form the table has. Empty members are `nil`.
private struct XMLMembers<Record: CosmRecord>: MemberVisitor {
    typealias Failure = any Error

    private(set) var record = Record()
    private let node: MarkupNode
    private var takenAttributes: Set<String> = []
    /// The indices of the children that members have read.
    private var takenChildren: Set<Int> = []
    /// The indices of children that were read as text. Their other attributes are unknown members.
    private var takenTexts: Set<Int> = []
    /// The attributes of children that are members of the record: `current_value@at`.
    private var takenChildAttributes: Set<String> = []
    private var hasTakenText = false
    /// The content of lists that is not one of their elements, and the attributes of lists and of their elements.
    private var strays = GatheredMembers()

    init(_ node: MarkupNode) throws {
        self.node = node
        try Record.members(&self)
    }

    private static func hyphenated(_ name: String) -> String {
        String(name.map { $0 == "_" ? "-" : $0 })
    }

    /// Returns the index of the first child with a name. Further ones are unknown members.
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
        guard node.children.isEmpty else { throw node.fault("expected text, found elements") }
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

    /// Returns the elements of a list and records its other content as strays.
    private mutating func elements(_ name: String, of list: MarkupNode) -> [MarkupNode] {
        let other = Self.hyphenated(name)
        note(list.attributes, of: list.name)
        if !list.trimmedText.isEmpty { strays.set("\(list.name)/#text", .string(list.trimmedText)) }
        return list.children.filter { child in
            if child.name == name || child.name == other { return true }
            if !child.isEmpty { strays.add("\(list.name)/\(child.name)", child.jsonValue) }
            return false
        }
    }

    private mutating func note(_ attributes: [String: String], of element: String) {
        // Rails writes the type of an element into the attribute `type`.
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
        // A record that has only empty elements is `nil`.
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
        if found.isEmpty { return }
        record[keyPath: path] =
            Record.leavesOutUnreadable ? try readable(found) : try found.map { try Inner(markup: $0) }
    }

    /// Returns the records of a list that can be read.
    ///
    /// - Throws: The error of the first one if none can be read and none has an id.
    private mutating func readable<Inner: CosmRecord>(_ nodes: [MarkupNode]) throws -> [Inner] {
        var records: [Inner] = []
        var unreadable = UnreadableItems()
        var firstError: (any Error)?
        // A timestamp names a point, but is not an id.
        var hasID = false
        for node in nodes {
            do {
                records.append(try Inner(markup: node))
            } catch {
                firstError = firstError ?? error
                if let id = node.attributes["id"] { hasID = hasID || UnreadableItems.isUsable(id) }
                unreadable.add(id: node.attributes["id"] ?? node.attributes["at"], Inner.self, error)
            }
        }
        if records.isEmpty, !hasID, let firstError { throw firstError }
        record.leaveOut(unreadable)
        return records
    }

    /// The attributes, elements and text that no member has read, by name.
    var others: JSONObject {
        var others = strays
        for name in takenChildAttributes { others.remove(name) }
        // A set, because it is searched for every other child.
        let taken = Set(takenAttributes.map { ByteText($0) }).union(
            takenChildren.map { ByteText(node.children[$0].name) }
        )
        for (name, text) in node.attributes.sorted(by: { $0.key < $1.key }) where !takenAttributes.contains(name) {
            // Rails writes the type of an element into the attribute `type`. The member's own type is known.
            if name != "type" { others.set(name, .string(text)) }
        }
        for (index, child) in node.children.enumerated() {
            if takenTexts.contains(index), !child.trimmedText.isEmpty {
                for (name, text) in child.attributes.sorted(by: { $0.key < $1.key }) where name != "type" {
                    let path = "\(child.name)@\(name)"
                    if !takenChildAttributes.contains(path) { others.set(path, .string(text)) }
                }
            } else if !takenChildren.contains(index), !child.isEmpty {
                // A further element with the name of a property.
                others.add(taken.contains(child.name) ? "\(child.name)[1]" : child.name, child.jsonValue)
            }
        }
        let text = hasTakenText ? "" : node.trimmedText
        if !text.isEmpty { others.set("#text", .string(text)) }
        return others.object
    }
}

extension MarkupNode {
    /// The element as JSON: its text, or an object with its attributes, children and text.
    fileprivate var jsonValue: JSONValue {
        if attributes.isEmpty && children.isEmpty { return .string(trimmedText) }
        var object = GatheredMembers()
        for (name, text) in attributes.sorted(by: { $0.key < $1.key }) { object.set(name, .string(text)) }
        for child in children { object.add(child.name, child.jsonValue) }
        if !trimmedText.isEmpty { object.set("#text", .string(trimmedText)) }
        return .object(object.object)
    }
}

extension CosmRecord {
    /// Creates a record from an element.
    ///
    /// - Throws: ``CosmDocumentError``.
    init(markup node: MarkupNode) throws {
        let members = try XMLMembers<Self>(node)
        self = members.record
        let others = members.others
        if !others.isEmpty { extra = others }
    }
}
