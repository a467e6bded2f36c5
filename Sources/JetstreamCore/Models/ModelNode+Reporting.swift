public import HeliumJSON
internal import Observation

extension ModelNode {
    /// Returns the registrar, created at the first read; `nil` while a key path is being resolved.
    @usableFromInline
    func makeRegistrar(_ keyPath: AnyKeyPath) -> NodeRegistrar? {
        if flags.contains(.isProbed) {
            makeExtras().probed.append(keyPath)
            return nil
        }
        let made = NodeRegistrar()
        registrar = made
        return made
    }

    /// Marks the object as being freed: references are removed without notifications from now on.
    @usableFromInline
    func beginTeardown() { flags.insert(.isTornDown) }

    /// Handles a change of a property: updates the tree, records the change and calls the observers, in the order of
    /// Docs/Protocols/Jetstream.md §3.2.
    @usableFromInline
    func report(
        _ model: any ModelObject,
        _ schema: ModelSchema,
        _ ordinal: Int,
        _ difference: ModelDifference,
        _ original: (ModelFormat) -> JSONValue
    ) {
        if flags.contains(.isTornDown) { return }
        let property = schema.properties[schema.inheritedCount + ordinal]
        let oldJSON = recordedJSON(property, original)
        // Until a delayed change is sent, the server has the former references.
        if property.isLink, property.attributes.minSyncInterval > 0, !isApplying { home?.hasOneSidedLinks = true }
        if property.isWeakLink { relinkWeakly(property.index, difference) }
        // The fast path: most changes are local changes of scalar values, in a tree without tree observers.
        if !property.holdsModels, !flags.contains(.isTreeObserved), observers == nil || !hasEventHolder {
            if let oldJSON { record(property, oldJSON) }
            guard let observers else { return }
            observers.fireChange(of: property.index)
            for composite in self.schema(of: model).composites(of: property) {
                observers.fireChange(of: composite.index)
            }
            return
        }
        var events: [() -> Void] = []
        var holder: Scope?
        if property.holdsModels {
            bind(model)
            if !difference.added.isEmpty { noteReferences(of: model) }
            dropPlaceholder(property, difference)
            holder = relink(property.index, isArray: property.isArray, isSynced: property.isSynced, difference, &events)
        }
        if let oldJSON { record(property, oldJSON) }
        if let observers {
            events.append { observers.fire(.changed(property.index)) }
            for composite in self.schema(of: model).composites(of: property) {
                events.append { observers.fire(.changed(composite.index)) }
            }
        }
        invalidateTree(&events)
        deliver(events, heldBy: holder)
    }

    /// Handles changed references that do not belong to a property: those of placeholders.
    func reportReferences(_ model: any ModelObject, _ property: Int, _ difference: ModelDifference) {
        if difference.added.isEmpty && difference.removed.isEmpty { return }
        bind(model)
        if !difference.added.isEmpty { noteReferences(of: model) }
        var events: [() -> Void] = []
        let holder = relink(property, isArray: false, isSynced: true, difference, &events)
        deliver(events, heldBy: holder)
    }

    /// Calls observers now, or at the end of ``Scope/holdingEvents(_:)``.
    ///
    /// - Parameter other: The scope that holds the events if this object does not belong to one that does: an object that is
    ///   made of a fragment may refer to objects of the scope before it belongs to the scope itself.
    func deliver(_ events: [() -> Void], heldBy other: Scope? = nil) {
        if events.isEmpty { return }
        if let eventHolder = eventHolder ?? other { return eventHolder.heldEvents.append(contentsOf: events) }
        for event in events { event() }
    }
}

// MARK: Links

