/// Membership is reachability from the root.
///
/// Each object except the root has an *anchor*: a parent through which it is reached. The anchors form a tree. Cutting
/// another link has no effect on membership. Cutting an anchor costs time proportional to the number of objects below
/// it.
extension Scope {
    // MARK: Entering

    /// Handles a new reference from a parent in the scope to a node.
    func linked(_ node: ModelNode, by parent: ModelNode, _ events: inout [() -> Void]) {
        if node.isInScope {
            hasSharedObjects = true
            // An object belongs to one scope only.
            assert(node.isIn(self), "an object of one scope can't refer to an object of another scope")
            return
        }
        enter(node, anchor: parent, isKnown: isApplying, &events)
    }

    /// Adds a node and everything that it refers to: the node first, then depth-first.
    func enter(_ node: ModelNode, anchor: ModelNode?, isKnown: Bool, _ events: inout [() -> Void]) {
        if node.isInScope { return }
        // The lists stay empty for an object without others below it, so that the common case is fast.
        var entered: [ModelNode] = []
        var waiting: [ModelNode] = []
        node.anchor = anchor
        enter(node, isKnown: isKnown, below: &waiting, &events)
        while let node = waiting.popLast() {
            if node.isInScope {
                hasSharedObjects = true
                continue
            }
            enter(node, isKnown: isKnown, below: &waiting, &events)
            entered.append(node)
        }
        noteForeignParents(of: node)
        for node in entered { noteForeignParents(of: node) }
    }

    private func enter(
        _ node: ModelNode,
        isKnown: Bool,
        below: inout [ModelNode],
        _ events: inout [() -> Void]
    ) {
        take(node, isKnown: isKnown)
        if let observers = node.observers { events.append { observers.fire(.attached(self)) } }
        let start = below.count
        node.forEachChild { child in
            let childNode = child.modelNode
            childNode.bind(child)
            if childNode.isInScope { return hasSharedObjects = true }
            // Of several parents, the last one that arrives here becomes the anchor. The node is reached from it first.
            childNode.anchor = node
            below.append(childNode)
        }
        var (first, last) = (start, below.count - 1)
        while first < last {
            below.swapAt(first, last)
            (first, last) = (first + 1, last - 1)
        }
    }

    private func noteForeignParents(of node: ModelNode) {
        // The only parent is the anchor.
        if node.otherParents == nil, node.hasAnchor || node.firstParentCount == 0 { return }
        hasSharedObjects = true
        if hasForeignParents { return }
        node.forEachParent { parent, _ in
            hasForeignParents = !parent.isIn(self)
            return !hasForeignParents
        }
    }

    private func take(_ node: ModelNode, isKnown: Bool) {
        if !node.isAt(self) {
            node.home?.forget(node)
            node.home = self
            node.pending = nil
            node.flags.subtract([.isKnown, .wasKnown])
        }
        if node.flags.contains(.isRetained) {
            node.flags.remove(.isRetained)
            retained[node.uuid] = nil
        }
        node.flags.insert([.isInScope, .reports])
        node.treeMark = 0
        if !formers.isEmpty { formers.remove(node.uuid) }
        if !isRoot(node) { objects.append(node) }
        if isKnown {
            node.flags.insert(.isKnown)
            node.flags.remove(.isFormer)
            guard node.flags.contains(.wasKnown) else { return }
            node.flags.remove(.wasKnown)
            // The removal was rejected. Changes made in the meantime must still be sent.
            if node.pending?.originals.isEmpty == false { noteChange(of: node) } else { node.pending = nil }
        } else if !node.flags.contains(.isKnown) {
            // The object must be added.
            if !node.flags.contains(.wasKnown) { node.pending?.removeAll { _ in true } }
            noteChange(of: node)
        }
    }

    /// Releases a node that left this scope and entered another one.
    private func forget(_ node: ModelNode) {
        if node.flags.contains(.isRetained) {
            node.flags.remove(.isRetained)
            retained[node.uuid] = nil
        }
    }

    // MARK: Leaving

    /// Handles the removal of the link through which a node was reached.
    func unlinked(_ node: ModelNode, _ events: inout [() -> Void]) {
        guard !isRoot(node) else { return }
        node.anchor = nil
        if isApplying {
            if let model = node.model { suspects.append(model) }
        } else {
            leave(unreachable([node]), &events)
            // The caller holds references to the older objects.
            if formers.isSweepDue { formers.freeCircles() }
        }
    }

    /// Returns the nodes that are no longer reachable, among those with cut anchors and those below them. Parents come
    /// first.
    func unreachable(_ cut: [ModelNode]) -> [ModelNode] {
        let lost = cut.filter { node in
            guard node.isIn(self), !node.hasAnchor, node !== rootNode else { return false }
            guard let anchor = reachableParent(of: node) else { return true }
            node.anchor = anchor
            return false
        }
        if lost.isEmpty { return [] }
        // Collects everything below the lost nodes, then finds what other parents hold of it, then what these in turn
        // hold.
        let below = collectSubtrees(lost.filter { !$0.hasAnchor })
        let search = searches
        var saved: [ModelNode] = []
        for node in below {
            node.forEachParent { parent, _ in
                guard parent.isIn(self), parent.mark != search else { return true }
                node.anchor = parent
                saved.append(parent)
                return false
            }
        }
        if saved.isEmpty { return below }
        saved = below.filter { $0.anchor.map { $0.mark != search } ?? false }
        for node in saved { node.mark = 0 }
        while let node = saved.popLast() {
            node.forEachChild { child in
                let child = child.modelNode
                guard child.mark == search else { return }
                child.mark = 0
                child.anchor = node
                saved.append(child)
            }
        }
        return below.filter { $0.mark == search }
    }

