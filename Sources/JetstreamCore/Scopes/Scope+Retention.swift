/// The objects that the scope retains although the tree does not refer to them.
///
/// The server has some of them because weak properties refer to them; these stay until it loses them. The others stay
/// while original values refer to them (Docs/Protocols/Jetstream.md §4.3). A review after each delivery looks only at the
/// others, so that an object that stays costs nothing while messages about other objects arrive.
extension Scope {
    /// Whether there are original values that could be restored.
    var hasOriginals: Bool { !changeSets.isEmpty || !changed.isEmpty }

    /// Retains an object that the tree or the server does not have.
    func retain(_ node: ModelNode) {
        guard let model = node.model else { return }
        if !node.flags.contains(.isRetained), !node.flags.contains(.isLinkedWeakly) { releasable.append(node.uuid) }
        node.home = self
        node.flags.insert([.isRetained, .reports])
        let other = retained[node.uuid]
        retained[node.uuid] = model
        // The app has used the identifier again. Nothing could refer to the other object any more.
        if let other, other !== model { forgetKept(other.modelNode) }
    }

    /// Removes an object from the table of retained ones, but not another one with the same identifier.
    func removeRetained(_ node: ModelNode) {
        if retained[node.uuid]?.modelNode === node { retained[node.uuid] = nil }
    }

    /// Marks an object as one that no weak property refers to.
    func noteNotLinkedWeakly(_ node: ModelNode) {
        guard node.flags.remove(.isLinkedWeakly) != nil, node.flags.contains(.isRetained) else { return }
        releasable.append(node.uuid)
    }

    /// Retains a node no longer.
    func forget(_ node: ModelNode) {
        if node.flags.contains(.isRetained) {
            node.flags.remove(.isRetained)
            removeRetained(node)
        }
    }

    /// Releases retained objects, except those that the server has.
    private func releaseKept(_ nodes: [ModelNode]) {
        // As far as this side knows, the server still has those that are known: they left when a local property, which is not
        // sent, lost them.
        if hasOneSidedLinks { noteLinkedWeakly(nodes.filter { !$0.isInScope }) }
        // What a pending set or unsent changes removed may still be linked by properties that they did not change: the
        // set was rejected, or others have linked the object again.
        let linked = nodes.filter { $0.flags.contains(.wasKnown) && isSurelyLinked($0) }
        // What is sent must not depend on the order of a table.
        for node in linked.sorted(by: { $0.identifierWords < $1.identifierWords }) { addKnown([node]) }
        releaseUnlinked(nodes)
    }

    /// Releases retained objects, except those that are linked weakly.
    private func releaseUnlinked(_ nodes: [ModelNode]) {
        var gone: [any ModelObject] = []
        for node in nodes where node.flags.contains(.isRetained) && !node.flags.contains(.isLinkedWeakly) {
            if let object = retained[node.uuid], object.modelNode === node { gone.append(object) }
            removeRetained(node)
            forgetKept(node)
        }
        ModelTeardown.free(&gone)
    }

    /// Releases all retained objects of a scope that has no root any more.
    func forgetAll() {
        let nodes = retained.values.map { $0.modelNode }
        for node in nodes { node.flags.remove(.isLinkedWeakly) }
        releaseUnlinked(nodes)
        (releasable, departed) = ([], [])
        for object in doubtful { object.modelNode.flags.remove(.isDoubtful) }
        doubtful = []
    }

    /// Marks a node as not retained. The caller removes its object from the table.
    func forgetKept(_ node: ModelNode) {
        node.flags.remove(.isRetained)
        if !isApplying, node.flags.contains(.isKnown) { forEachLinkedChild(of: node, lostLink) }
        noteFormer(node)
        guard !node.flags.contains(.isInScope) else {
            if let pending = node.pending, !pending.isKept { pending.removeAll { _ in true } }
            return
        }
        if let model = node.model { formers.add(model, wasRetained: true) }
        node.setFormerHome(self)
        dropChanges(of: node)
    }

    /// Releases the retained objects that nothing refers to, and frees cycles of objects that left.
    func reviewRetained() {
        forgetUnreferred()
        // Held events refer to objects that left. The review after them frees these.
        if !holdsEvents { freeCircles() }
    }

    /// Frees cycles among the objects that left.
    func freeCircles() {
        // The deinitializer of an object may change others, so that they leave meanwhile.
        guard var search = formers.takeSearch() else { return }
        addBelow(&search)
        ModelCircles.free(&search.objects)
        formers.endSearch()
    }

    /// Adds the objects that left before and are below those of a search. A cycle may have left in parts, because the scope
    /// or a change set retained one of its objects.
    private func addBelow(_ search: inout FormerObjects.Search) {
        guard search.looksBelow else { return }
        searches &+= 1
        for object in search.objects { object.modelNode.mark = searches }
        var next = 0
        while next < search.objects.count {
            if next >= search.newCount, search.credit <= 0 {
                // The search of all objects finds the others.
                search.objects.removeLast(search.objects.count - next)
                break
            }
            var below: [any ModelObject] = []
            var steps = 1
            search.objects[next].modelNode.forEachChild { child in
                let node = child.modelNode
                steps += 1
                guard node.mark != searches, node.home == nil, node.formerHome === self else { return }
                node.mark = searches
                node.bind(child)
                below.append(child)
            }
            if next >= search.newCount { search.credit -= steps }
            search.objects += below
            next += 1
        }
        formers.spend(search)
    }

    /// Notes objects that a change set no longer refers to. They may be in cycles that were not freed because of it.
    func changeSetReleased(_ objects: [any ModelObject]) {
        for object in objects where object.modelNode.formerHome === self { formers.addReleased(object) }
    }

    /// Releases the retained objects that no original value refers to, directly or through other retained objects.
    func forgetUnreferred() {
        let nodes = releasable.compactMap { id in
            retained[id].map(\.modelNode).flatMap { $0.flags.contains(.isLinkedWeakly) ? nil : $0 }
        }
        if !hasOriginals {
            (releasable, departed) = ([], [])
            return releaseKept(nodes)
        }
        if nodes.isEmpty {
            releasable = []
        } else {
            let referred = markReferred()
            searches &+= 1
            // An object that was retained twice is in the list twice.
            releasable = nodes.compactMap { node in
                guard node.mark == referred else { return nil }
                node.mark = searches
                return node.uuid
            }
            let stay = searches
            releaseKept(nodes.filter { $0.mark != stay })
        }
        departed.removeAll { $0.modelNode.flags.isDisjoint(with: [.isRetained, .isInScope]) }
    }

    /// Marks the retained objects that original values or weak properties refer to, directly or through other retained
    /// objects.
    ///
    /// - Returns: The mark.
    private func markReferred() -> UInt32 {
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
        for object in retained.values {
            let node = object.modelNode
            if node.flags.contains(.isLinkedWeakly) || changeSets.refers(to: node.uuid) { reach(node) }
        }
        for node in changed { node?.pending?.forEachReference(reach) }
        while let node = reached.popLast() {
            node.forEachChild { reach($0.modelNode) }
            forEachWeakChild(of: node) { child, _ in reach(child) }
            node.pending?.forEachReference(reach)
        }
        return search
    }
}