extension ModelNode {
    /// Updates the parents of the objects that a property no longer refers to or newly refers to, and the scope's
    /// members.
    ///
    /// - Returns: The scope that holds the events of one of these objects, if there is one.
    private func relink(
        _ property: Int,
        isArray: Bool,
        isSynced: Bool,
        _ difference: ModelDifference,
        _ events: inout [() -> Void]
    ) -> Scope? {
        let home = home
        let scope = isInScope ? home : nil
        var holder: Scope?
        let observers = isArray ? observers : nil
        if !difference.added.isEmpty, !isSynced { noteOneSidedReferences() }
        // An object in both lists has neither left nor arrived. Counting before removing keeps its link.
        var fresh: [(object: any ModelObject, position: Int)] = []
        if observers != nil {
            for (offset, object) in difference.added.enumerated()
            where object.modelNode.parentCount(of: self, property) == 0 {
                fresh.append((object, difference.start + offset))
            }
        }
        // Entering objects are processed first, because they may hold objects that would otherwise leave. The events of
        // leaving are still delivered first.
        var later: [() -> Void] = []
        for object in difference.added {
            let node = object.modelNode
            node.bind(object)
            let isFirst = node.addParent(self, property) == 0
            node.flags.insert(.reports)
            if flags.contains(.isTreeObserved) { node.markTreeObserved() }
            guard isFirst else { continue }
            if let observers = node.observers {
                holder = holder ?? node.eventHolder
                withProperty(property) { model, key in later.append { observers.fire(.addedToParent(model, key: key)) }
                }
            }
            if let scope {
                scope.linked(node, by: self, isSynced: isSynced, &later)
            } else if node.isInScope, let foreign = node.scope {
                foreign.hasForeignParents = true
            } else if !isApplying, let left = home ?? formerHome {
                // What a peer puts there is noted after all changes were applied.
                left.noteOutside(object)
            }
            if isSynced { home?.gainedLink(node) }
        }
        var gone: [(object: any ModelObject, position: Int)] = []
        for (offset, object) in difference.removed.enumerated()
        where object.modelNode.removeParent(self, property) == 0 {
            gone.append((object, difference.start + offset))
        }
        for (object, position) in gone {
            let node = object.modelNode
            if let observers = node.observers {
                holder = holder ?? node.eventHolder
                withProperty(property) { model, key in
                    events.append { observers.fire(.removedFromParent(model, key: key)) }
                }
            }
            if let scope, node.scope === scope, node.isAnchored(by: self), !isLinked(to: node) {
                scope.unlinked(node, &events)
            }
            if isSynced { home?.lostLink(node) }
            if let observers {
                events.append { observers.fire(.elementRemoved(property, object, position)) }
            }
        }
        events += later
        guard let observers else { return holder }
        for (object, position) in fresh {
            events.append { observers.fire(.elementAdded(property, object, position)) }
        }
        guard observers.observesMoves(of: property) else { return holder }
        for move in ArrayMoves.moves(in: difference) {
            events.append { observers.fire(.elementMoved(property, move.object, move.from, move.to)) }
        }
        return holder
    }

    /// Updates the links that only the server counts: those of a weak property.
    private func relinkWeakly(_ property: Int, _ difference: ModelDifference) {
        let home = home
        if !difference.added.isEmpty { noteOneSidedReferences() }
        for object in difference.added {
            let node = object.modelNode
            node.bind(object)
            let extras = node.makeExtras()
            let parents = extras.weakParents ?? OtherParents()
            extras.weakParents = parents
            _ = parents.add(self, property)
            home?.gainedLink(node)
        }
        for object in difference.removed {
            let node = object.modelNode
            _ = node.extras?.weakParents?.remove(self, property)
            home?.lostLink(node)
        }
    }

    private func noteOneSidedReferences() {
        flags.insert(.hasOneSidedReferences)
        home?.hasOneSidedLinks = true
    }

    /// Returns whether any property refers to a child.
    func isLinked(to child: ModelNode) -> Bool {
        var isLinked = false
        child.forEachParent { parent, _ in
            isLinked = parent === self
            return !isLinked
        }
        return isLinked
    }

    /// Calls `body` with each object that this one refers to, including objects of unknown classes.
    func forEachChild(_ body: (any ModelObject) -> Void) {
        guard flags.contains(.hasReferences), let model else { return }
        if flags.contains(.isPlaceholder) {
            (model as? ModelPlaceholder)?.forEachObject(body)
            return
        }
        schema(of: model).forEachObject(of: model, body)
        guard let extras, !extras.placeholders.isEmpty else { return }
        for (_, slots) in extras.placeholders.sorted(by: { $0.key < $1.key }) {
            for slot in slots { body(slot.placeholder) }
        }
    }

    /// Calls `body` with each object that this one refers to, like ``forEachChild(_:)``, and with the property; `nil` if
    /// one of the objects is of an unknown class, as such references come from the server.
    func forEachReference(_ body: (any ModelObject, ModelProperty?) -> Void) {
        guard flags.contains(.hasReferences), let model else { return }
        if flags.contains(.isPlaceholder) {
            (model as? ModelPlaceholder)?.forEachObject { body($0, nil) }
            return
        }
        for property in schema(of: model).references {
            property.access?.forEachObject(model) { body($0, property) }
        }
        guard let extras, !extras.placeholders.isEmpty else { return }
        for (_, slots) in extras.placeholders.sorted(by: { $0.key < $1.key }) {
            for slot in slots { body(slot.placeholder, nil) }
        }
    }

    /// Reports a change in the tree below to the observers of the tree, here and above.
    private func invalidateTree(_ events: inout [() -> Void]) {
        guard flags.contains(.isTreeObserved) else { return }
        let scope = scope
        let canRemember = scope.map { !$0.hasForeignParents } ?? false
        if let scope, canRemember, treeMark == scope.treeEpoch { return }
        var waiting = [self]
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
        while let node = waiting.popLast() {
            if let scope, canRemember, node.scope === scope {
                if node.treeMark == scope.treeEpoch { continue }
                node.treeMark = scope.treeEpoch
            }
            if let observers = node.observers, observers.observesTree {
                events.append { observers.fire(.treeChanged) }
            }
            node.forEachParent { parent, _ in
                if seen.insert(ObjectIdentifier(parent)).inserted { waiting.append(parent) }
                return true
            }
        }
    }
}
