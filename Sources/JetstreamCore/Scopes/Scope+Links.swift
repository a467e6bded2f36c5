/// The objects that the server has.
///
/// The server keeps what its root leads to, like the tree, but it counts other links (Docs/Protocols/Jetstream.md §3.5,
/// §5.3): it does not know local properties, and it does not know that a property is weak. So an object of the tree to
/// which only local properties lead is not known to the server. An object to which only weak properties lead is known,
/// although it is not in the tree; the scope retains it and applies its remote changes.
///
/// Unsent changes are alike: the tree has the new references and the server has the former ones. Changes of properties
/// with a minimum sync interval are unsent for longer than a batch.
///
/// An object is doubtful when it lost or gained a link that the server counts. After the changes of a batch were
/// collected, or remote changes were applied, ``ModelNode/Flags/isKnown`` is determined for all doubtful objects in one
/// search. It visits each object once: those above the doubtful objects, and those that the server has removed. A scope
/// has no doubtful objects as long as tree and server count the same links whenever either changes.
extension Scope {
    // MARK: Doubtful objects

    /// Handles a link that the server counts, from an object of this scope.
    func gainedLink(_ node: ModelNode) {
        // Objects that this side links are added when the changes are collected.
        guard isApplying, node.isAt(self), !node.flags.contains(.isKnown) else { return }
        gained.append(node)
    }

    /// Handles the loss of a link that the server counted, from an object of this scope.
    func lostLink(_ node: ModelNode) {
        // Otherwise the tree loses the object too.
        guard hasOneSidedLinks, node.isAt(self), node.flags.contains(.isKnown) else { return }
        if isApplying {
            lost.append(node)
        } else if isRecording, !node.flags.contains(.isDoubtful), let model = node.model {
            node.flags.insert(.isDoubtful)
            doubtful.append(model)
        }
    }

    /// Handles the rejection of an object's add.
    func refusedAdd(_ node: ModelNode) {
        // The object must be added again if it comes back.
        node.flags.remove(.isKnown)
        noteNotLinkedWeakly(node)
        node.flags.insert(.isFormer)
        refused.append(node)
        if hasOneSidedLinks { lost.append(node) }
    }

    /// Determines which objects the server does not have after it has applied the collected changes.
    func reviewDeparted() {
        let batch = departed + doubtful
        defer { withExtendedLifetime(batch) {} }
        let (left, doubted) = (departed.map { $0.modelNode }, doubtful.map { $0.modelNode })
        doubtful = []
        for node in doubted { node.flags.remove(.isDoubtful) }
        let outside = left.filter { $0.isAt(self) && !$0.isInScope }
        let removed = hasOneSidedLinks ? removedObjects(left + doubted) : outside
        departed = []
        for node in removed {
            node.flags.remove(.isKnown)
            noteNotLinkedWeakly(node)
            node.flags.insert(.wasKnown)
            // The server may reject the removal. An object that is still in the tree is retained like the others.
            if node.isInScope { retain(node) }
        }
        noteLinkedWeakly(outside)
    }

    /// Determines which of the doubtful objects the server has after remote changes were applied.
    ///
    /// - Returns: Objects that nothing refers to any more, which the caller releases.
    func reviewLinks() -> [any ModelObject] {
        if gained.isEmpty && lost.isEmpty && refused.isEmpty { return [] }
        let (gained, lost, refused) = (gained, lost, refused)
        (self.gained, self.lost, self.refused) = ([], [], [])
        // A server that has an object rejects another add of it.
        addKnown(refused.filter { $0.isAt(self) && isSurelyLinked($0) })
        addKnown(gained.filter { $0.isAt(self) && isLinked($0) })
        var gone: [any ModelObject] = []
        for node in removedObjects(lost) {
            if node.isInScope || node.flags.contains(.isLinkedWeakly) { keepChanges(of: node) }
            noteNotLinkedWeakly(node)
            if hasOriginals {
                // Original values of pending sets may refer to the object. In that case the server still has it.
                node.flags.remove(.isKnown)
                if !node.flags.contains(.isFormer) { node.flags.insert(.wasKnown) }
                retain(node)
            } else {
                if !node.isInScope, let object = node.model { gone.append(object) }
                removeRetained(node)
                forgetKept(node)
            }
        }
        noteLinkedWeakly(lost.filter { $0.isAt(self) && !$0.isInScope })
        return gone
    }

    /// Marks those of the objects outside of the tree that the server has.
    func noteLinkedWeakly(_ outside: [ModelNode]) {
        for node in outside where node.flags.contains(.isKnown) && !node.flags.contains(.isLinkedWeakly) {
            node.flags.insert(.isLinkedWeakly)
            noteChangesMeanwhile(of: node)
            addKnownBelow([node])
        }
    }

