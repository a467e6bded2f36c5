extension MarkupNode {
    /// Returns an `environment` element with the datastreams in the form of version 2.
    func normalizedEnvironment(isVersion1: Bool) throws(CosmDocumentError) -> MarkupNode {
        var node = self
        let updated = isVersion1 ? attributes["updated"] : nil
        for index in node.children.indices where node.children[index].name == "data" {
            node.children[index] = try node.children[index].normalizedData(isVersion1: isVersion1, updated: updated)
        }
        return node
    }

    private func normalizedData(isVersion1: Bool, updated: String?) throws(CosmDocumentError) -> MarkupNode {
        for list in children where list.name == "datapoints" {
            if let other = list.children.first(where: { $0.name != "value" }) {
                throw other.fault("datapoints can have only values")
            }
        }
        guard isVersion1 else { return self }
        var node = self
        node.children = children.flatMap { $0.name == "value" ? $0.version1Value(updated: updated) : [$0] }
        return node
    }

    /// Returns the members of version 1's `<value minValue="0.0" maxValue="34.0">22.3</value>` as elements of version
    /// 2.
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
}
