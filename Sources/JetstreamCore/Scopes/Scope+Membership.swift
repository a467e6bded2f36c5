/// Membership is reachability from the root.
///
/// Each object except the root has an *anchor*: a parent through which it is reached. The anchors form a tree. Cutting
/// another link has no effect on membership. Cutting an anchor costs time proportional to the number of objects below
/// it.
extension Scope {
    // MARK: Entering

    /// Handles a new reference from a parent in the scope to a node.
    func linked(_ node: ModelNode, by parent: ModelNode, isSynced: Bool, _ events: inout [() -> Void]) {
        if node.isInScope {
            hasSharedObjects = true
            // An object belongs to one scope only.
            assert(node.isIn(self), "an object of one scope can't refer to an object of another scope")
            return
        }
        // What a peer puts below an object that a pending set has removed is removed with it.
        let isKnown = isApplying && isSynced && parent.flags.contains(.isKnown)
        enter(node, anchor: parent, isKnown: isKnown, &events)
    }

    /// Adds a node and everything that it refers to: the node first, then depth-first.
    ///
    /// If the server has the node, it also has what synced properties lead to from there. What only local properties and
    /// unsent changes lead to follows at the end, as unknown objects.
    func enter(_ node: ModelNode, anchor: ModelNode?, isKnown: Bool, _ events: inout [() -> Void]) {
        if node.isInScope { return }
        // The lists stay empty for an object without others below it, so that the common case is fast.
        var entered: [ModelNode] = []
        var waiting: [ModelNode] = []
        var local: [(node: ModelNode, parent: ModelNode)] = []
        node.anchor = anchor
        enter(node, isKnown: isKnown, below: &waiting, local: &local, &events)
        while let node = waiting.popLast() {
            if node.isInScope {
                hasSharedObjects = true
                continue
            }
            enter(node, isKnown: isKnown, below: &waiting, local: &local, &events)
            entered.append(node)
        }
        for (node, parent) in local {
            if node.isInScope { hasSharedObjects = true } else { enter(node, anchor: parent, isKnown: false, &events) }
        }
        noteForeignParents(of: node)
        for node in entered { noteForeignParents(of: node) }
    }

    private func enter(
        _ node: ModelNode,
        isKnown: Bool,
        below: inout [ModelNode],
        local: inout [(node: ModelNode, parent: ModelNode)],
        _ events: inout [() -> Void]
    ) {
        take(node, isKnown: isKnown)
        if let observers = node.observers { events.append { observers.fire(.attached(self)) } }
        let start = below.count
        if isKnown, node.flags.contains(.hasOneSidedReferences) || node.pending?.hasLinks == true {
            node.forEachReference { child, property in
                let childNode = child.modelNode
                childNode.bind(child)
                if property.map({ $0.isSynced && isSent($0, of: node, to: childNode) }) ?? true {
                    put(childNode, below: node, onto: &below)
                } else {
                    local.append((childNode, node))
                }
            }
            // The server has what weak properties and the values before unsent changes refer to, too.
            forEachWeakChild(of: node) { child, _ in gainedLink(child) }
            node.pending?.forEachReference { if let child = heldNode($0) { gainedLink(child) } }
        } else {
            node.forEachChild { child in
                let childNode = child.modelNode
                childNode.bind(child)
                put(childNode, below: node, onto: &below)
            }
        }
        var (first, last) = (start, below.count - 1)
        while first < last {
            below.swapAt(first, last)
            (first, last) = (first + 1, last - 1)
        }
    }