    /// Marks objects, and those to which they lead, as known.
    func addKnown(_ nodes: [ModelNode]) { addKnownBelow(nodes.filter(markKnown)) }

    private func addKnownBelow(_ nodes: [ModelNode]) {
        var waiting = nodes
        while let node = waiting.popLast() {
            forEachLinkedChild(of: node) { child in
                // What was forgotten with the object comes back with it. The tree takes it by itself.
                if child.home == nil, !node.isInScope { retain(child) }
                if markKnown(child) { waiting.append(child) }
            }
        }
    }

    /// Marks an object as known.
    ///
    /// - Returns: `false` if it was known already, or is neither in the tree nor retained.
    private func markKnown(_ node: ModelNode) -> Bool {
        guard node.isAt(self), !node.flags.contains(.isKnown), node.isInScope || hasOneSidedLinks else { return false }
        node.flags.subtract([.wasKnown, .isFormer])
        node.flags.insert(.isKnown)
        if node.isInScope {
            forget(node)
        } else {
            node.flags.insert(.isLinkedWeakly)
            retain(node)
        }
        // The removal was rejected, or a peer brought the object back.
        noteChangesMeanwhile(of: node)
        return true
    }

    // MARK: Searching

    /// Returns the known objects that the server does not have any more, among doubtful ones and those below them.
    ///
    /// - Parameter doubtful: Objects that lost a link. Unknown ones make those below them doubtful.
    private func removedObjects(_ doubtful: [ModelNode]) -> [ModelNode] {
        let tops = unreachedObjects(doubtful)
        if tops.isEmpty { return [] }
        // Collects what they lead to, then finds what others lead to of it, then what these in turn lead to.
        searches &+= 1
        let search = searches
        var below: [ModelNode] = []
        for node in tops {
            node.mark = search
            below.append(node)
        }
        var next = 0
        while next < below.count {
            let node = below[next]
            next += 1
            forEachLinkedChild(of: node) { child in
                guard child.mark != search, child.isAt(self), child.flags.contains(.isKnown), !isRoot(child) else {
                    return
                }
                child.mark = search
                below.append(child)
            }
        }
        var saved: [ModelNode] = []
        for node in below.dropFirst(tops.count) {
            var isSaved = false
            forEachKnownParent(of: node) { parent in
                isSaved = parent.mark != search
                return !isSaved
            }
            if isSaved { saved.append(node) }
        }
        for node in saved { node.mark = 0 }
        while let node = saved.popLast() {
            forEachLinkedChild(of: node) { child in
                guard child.mark == search, child.flags.contains(.isKnown) else { return }
                child.mark = 0
                saved.append(child)
            }
        }
        return below.filter { $0.mark == search && $0.flags.contains(.isKnown) }
    }

    /// Returns the doubtful objects that no path of known objects leads to from the root, and such objects above them,
    /// each once.
    private func unreachedObjects(_ doubtful: [ModelNode]) -> [ModelNode] {
        // Mostly the anchors are such a path.
        searches &+= 2
        let (reachedMark, unreachedMark) = (searches &- 1, searches)
        let open = doubtful.filter { node in
            guard node.isAt(self) || !node.flags.contains(.isKnown), !isRoot(node) else { return false }
            return !isReachedByAnchors(node, reachedMark, unreachedMark)
        }
        if open.isEmpty { return [] }
        // Collects everything above, then finds what the root leads to of it.
        searches &+= 1
        let search = searches
        var above: [ModelNode] = []
        var indexes: [ObjectIdentifier: Int] = [:]
        var children: [[Int]] = []
        func index(of node: ModelNode) -> Int {
            if node.mark == search, let index = indexes[ObjectIdentifier(node)] { return index }
            node.mark = search
            indexes[ObjectIdentifier(node)] = above.count
            above.append(node)
            children.append([])
            return above.count - 1
        }
        for node in open { _ = index(of: node) }
        var reached: [Int] = []
        var isReached: [Bool] = []
        var next = 0
        while next < above.count {
            let node = above[next]
            isReached.append(false)
            if node.flags.contains(.isKnown) {
                forEachKnownParent(of: node) { parent in
                    if isRoot(parent) || parent.mark == reachedMark {
                        isReached[next] = true
                        reached.append(next)
                        return false
                    }
                    let place = index(of: parent)
                    children[place].append(next)
                    return true
                }
            }
            next += 1
        }
        while let place = reached.popLast() {
            for child in children[place] where !isReached[child] {
                isReached[child] = true
                reached.append(child)
            }
        }
        return above.indices.filter { !isReached[$0] }.map { above[$0] }
    }

