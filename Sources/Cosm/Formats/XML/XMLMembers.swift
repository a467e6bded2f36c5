internal import HeliumJSON

/// The members of a record that an element holds as attributes and children, given to the properties they belong to.
///
/// Names of more than one word may have hyphens, as those of triggers and keys, or underscores. What is empty is absent.
struct XMLMembers: MemberVisitor {
    private let node: MarkupNode
    private var takenAttributes: Set<String> = []
    private var takenChildren: Set<Int> = []
    /// What stands in lists and is none of their elements, or says more of one than its text.
    private var strays = JSONObject()

    init(_ node: MarkupNode) { self.node = node }

    /// Elements that are not in an element around all of them.
    private static let direct: Set<String> = ["data", "environment", "tag"]

    private static func hyphenated(_ name: String) -> String {
        String(name.map { $0 == "_" ? "-" : $0 })
    }

    /// The first child of that name. Further ones are kept as what nobody knows.
    private mutating func child(_ name: String) -> MarkupNode? {
        let other = Self.hyphenated(name)
        guard let index = node.children.firstIndex(where: { $0.name == name || $0.name == other }) else { return nil }
        takenChildren.insert(index)
        return node.children[index]
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

    mutating func member<Value: WireText>(_ name: StaticString, _ value: inout Value?) throws {
        let name = name.description
        if let text = node.attributes[name] {
            takenAttributes.insert(name)
            let trimmed = MarkupNode.leaf(name, text, line: node.line).trimmedText
            value = try Self.value(trimmed, node)
        }
        if value == nil, let child = child(name) { value = try Self.value(of: child) }
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ value: inout Value?) throws {
        if value == nil { try member(name, &value) }
    }

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ values: inout [Value]?
    ) throws {
        guard let list = child(name.description) else { return }
        let elements = elements(element.description, of: list)
        for element in elements { note(element.attributes, of: "\(list.name)/\(element.name)") }
        let found: [Value] = try elements.compactMap { try Self.value(of: $0) }
        if !found.isEmpty { values = found }
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

    mutating func tags(_ name: StaticString, _ tags: inout [String]?) throws {
        let elements = children("tag")
        for element in elements { note(element.attributes, of: "tag") }
        let found: [String] = try elements.compactMap { try Self.value(of: $0) }
        if !found.isEmpty { tags = found }
    }

    mutating func record<Record: CosmRecord>(_ name: StaticString, _ record: inout Record?) throws {
        guard let child = child(name.description), !child.isEmpty else { return }
        let value = try Record(markup: child)
        // Nothing but empty elements is nothing.
        if value != Record() { record = value }
    }

    mutating func records<Record: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ records: inout [Record]?
    ) throws {
        let element = element.description
        let isDirect = Self.direct.contains(element)
        let found = isDirect ? children(element) : child(name.description).map { elements(element, of: $0) } ?? []
        if !found.isEmpty { records = try found.map { try Record(markup: $0) } }
    }

    /// What nobody took, by name.
    var others: JSONObject {
        var others = strays
        // Properties and what has their names: looked up for every other child.
        let taken = Set(takenAttributes.map { ByteText($0) }).union(
            takenChildren.map { ByteText(node.children[$0].name) }
        )
        for (name, text) in node.attributes.sorted(by: { $0.key < $1.key }) where !takenAttributes.contains(name) {
            // Rails' types of elements: they say what the text says itself.
            if name != "type" { others[name] = .string(text) }
        }
        for (index, child) in node.children.enumerated() {
            if takenChildren.contains(index) {
                // Attributes of an element that was read as a text.
                guard child.children.isEmpty, !child.trimmedText.isEmpty else { continue }
                for (name, text) in child.attributes.sorted(by: { $0.key < $1.key })
                where name != "type" && !Self.direct.contains(child.name) {
                    others["\(child.name)@\(name)"] = .string(text)
                }
            } else if !child.isEmpty {
                // A second one of a name that a property has.
                others.add(taken.contains(child.name) ? "\(child.name)[1]" : child.name, child.jsonValue)
            }
        }
        let text = node.trimmedText
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
        self.init()
        var members = XMLMembers(node)
        try visit(&members)
        let others = members.others
        if !others.isEmpty { extra = others }
    }
}
