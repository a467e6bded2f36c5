internal import Foundation
internal import HeliumJSON

extension Scope {
    /// Applies fragments of a peer (Docs/Protocols/Jetstream.md §2.2).
    ///
    /// A value of a property that a pending change set changed is not applied; it becomes the value that a revert
    /// restores. Unknown objects and properties are ignored or kept (§2.7). Nothing is recorded.
    ///
    /// - Parameters:
    ///   - fragments: The created and the changed objects. A fragment may refer to objects of later fragments.
    ///   - applyDefaults: Whether properties that a fragment does not name are reset, as with a full state. Default:
    ///     `false`.
    public func applySyncFragments(_ fragments: [SyncFragment], applyDefaults: Bool = false) {
        whenResumed { $0.applyAtOnce(fragments, resetsOthers: applyDefaults) }
    }

    /// Applies fragments even during a pause, for a delivery that has waited for its end.
    func applyAtOnce(_ fragments: [SyncFragment], resetsOthers: Bool = false) {
        applyRemotely { apply(fragments, resetsOthers: resetsOthers) }
        reviewRetained()
        syncObservers.fire([()])
    }

    /// Runs `body`, and calls the observers of what it changes after it has returned.
    ///
    /// Observers may do anything, for example make and submit change sets. They must not run before the scope and its
    /// session agree on the pending sets.
    func holdingEvents(_ body: () -> Void) {
        eventHolds += 1
        body()
        eventHolds -= 1
        if holdsEvents { return }
        let events = heldEvents
        heldEvents = []
        for node in guests { node.extras?.eventHolder = nil }
        guests = []
        for event in events { event() }
        runWaiting()
    }

    /// Also holds the events of those objects of a change set that do not belong to the scope.
    func holdEvents(of set: ChangeSet) {
        for change in set.changes { holdEvents(of: change.object.modelNode) }
    }

    /// Also holds the events of an object that may not belong to the scope.
    private func holdEvents(of node: ModelNode) {
        guard !node.isAt(self), node.extras?.eventHolder == nil else { return }
        node.makeExtras().eventHolder = self
        guests.append(node)
    }

    /// Runs `body` without recording. Objects leave and observers are called after it has returned.
    func applyRemotely(_ body: () -> Void) {
        if isApplying { return body() }
        holdingEvents { applyInOrder(body) }
    }

    private func applyInOrder(_ body: () -> Void) {
        isApplying = true
        if hasUnsentLinks { hasOneSidedLinks = true }
        body()
        var events: [() -> Void] = []
        var cut = suspects
        suspects = []
        leave(unreachable(cut.map(\.modelNode)), &events)
        var gone = reviewLinks()
        isApplying = false
        ModelTeardown.free(&cut)
        ModelTeardown.free(&gone)
        heldEvents += events
    }

    /// Returns the source for resolving references to objects.
    func source(_ others: ModelTable<any ModelObject> = ModelTable()) -> ModelSource {
        ModelSource { [self] id in others[id] ?? node(id)?.model ?? retained[id] }
    }

    private func source(_ made: MadeObjects) -> ModelSource {
        // Objects are mostly referred to in the order in which they were added.
        let next = NextPosition()
        return ModelSource { [self] id in
            made.object(id, expectedAt: &next.position) ?? node(id)?.model ?? retained[id]
        }
    }

    /// The position of the object that is expected next.
    private final class NextPosition {
        // Only accessed by the source, for each reference.
        @exclusivity(unchecked) var position = 0
    }