    /// Returns a parent whose anchors lead to the root.
    private func reachableParent(of node: ModelNode) -> ModelNode? {
        searches &+= 1
        let (search, rootNode) = (searches, rootNode)
        var found: ModelNode?
        node.forEachParent { parent, _ in
            guard parent.isIn(self) else { return true }
            // Each node is visited once. Nodes visited before did not lead to the root.
            var step: ModelNode? = parent
            while let next = step, next.mark != search, next !== rootNode {
                next.mark = search
                step = next.anchor
            }
            if let step, step === rootNode { found = parent }
            return found == nil
        }
        return found
    }

    /// Returns nodes and all nodes that they anchor, parents first, marked with the number of a new search.
    func collectSubtrees(_ tops: [ModelNode]) -> [ModelNode] {
        searches &+= 1
        let search = searches
        var all: [ModelNode] = []
        for top in tops where top.mark != search {
            top.mark = search
            all.append(top)
        }
        var next = 0
        while next < all.count {
            let node = all[next]
            next += 1
            node.forEachChild { child in
                let child = child.modelNode
                guard child.anchor === node, child.mark != search else { return }
                child.mark = search
                all.append(child)
            }
        }
        return all
    }

    /// Removes nodes.
    func leave(_ nodes: [ModelNode], _ events: inout [() -> Void]) {
        for node in nodes {
            objects.remove(node)
            node.flags.remove(.isInScope)
            node.anchor = nil
            if !isApplying, isRecording, !node.flags.isDisjoint(with: [.isKnown, .wasKnown]) {
                // The object may be restored in this batch or by a revert. Until then its changes are recorded.
                departed.append(node)
                retain(node)
            } else if isApplying, hasOriginals {
                // Original values of pending sets may refer to the object. In that case the server still has it.
                node.flags.remove(.isKnown)
                if !node.flags.contains(.isFormer) { node.flags.insert(.wasKnown) }
                retain(node)
            } else {
                release(leaving: node)
            }
            if let observers = node.observers { events.append { observers.fire(.detached(self)) } }
        }
    }

    private func release(leaving node: ModelNode) {
        if let model = node.model { formers.add(model) }
        noteFormer(node)
        node.home = nil
        node.pending = nil
    }

    private func noteFormer(_ node: ModelNode) {
        if !node.flags.isDisjoint(with: [.isKnown, .wasKnown]) { node.flags.insert(.isFormer) }
        node.flags.subtract([.isKnown, .wasKnown])
    }

    // MARK: Retained objects

    /// Whether there are original values that could be restored.
    var hasOriginals: Bool { !changeSets.isEmpty || !changed.isEmpty }

    /// Retains an object that nothing refers to.
    func retain(_ node: ModelNode) {
        guard let model = node.model else { return }
        node.home = self
        node.flags.insert([.isRetained, .reports])
        retained[node.uuid] = model
    }

    /// Releases all retained objects.
    func forgetRetained() {
        for object in retained.values { forgetKept(object.modelNode) }
        var taken = Array(retained.values)
        retained = ModelTable()
        departed = []
        ModelTeardown.free(&taken)
    }

    private func forgetKept(_ node: ModelNode) {
        node.flags.remove(.isRetained)
        noteFormer(node)
        guard !node.flags.contains(.isInScope) else { return }
        if let model = node.model { formers.add(model) }
        node.home = nil
        node.pending = nil
    }

    /// Releases the retained objects that no original value refers to, directly or through other retained objects.
    /// Frees cycles of objects that left.
    func reviewRetained() {
        forgetUnreferred()
        formers.freeCircles()
    }

    private func forgetUnreferred() {
        if retained.isEmpty { return }
        if !hasOriginals { return forgetRetained() }
        searches &+= 1
        let search = searches
        var reached: [ModelNode] = []
        func reach(_ id: String) {
            guard let uuid = ModelID(wireText: id), let object = retained[uuid] else { return }
            reach(object.modelNode)
        }
        func reach(_ node: ModelNode) {
            guard node.flags.contains(.isRetained), node.mark != search else { return }
            node.mark = search
            reached.append(node)
        }
        for object in retained.values where changeSets.refers(to: object.modelNode.uuid) { reach(object.modelNode) }
        for node in changed { node.pending?.forEachReference(reach) }
        while let node = reached.popLast() {
            node.forEachChild { reach($0.modelNode) }
            node.pending?.forEachReference(reach)
        }
        var gone: [any ModelObject] = []
        for object in retained.values where object.modelNode.mark != search { gone.append(object) }
        for object in gone {
            forgetKept(object.modelNode)
            retained[object.modelNode.uuid] = nil
        }
        departed.removeAll { !$0.flags.contains(.isRetained) && !$0.flags.contains(.isInScope) }
        ModelTeardown.free(&gone)
    }
}