    /// Returns whether the anchors of an object lead to the root, each by a link that the server counts. Marks the
    /// objects on the way.
    private func isReachedByAnchors(_ node: ModelNode, _ reachedMark: UInt32, _ unreachedMark: UInt32) -> Bool {
        var path: [ModelNode] = []
        var step = node
        var isReached = false
        while step.mark != unreachedMark {
            if isRoot(step) || step.mark == reachedMark {
                isReached = true
                break
            }
            path.append(step)
            guard step.isIn(self), step.flags.contains(.isKnown), let anchor = step.anchor,
                isKnown(anchor), isLink(from: anchor, to: step)
            else { break }
            step = anchor
        }
        for node in path { node.mark = isReached ? reachedMark : unreachedMark }
        return isReached
    }

    /// Returns whether a property of the tree that the server counts leads from one object to another.
    private func isLink(from parent: ModelNode, to child: ModelNode) -> Bool {
        // All references of a placeholder have one number.
        if parent.flags.contains(.isPlaceholder) { return child.parentCount(of: parent, 0) > 0 }
        guard let model = parent.model else { return false }
        return parent.schema(of: model).properties.contains { property in
            property.isLink && child.parentCount(of: parent, property.index) > 0
                && isSent(property, of: parent, to: child)
        }
    }

    /// Returns whether the server has an object, as far as this side knows.
    func isKnown(_ node: ModelNode) -> Bool {
        isRoot(node) || (node.isAt(self) && node.flags.contains(.isKnown))
    }

    /// Returns whether a known object of the tree, or one that is only linked weakly, has a link to an object.
    private func isLinked(_ node: ModelNode) -> Bool {
        var isLinked = false
        forEachKnownParent(of: node) { parent in
            isLinked = isSettled(parent)
            return !isLinked
        }
        return isLinked
    }

    /// Returns whether the server has a link to an object whatever becomes of pending and unsent changes.
    func isSurelyLinked(_ node: ModelNode) -> Bool {
        var isLinked = false
        forEachLinkingParent(of: node) { parent, property in
            isLinked = isSureLink(parent, property)
            return !isLinked
        }
        return isLinked
    }

    private func isSureLink(_ parent: ModelNode, _ property: Int) -> Bool {
        guard isKnown(parent), isSettled(parent), !changeSets.isAdding(parent) else { return false }
        if parent.flags.contains(.isPlaceholder) { return true }
        guard let model = parent.model else { return false }
        let property = parent.schema(of: model).properties[property]
        return property.isLink && parent.pending?.contains(property) != true
            && changeSets.first(touching: parent, property) == nil
    }

    /// Returns whether it is determined that the server has a known object. It is not, if the object has just left the
    /// tree.
    private func isSettled(_ node: ModelNode) -> Bool { node.isInScope || node.flags.contains(.isLinkedWeakly) }

    /// Calls `body` with each known object that has a link to an object, until it returns `false`. An object may occur
    /// several times.
    private func forEachKnownParent(of node: ModelNode, _ body: (ModelNode) -> Bool) {
        var goesOn = true
        forEachLinkingParent(of: node) { parent, property in
            guard isKnown(parent), hasLink(parent, property, to: node) else { return true }
            goesOn = body(parent)
            return goesOn
        }
        if goesOn { forEachUnsentParent(of: node, body) }
    }

    /// Calls `body` with each object that refers to an object, strongly or weakly, and with the index of the property,
    /// until it returns `false`.
    private func forEachLinkingParent(of node: ModelNode, _ body: (ModelNode, Int) -> Bool) {
        var goesOn = true
        node.forEachParent { parent, property in
            goesOn = body(parent, property)
            return goesOn
        }
        if goesOn { node.extras?.weakParents?.forEach(body) }
    }

    /// Returns whether the server counts the references of a property to an object.
    private func hasLink(_ parent: ModelNode, _ property: Int, to child: ModelNode) -> Bool {
        if parent.flags.contains(.isPlaceholder) { return true }
        guard let model = parent.model else { return false }
        let property = parent.schema(of: model).properties[property]
        return property.isLink && isSent(property, of: parent, to: child)
    }

    /// Calls `body` with each object to which a link of an object leads. An object may occur several times.
    func forEachLinkedChild(of node: ModelNode, _ body: (ModelNode) -> Void) {
        let pending = node.pending
        node.forEachReference { child, property in
            guard let property else { return body(child.modelNode) }
            if property.isSynced, pending?.contains(property) != true { body(child.modelNode) }
        }
        forEachWeakChild(of: node) { child, property in
            if pending?.contains(property) != true { body(child) }
        }
        pending?.forEachReference { if let child = heldNode($0) { body(child) } }
    }
}

extension Scope {
    /// Calls `body` with each object that a weak property of an object refers to, if the property is synced.
    func forEachWeakChild(of node: ModelNode, _ body: (ModelNode, ModelProperty) -> Void) {
        guard node.flags.contains(.hasOneSidedReferences), let model = node.model else { return }
        for property in node.schema(of: model).properties where property.isWeakLink {
            property.access?.forEachObject(model) { body($0.modelNode, property) }
        }
    }
}