    func apply(_ fragments: [SyncFragment], resetsOthers: Bool) {
        var made = MadeObjects()
        made.reserveCapacity(fragments.count)
        objects.reserveCapacity(objects.nodes.count + fragments.count)
        /// The index of the object that each fragment created or restored, by the fragment's position.
        var order = [Int?](repeating: nil, count: fragments.count)
        var formerIDs: Set<ModelID> = []
        // The root is not read for each object. Others refer to it weakly, so counting references to it takes a while.
        let rootWords = rootNode?.uuid.words
        let hasRetained = !retained.isEmpty
        for place in fragments.indices where fragments[place].kind == .add {
            let (id, className) = (fragments[place].uuid, fragments[place].className)
            if let rootWords, id.words == rootWords { continue }
            if !objects.isEmpty, node(id) != nil { continue }
            if hasRetained, retained[id] != nil { continue }
            let former = hasFormers ? formers.object(id, className: className) : nil
            // An object that comes back may still be observed.
            if let former { holdEvents(of: former.modelNode) }
            let object = former ?? make(className, id)
            order[place] = made.insert(object)
            // The object was added twice. Both fragments apply to the first instance.
            if order[place] == nil, former == nil, object is ModelPlaceholder { placeholderCount -= 1 }
            if former != nil, order[place] != nil { formerIDs.insert(id) }
        }
        let source = source(made)
        let resetsNull = resetsOthers || hasOriginals
        var rest = fill(made, order, except: formerIDs, of: fragments, source, resetsNull: resetsNull)
        if !formerIDs.isEmpty {
            // An object that comes back has the server's values, or unsent changes of these, before it enters.
            let isFormer = { (step: Step) -> Bool in
                guard case .fragment(let place) = step, fragments[place].kind == .add else { return false }
                return formerIDs.contains(fragments[place].uuid)
            }
            rest = rest.filter(isFormer) + rest.filter { !isFormer($0) }
        }
        /// The created objects to which a second fragment was applied.
        var reapplied: Set<ModelID> = []
        for step in rest {
            let place: Int
            switch step {
            case .fragment(let next): place = next
            case .reference(let reference):
                set(reference, source, resetsNull: resetsNull)
                continue
            }
            let (id, isAdd) = (fragments[place].uuid, fragments[place].kind == .add)
            let new = order[place].map { made.objects[$0] } ?? made[id]
            guard let object = new ?? node(id)?.model ?? retained[id] else { continue }
            let isUnknown = object.modelNode.flags.isDisjoint(with: [.isKnown, .wasKnown])
            if isAdd {
                object.modelNode.flags.insert(.isConfirmed)
                if isUnknown, new == nil, hasOriginals { noteMasked(object.modelNode) }
            }
            // An added object that was here before has left the server's tree, so it has none of its former values. It
            // may not have left here, because pending sets may hold it.
            let isFormer = formerIDs.contains(id)
            let resets = resetsOthers || (isAdd && (isFormer || hasOriginals || (isUnknown && hasOneSidedLinks)))
            let isMade = new != nil && !isFormer
            // Local properties may have held it too. What was changed meanwhile is not recorded and will not be sent.
            let isBack = isFormer || (isAdd && isUnknown && new == nil)
            // Each fragment of a state resets the properties that it does not name (Docs/Protocols/Jetstream.md §2.6).
            // If there are two, the last one counts.
            if isMade, order[place] == nil { reapplied.insert(id) }
            let isReapplied = resetsOthers && !reapplied.isEmpty && reapplied.contains(id)
            apply(
                fragments[place].properties,
                to: object,
                source,
                isNew: isMade && !isReapplied,
                isBack: isBack,
                resetsOthers: resets
            )
            if isBack, hasOriginals { retainLost(below: object.modelNode) }
        }
        // Masked values may refer to new objects, and so may weak properties.
        if hasOriginals || hasOneSidedLinks {
            for node in made.nodes where !node.isInScope || !node.flags.contains(.isKnown) {
                noteMasked(node)
                retainLost(below: node)
            }
        }
        rest = []
        // The others belong to the tree.
        var left = made.takeObjects { !$0.isInScope }
        // A peer may add objects to which only each other refer.
        for object in left where object.modelNode.flags.contains(.hasReferences) { noteOutside(object) }
        ModelTeardown.free(&left)
    }

    /// Handles an object that the server has, although nothing refers to it that the server has as far as this side knows.
    private func noteMasked(_ node: ModelNode) {
        retain(node)
        if hasOriginals {
            // An add of ours would be for a known object.
            node.flags.remove(.isFormer)
            node.flags.insert(.wasKnown)
        }
        gainedLink(node)
    }

    /// Retains the objects that were forgotten with an object and have come back with it, by a value of a pending set, while
    /// a masked value keeps that object out of the tree. The server may have them.
    private func retainLost(below node: ModelNode) {
        guard !node.isInScope else { return }
        var waiting = [node]
        while let parent = waiting.popLast() {
            forEachLinkedChild(of: parent) { child in
                guard child.home == nil else { return }
                noteMasked(child)
                waiting.append(child)
            }
        }
    }

    /// A fragment or a reference that is still to be applied, in order.
    private enum Step {
        case fragment(Int)
        case reference(FreshObjects.Reference)
    }

