internal import HeliumJSON

/// The references of unsent changes. Until a change is sent, the server has the references of the former value.
extension Scope {
    /// Returns whether the server has a reference, provided that it accepts what was sent.
    func isSent(_ property: ModelProperty, of parent: ModelNode, to child: ModelNode) -> Bool {
        guard let pending = parent.pending, pending.contains(property) else { return true }
        // An object without an identifier was never sent.
        return child.flags.contains(.isIdentified) && pending.refers(by: property, to: child.uuid)
    }

    /// Returns the node of an object that the tree has or the scope retains, by its identifier on the wire.
    func heldNode(_ id: String) -> ModelNode? {
        guard let id = ModelID(wireText: id) else { return nil }
        return node(id) ?? retained[id]?.modelNode
    }

    /// Records that the server has a value of a property that has an unsent change.
    func noteUnsentLinks(from node: ModelNode, _ property: ModelProperty, _ original: JSONValue) {
        hasUnsentLinks = true
        if unsentParents != nil { addUnsentParent(node, property, original) }
    }

    private func addUnsentParent(_ node: ModelNode, _ property: ModelProperty, _ original: JSONValue) {
        original.forEachText { id in
            guard let id = ModelID(wireText: id) else { return }
            let parents = unsentParents?[id] ?? OtherParents()
            unsentParents?[id] = parents
            _ = parents.add(node, property.index)
        }
    }

    /// Calls `body` with each known object that refers to an object by the original value of an unsent change, until it
    /// returns `false`.
    func forEachUnsentParent(of node: ModelNode, _ body: (ModelNode) -> Bool) {
        guard hasUnsentLinks else { return }
        if unsentParents == nil {
            unsentParents = ModelTable()
            for parent in changed.compactMap({ $0 }) + departed.map({ $0.modelNode }) where parent.isAt(self) {
                for (property, original) in parent.pending?.originals ?? [] where property.isLink {
                    addUnsentParent(parent, property, original)
                }
            }
        }
        unsentParents?[node.uuid]?.forEach { parent, index in
            guard isKnown(parent), let model = parent.model, let pending = parent.pending else { return true }
            let property = parent.schema(of: model).properties[index]
            guard pending.contains(property), pending.refers(by: property, to: node.uuid) else { return true }
            return body(parent)
        }
    }

    /// Replaces the value that the server has of a property with an unsent change.
    func replaceOriginal(
        of property: ModelProperty,
        in pending: PendingChange,
        of node: ModelNode,
        by value: JSONValue
    ) {
        let former = pending.original(of: property)
        pending.setOriginal(value, of: property)
        guard property.isLink, isKnown(node) else { return }
        former?.forEachText { id in
            if let child = heldNode(id), !pending.refers(by: property, to: child.uuid) { lostLink(child) }
        }
        noteUnsentLinks(from: node, property, value)
        value.forEachText { id in
            if let child = heldNode(id) { gainedLink(child) }
        }
    }

    /// Notes the objects to which changes that are sent do not refer any more. The server may remove them.
    ///
    /// - Parameter originals: The values that the server had.
    func noteLostLinks(of node: ModelNode, _ originals: [(property: ModelProperty, value: JSONValue)]) {
        for (property, value) in originals where property.isLink {
            value.forEachText { id in
                guard let child = heldNode(id) else { return }
                let parents = child.extras?.weakParents
                let count =
                    property.isWeakLink
                    ? parents?.count(of: node, property.index) ?? 0 : child.parentCount(of: node, property.index)
                if count == 0 { lostLink(child) }
            }
        }
    }
}
