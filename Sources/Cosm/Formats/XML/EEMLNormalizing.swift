// EEML says some things in attributes and texts that are members in JSON. Nodes are rewritten so that every member is a child
// or an attribute of its record, under the name that it has in JSON.

extension MarkupNode {
    /// An `environment`, its datastreams rewritten.
    func normalizedEnvironment(isVersion1: Bool) throws(CosmDocumentError) -> MarkupNode {
        var node = self
        let updated = isVersion1 ? attributes["updated"] : nil
        for index in node.children.indices where node.children[index].name == "data" {
            node.children[index] = try node.children[index].normalizedData(isVersion1: isVersion1, updated: updated)
        }
        return node
    }

    /// A `data` element: `current_value@at`, the unit's label and the points' values become members.
    private func normalizedData(isVersion1: Bool, updated: String?) throws(CosmDocumentError) -> MarkupNode {
        var node = self
        node.children = []
        for var child in children {
            switch child.name {
            case "current_value":
                if let at = child.attributes.removeValue(forKey: "at") {
                    node.children.append(.leaf("at", at, line: child.line))
                }
            case "value" where isVersion1:
                node.children += child.version1Value(updated: updated)
                continue
            case "unit":
                child = child.textAsChild("label")
            case "datapoints":
                if let function = child.attributes.removeValue(forKey: "function") {
                    node.children.append(.leaf("datapoints_function", function, line: child.line))
                }
                if let other = child.children.first(where: { $0.name != "value" }) {
                    throw other.fault("datapoints have values only")
                }
                child.children = child.children.map { $0.textAsChild("value") }
            default:
                break
            }
            node.children.append(child)
        }
        return node
    }

    /// Version 1's `<value minValue="0.0" maxValue="34.0">22.3</value>`.
    private func version1Value(updated: String?) -> [MarkupNode] {
        var members: [MarkupNode] = []
        let isThere = !trimmedText.isEmpty
        if isThere { members.append(.leaf("current_value", text, line: line)) }
        if isThere, let updated { members.append(.leaf("at", updated, line: line)) }
        var rest = self
        rest.text = ""
        if let most = rest.attributes.removeValue(forKey: "maxValue") {
            members.append(.leaf("max_value", most, line: line))
        }
        if let least = rest.attributes.removeValue(forKey: "minValue") {
            members.append(.leaf("min_value", least, line: line))
        }
        return rest.isEmpty ? members : members + [rest]
    }

    /// The text as a child of its own.
    private func textAsChild(_ name: String) -> MarkupNode {
        guard !trimmedText.isEmpty else { return self }
        var node = self
        node.children.append(.leaf(name, text, line: line))
        node.text = ""
        return node
    }
}