    /// Fills the objects that were created from fragments in a frame.
    ///
    /// - Parameters:
    ///   - order: The index of the object that each fragment created or restored, by the fragment's position.
    ///   - former: The restored objects.
    /// - Returns: The steps that are still to be applied.
    private func fill(
        _ made: MadeObjects,
        _ order: [Int?],
        except former: Set<ModelID>,
        of fragments: [SyncFragment],
        _ source: ModelSource,
        resetsNull: Bool
    ) -> [Step] {
        var fresh = FreshObjects(self, source)
        var steps: [Step] = []
        // The objects that another fragment precedes.
        var early: Set<ModelID> = []
        for place in fragments.indices {
            let id = fragments[place].uuid
            guard let index = order[place] else {
                if made[id] != nil { early.insert(id) }
                steps.append(.fragment(place))
                continue
            }
            let node = made.nodes[index]
            guard case .parsed(let members) = fragments[place].storage, !node.flags.contains(.isPlaceholder),
                former.isEmpty || !former.contains(id), early.isEmpty || !early.contains(id)
            else {
                steps.append(.fragment(place))
                continue
            }
            node.flags.insert(.isConfirmed)
            fresh.fill(made.objects[index], node, with: members, resetsNull: resetsNull) {
                steps.append(.reference($0))
            }
        }
        return steps
    }

    private func set(_ reference: FreshObjects.Reference, _ source: ModelSource, resetsNull: Bool) {
        let (object, property) = (reference.object, reference.property)
        if placeholderCount > 0 {
            return set(reference.input.value, of: property, of: object, source, resetsNull: resetsNull)
        }
        guard let outcome = property.access?.readInput(object, reference.input, source) else { return }
        if outcome == .null, resetsNull {
            property.access?.reset(object, prototype(of: object.modelNode.schema(of: object)))
        }
    }

    private func make(_ className: String, _ id: ModelID) -> any ModelObject {
        let object: any ModelObject
        if let schema = schema(named: className) {
            object = schema.objectType.init(uuid: id)
        } else {
            let placeholder = ModelPlaceholder(uuid: id)
            placeholder.placeholderClassName = className
            placeholder.modelNode.flags.insert(.isPlaceholder)
            placeholderCount += 1
            object = placeholder
        }
        let node = object.modelNode
        node.bind(object)
        node.setIdentifier(id)
        return object
    }

    /// Sets properties of an object.
    ///
    /// - Parameter isBack: Whether the server has the object again. Default: `false`.
    func apply(
        _ members: JSONObject,
        to object: any ModelObject,
        _ source: ModelSource,
        isNew: Bool,
        isBack: Bool = false,
        resetsOthers: Bool
    ) {
        let node = object.modelNode
        if node.flags.contains(.isPlaceholder) {
            (object as? ModelPlaceholder)?.set(members, source)
            return
        }
        let schema = node.schema(of: object)
        let resets = resetsOthers && !isNew
        var named: Set<Int> = []
        let properties = schema.properties
        var expected = 0
        for (name, value) in members {
            // Members mostly come in the order of the schema.
            let isExpected = expected < properties.count && properties[expected].name.hasSameBytes(as: name)
            guard let property = isExpected ? properties[expected] : schema.property(named: name), !property.isComposite
            else {
                node.makeExtras().unknownMembers[name] = value
                continue
            }
            expected = property.index + 1
            guard property.isSynced else { continue }
            if resets { named.insert(property.index) }
            if !isNew, isMasked(node, property, by: value) {
                if isBack { takeBack(property, of: object, source) }
                continue
            }
            set(value, of: property, of: object, source, resetsNull: resetsOthers)
        }
        guard resets else { return }
        let prototype = prototype(of: schema)
        for property in schema.properties where property.isSynced && !named.contains(property.index) {
            let format = ModelFormat()
            let value = property.holdsModels ? JSONValue?.none : property.access?.json(prototype, format)
            if isMasked(node, property, by: value ?? (property.isArray ? .array([]) : .null)) {
                if isBack { takeBack(property, of: object, source) }
                continue
            }
            property.access?.reset(object, prototype)
            setPlaceholders(of: property, node, object, [])
        }
        if node.extras != nil {
            node.extras?.unknownMembers = JSONObject(
                members.filter { schema.property(named: $0.name)?.isComposite ?? true }
            )
        }
    }

    /// Returns whether a pending change has set a property.
    ///
    /// If so, the remote value becomes the value that a revert of the first such change restores.
    private func isMasked(_ node: ModelNode, _ property: ModelProperty, by value: JSONValue) -> Bool {
        if let set = changeSets.first(touching: node, property) {
            guard let object = node.model else { return true }
            set.setOriginal(value, of: object, property)
            return true
        }
        guard let pending = node.pending, pending.contains(property) else { return false }
        replaceOriginal(of: property, in: pending, of: node, by: value)
        return true
    }

    /// The value that the last pending set gives a property.
    private struct PendingValue {
        let property: ModelProperty
        let object: any ModelObject
        let value: JSONValue
        let source: ModelSource
    }