    private func put(_ node: ModelNode, below parent: ModelNode, onto below: inout [ModelNode]) {
        if node.isInScope {
            hasSharedObjects = true
            return gainedLink(node)
        }
        // Of several parents, the last one that arrives here becomes the anchor. The node is reached from it first.
        node.anchor = parent
        below.append(node)
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
            node.home?.unlist(node)
            node.home = self
            if let pending = node.pending, !pending.isKept || !formers.contains(node) { node.pending = nil }
            node.flags.subtract([.isKnown, .wasKnown, .isLinkedWeakly, .isDoubtful])
        }
        // A pending set has removed the object from the server's tree. Until it is added again, it stays retained.
        if isKnown || node.flags.contains(.isKnown) || !node.flags.contains(.wasKnown) { forget(node) }
        if node.flags.contains(.hasOneSidedReferences) { hasOneSidedLinks = true }
        let wasLinkedWeakly = node.flags.contains(.isLinkedWeakly)
        noteNotLinkedWeakly(node)
        node.flags.insert([.isInScope, .reports])
        node.treeMark = 0
        if hasFormers { formers.remove(node) }
        if !isRoot(node) { objects.append(node) }
        if isKnown {
            node.flags.insert(.isKnown)
            node.flags.remove(.isFormer)
            guard wasLinkedWeakly || node.flags.contains(.wasKnown) || node.pending != nil else { return }
            node.flags.remove(.wasKnown)
            // The removal was rejected, or a peer brought the object back.
            noteChangesMeanwhile(of: node)
        } else if wasLinkedWeakly {
            noteChangesMeanwhile(of: node)
        } else if !node.flags.contains(.isKnown) {
            // The object must be added.
            if let pending = node.pending, !pending.isKept, !node.flags.contains(.wasKnown) {
                pending.removeAll { _ in true }
            }
            noteChange(of: node)
        }
    }

    /// Changes that were made while the object was not in the tree, or not sent before it left, must still be sent.
    func noteChangesMeanwhile(of node: ModelNode) {
        guard let pending = node.pending, !pending.originals.isEmpty else {
            node.pending = nil
            return
        }
        pending.isKept = false
        noteChange(of: node)
    }

    /// Keeps the unsent changes of an object that a peer removed, in case that it comes back.
    func keepChanges(of node: ModelNode) {
        if let pending = node.pending, !pending.originals.isEmpty { pending.isKept = true }
    }

    /// Drops the unsent changes of an object that left, unless they are kept.
    func dropChanges(of node: ModelNode) {
        unlist(node)
        if let pending = node.pending, pending.isKept { pending.isListed = false } else { node.pending = nil }
    }

    /// Removes an object from the list of changed objects, which would keep its node after the object was freed.
    func unlist(_ node: ModelNode) {
        guard let pending = node.pending, pending.isListed, changed.indices.contains(pending.position),
            changed[pending.position] === node
        else { return }
        changed[pending.position] = nil
    }

    // MARK: Leaving

    /// Handles the removal of the link through which a node was reached.
    func unlinked(_ node: ModelNode, _ events: inout [() -> Void]) {
        guard !isRoot(node) else { return }
        // Before the object leaves, because the caller holds it.
        if !isApplying, formers.isSearchDue { freeCircles() }
        node.anchor = nil
        if isApplying {
            if let model = node.model { suspects.append(model) }
        } else {
            leave(unreachable([node]), &events)
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
                guard child.isAnchored(by: node), child.mark != search else { return }
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
            if isApplying, node.flags.contains(.isKnown) { keepChanges(of: node) }
            if !isApplying, isRecording, !node.flags.isDisjoint(with: [.isKnown, .wasKnown]) {
                // The object may be restored in this batch or by a revert. Until then its changes are recorded.
                if let model = node.model { departed.append(model) }
                retain(node)
            } else if isApplying, hasOneSidedLinks {
                // The server has the object if a weak property leads to it.
                if node.flags.contains(.isKnown) {
                    lost.append(node)
                } else {
                    if hasOriginals, !node.flags.contains(.isFormer) { node.flags.insert(.wasKnown) }
                    gained.append(node)
                }
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
        node.setFormerHome(self)
        dropChanges(of: node)
    }

    /// Notes objects that are outside of the tree, below an object that left. They may refer to each other in a circle, or
    /// to objects that leave, and nothing but this scope could free them then.
    func noteOutside(_ object: any ModelObject) {
        var waiting = [object]
        while let object = waiting.popLast() {
            let node = object.modelNode
            // What is below an object that is noted, or that left, is noted too.
            guard node.home == nil, node.formerHome !== self else { continue }
            node.bind(object)
            node.setFormerHome(self)
            formers.addOutside(object)
            node.forEachChild { waiting.append($0) }
        }
    }

    /// Marks an object that the server had as not known.
    func noteFormer(_ node: ModelNode) {
        if !node.flags.isDisjoint(with: [.isKnown, .wasKnown]) { node.flags.insert(.isFormer) }
        node.flags.subtract([.isKnown, .wasKnown])
    }
}