    /// Returns the value of the last pending set that changed a property or added its object, unless there is a later unsent
    /// change.
    private func pendingValue(
        of property: ModelProperty,
        of object: any ModelObject,
        _ source: ModelSource
    ) -> PendingValue? {
        let objectNode = object.modelNode
        guard objectNode.pending?.contains(property) != true,
            let pending = changeSets.last(touching: objectNode, property) ?? changeSets.last(adding: objectNode),
            let value = pending.value(of: property, of: object) ?? pending.addedValue(of: property, of: object)
        else { return nil }
        // The value may refer to other objects that left. It restores them, as when it was set.
        let others = ModelSource { [self] id in
            source.objectByID(id) ?? pending.object(id) ?? formers.object(id)
        }
        return PendingValue(property: property, object: object, value: value, source: others)
    }

    /// Returns whether the server has lost an object. It is outside of the tree, or only local properties hold it.
    private func isLost(_ node: ModelNode) -> Bool {
        node.home == nil || (node.isAt(self) && node.flags.isDisjoint(with: [.isKnown, .wasKnown]))
    }

    /// Restores a property of an object that the server has again to the value of the last pending set that changed it,
    /// unless there is a later unsent change.
    ///
    /// Only pending sets bring back the objects to which that value refers and that the server has lost. Changes of these
    /// that were made meanwhile are not recorded, so their properties are restored too, before they enter.
    private func takeBack(_ property: ModelProperty, of object: any ModelObject, _ source: ModelSource) {
        guard let first = pendingValue(of: property, of: object, source) else { return }
        var values = [first]
        var found: Set<ObjectIdentifier> = [ObjectIdentifier(object.modelNode)]
        var next = 0
        while next < values.count {
            let referring = values[next]
            next += 1
            guard referring.property.isLink else { continue }
            referring.value.forEachText { id in
                guard let other = referring.source.object(id), isLost(other.modelNode),
                    found.insert(ObjectIdentifier(other.modelNode)).inserted
                else { return }
                holdEvents(of: other.modelNode)
                for property in other.modelNode.schema(of: other).properties where property.isSynced {
                    if let value = pendingValue(of: property, of: other, source) { values.append(value) }
                }
            }
        }
        for pending in values.reversed() {
            set(pending.value, of: pending.property, of: pending.object, pending.source, resetsNull: true)
        }
    }

    private func set(
        _ value: JSONValue,
        of property: ModelProperty,
        of object: any ModelObject,
        _ source: ModelSource,
        resetsNull: Bool
    ) {
        guard let outcome = property.access?.read(object, value, source) else { return }
        switch outcome {
        case .set: updatePlaceholders(value, property, object, source)
        case .null:
            if resetsNull { property.access?.reset(object, prototype(of: object.modelNode.schema(of: object))) }
        case .ignored, .wrongClass: break
        }
    }

    /// Restores an earlier value of a property.
    func restore(_ value: JSONValue, of property: ModelProperty, of object: any ModelObject, _ source: ModelSource) {
        set(value, of: property, of: object, source, resetsNull: true)
    }

    // MARK: Objects of unknown classes

    /// Records the positions of objects of unknown classes in a value.
    private func updatePlaceholders(
        _ value: JSONValue,
        _ property: ModelProperty,
        _ object: any ModelObject,
        _ source: ModelSource
    ) {
        guard placeholderCount > 0, property.holdsModels else { return }
        var slots: [PlaceholderSlot] = []
        var predecessor: ModelID?
        value.forEachText { id in
            guard let found = source.object(id) else { return }
            if let placeholder = found as? ModelPlaceholder {
                slots.append(PlaceholderSlot(placeholder: placeholder, predecessor: predecessor))
            }
            predecessor = found.modelNode.uuid
        }
        setPlaceholders(of: property, object.modelNode, object, slots)
    }

    private func setPlaceholders(
        of property: ModelProperty,
        _ node: ModelNode,
        _ object: any ModelObject,
        _ slots: [PlaceholderSlot]
    ) {
        let old = node.extras?.placeholders[property.index] ?? []
        if old.isEmpty && slots.isEmpty { return }
        node.makeExtras().placeholders[property.index] = slots.isEmpty ? nil : slots
        node.reportReferences(
            object,
            property.index,
            .between(old.map { $0.placeholder as any ModelObject }, slots.map { $0.placeholder as any ModelObject })
        )
    }
}

extension ModelNode {
    /// Removes the object of an unknown class that a reference was a placeholder for, when the reference is set to
    /// another object.
    func dropPlaceholder(_ property: ModelProperty, _ difference: ModelDifference) {
        guard let slots = extras?.placeholders[property.index], !property.isArray, let model else { return }
        extras?.placeholders[property.index] = nil
        reportReferences(model, property.index, .between(slots.map { $0.placeholder as any ModelObject }, []))
    }
}
