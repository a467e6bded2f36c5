internal import Foundation
internal import HeliumConcurrency
internal import HeliumJSON

/// A fragment that is about to become part of a change set.
struct RecordedFragment {
    var fragment: SyncFragment
    /// The former values of the properties, in the order of the fragment. An add only has them for an object that
    /// belonged to the scope before.
    var originals: [(property: ModelProperty, value: JSONValue)]
    var object: any ModelObject
    /// Whether the fragment adds an object that, as far as this side knows, the server does not have.
    var isNew = false
}

// MARK: Recording

extension ModelNode {
    /// Returns the value before a change in its recorded form; `nil` if the change is not recorded or is not the first.
    func recordedJSON(_ property: ModelProperty, _ original: (ModelFormat) -> JSONValue) -> JSONValue? {
        guard property.isSynced, !flags.isDisjoint(with: [.isKnown, .wasKnown]), !isApplying, let home,
            home.isRecording, pending?.contains(property) != true
        else { return nil }
        return withPlaceholders(original(home.format), property)
    }

    /// Records the first change of a property in a batch.
    func record(_ property: ModelProperty, _ original: JSONValue) {
        guard let home else { return }
        if !flags.contains(.isKnown) {
            // Changes of a removed object are only sent if it comes back.
            if pending == nil { pending = PendingChange() }
        } else {
            home.noteChange(of: self)
            if property.isLink { home.noteUnsentLinks(from: self, property, original) }
        }
        pending?.add(property, original)
    }
}

extension Scope {
    /// Adds an object to the list of changed objects, and opens a batch if there is none.
    func noteChange(of node: ModelNode) {
        guard isRecording else { return }
        let pending = node.pending ?? PendingChange()
        node.pending = pending
        if !pending.isListed {
            pending.isListed = true
            pending.position = changed.count
            changed.append(node)
            for (property, original) in pending.originals where property.isLink {
                noteUnsentLinks(from: node, property, original)
            }
        }
        if !isBatchOpen {
            isBatchOpen = true
            hooks?.batchBegan()
        }
    }
}

// MARK: Values

extension ModelNode {
    /// Returns the value of a property as sent on the wire, including objects of unknown classes.
    func json(_ property: ModelProperty, _ format: ModelFormat) -> JSONValue {
        guard let model, let access = property.access else { return .null }
        return withPlaceholders(access.json(model, format), property)
    }

    /// Adds the objects of unknown classes that belong to the property to a value.
    func withPlaceholders(_ json: JSONValue, _ property: ModelProperty) -> JSONValue {
        guard let slots = extras?.placeholders[property.index], let first = slots.first else { return json }
        guard case .array(let elements) = json else {
            return json.isNull ? .string(first.placeholder.uuid.wireText) : json
        }
        // Each follows the element that preceded it, or goes to the end if that element was removed.
        var following: [ByteText: [PlaceholderSlot]] = [:]
        for slot in slots { following[slot.predecessor?.wireText ?? "", default: []].append(slot) }
        var merged: [JSONValue] = []
        merged.reserveCapacity(elements.count + slots.count)
        func append(after id: String) {
            var waiting = [id]
            while let id = waiting.popLast() {
                guard let slots = following.removeValue(forKey: ByteText(id)) else { continue }
                for slot in slots {
                    merged.append(.string(slot.placeholder.uuid.wireText))
                    waiting.append(slot.placeholder.uuid.wireText)
                }
            }
        }
        append(after: "")
        for element in elements {
            merged.append(element)
            if case .string(let id) = element { append(after: id) }
        }
        for slot in slots where following[slot.predecessor?.wireText ?? ""] != nil {
            append(after: slot.predecessor?.wireText ?? "")
        }
        return .array(merged)
    }

    /// Returns the add of the object: each value that is not `nil`, and members that the class does not declare.
    func addFragment(_ format: ModelFormat) -> SyncFragment? {
        guard let model else { return nil }
        if let placeholder = model as? ModelPlaceholder {
            return SyncFragment(
                .add,
                uuid: uuid,
                className: placeholder.placeholderClassName,
                properties: placeholder.members
            )
        }
        let schema = schema(of: model)
        var values: [JSONValue] = []
        values.reserveCapacity(schema.sent.count)
        for index in schema.sent.indices { values.append(schema.sent[index].access.json(model, format)) }
        guard extras != nil || !schema.hasDistinctNames else {
            return SyncFragment(
                .add,
                uuid: uuid,
                className: schema.className,
                storage: .values(values, schema.sentNames)
            )
        }
        var properties = JSONObject()
        for (sent, value) in zip(schema.sent, values) {
            let property = schema.properties[sent.index]
            let value = withPlaceholders(value, property)
            if !value.isNull, properties[property.name] == nil { properties[property.name] = value }
        }
        if let unknown = extras?.unknownMembers {
            for (name, value) in unknown where properties[name] == nil { properties[name] = value }
        }
        return SyncFragment(.add, uuid: uuid, className: schema.className, properties: properties)
    }
}

extension ModelNode {
    /// Returns the values of an object that was removed from the server's tree, as the server had them or receives them: the
    /// values before unsent changes, those that pending sets give, and the current ones for other properties. While the
    /// server does not have an object, its changes are not recorded, so that the current values may differ from these.
    ///
    /// They are restored if the server rejects that set and the object's add. For an object that came back, they are
    /// the values that reverts of pending sets restore, and they receive changes by others that precede the add.
    fileprivate func allOriginals(
        _ format: ModelFormat,
        after sets: ChangeSetQueue
    ) -> [(property: ModelProperty, value: JSONValue)] {
        guard let model else { return [] }
        return schema(of: model).properties.filter(\.isSynced).map { property in
            let value =
                pending?.original(of: property)
                ?? sets.last(touching: self, property)?.value(of: property, of: model)
            return (property, value ?? json(property, format))
        }
    }
}

// MARK: Collecting

extension Scope {
    /// The time at which throttled values are due; `nil` if there are none (Docs/Protocols/Jetstream.md §3.5). The
    /// session collects changes again at that time.
    package var nextDeadline: Duration? { throttledUntil }

    /// Returns and clears the recorded changes of objects that the server has, and the adds of the objects that they
    /// refer to.
    ///
    /// - Parameter now: The time of any monotonic clock. Throttled values that are not due remain recorded. `nil`
    ///   returns them too; they count as sent at the time of the session's clock.
    func takeRecorded(at now: Duration?) -> [RecordedFragment] {
        if isRootFreed { rootWasFreed() }
        let time = (now ?? hooks?.uptime()).map(Self.bounded)
        let nodes = changed.compactMap { $0 }
        changed = []
        unsentParents = nil
        isBatchOpen = false
        throttledUntil = nil
        var waiting: [ModelNode] = []
        var changes: [(node: ModelNode, originals: [(property: ModelProperty, value: JSONValue)])] = []
        for node in nodes {
            // An object that left and came back is listed twice.
            guard node.home === self, let pending = node.pending, pending.isListed else { continue }
            pending.isListed = false
            guard node.flags.contains(.isKnown), node.isInScope || node.flags.contains(.isLinkedWeakly) else {
                // Objects that left are removed by the server, unless it rejects the removal. New objects are added if
                // anything that is sent refers to them.
                if node.scope == nil, node.flags.isDisjoint(with: [.isKnown, .wasKnown]), !pending.isKept {
                    node.pending = nil
                }
                continue
            }
            let held = time.map { hold(pending, of: node, at: $0, isForced: now == nil) } ?? []
            let due = pending.originals.filter { change in !held.contains { $0 === change.property } }
            if held.isEmpty {
                node.pending = nil
            } else {
                pending.removeAll { property in !held.contains { $0 === property } }
                waiting.append(node)
            }
            if !due.isEmpty { changes.append((node, due)) }
        }
        for (position, node) in waiting.enumerated() {
            node.pending?.isListed = true
            node.pending?.position = position
        }
        changed = waiting
        let adds = newObjects(referredToBy: changes)
        let fragments = fragments(of: nodes, changes, adds)
        if hasOneSidedLinks {
            for (node, originals) in changes { noteLostLinks(of: node, originals) }
        }
        reviewDeparted()
        hasUnsentLinks = changed.contains { $0?.pending?.hasLinks ?? false }
        return fragments
    }

    /// A century, in seconds.
    private static let longestSyncInterval = Double(Duration.century.components.seconds)

    /// Returns a time that intervals and other times can be added to.
    private static func bounded(_ time: Duration) -> Duration {
        min(max(time, .seconds(Int64.min)), .seconds(Int64.max))
    }

    /// Returns the throttled properties that are not due yet, and notes the time of the others.
    ///
    /// - Parameter isForced: Whether all properties are due.
    private func hold(
        _ pending: PendingChange,
        of node: ModelNode,
        at now: Duration,
        isForced: Bool
    ) -> [ModelProperty] {
        var held: [ModelProperty] = []
        for (property, _) in pending.originals where property.attributes.minSyncInterval > 0 {
            // A duration cannot be infinite.
            let interval = Duration.seconds(min(property.attributes.minSyncInterval, Self.longestSyncInterval))
            if !isForced, let last = node.extras?.lastSync[property.index], now - last < interval {
                held.append(property)
                throttledUntil = min(throttledUntil ?? last + interval, last + interval)
            } else {
                node.makeExtras().lastSync[property.index] = now
            }
        }
        return held
    }

    /// Returns the objects that the server does not have and that the changes refer to, directly or through other such
    /// objects, in the order in which they are found.
    private func newObjects(
        referredToBy changes: [(node: ModelNode, originals: [(property: ModelProperty, value: JSONValue)])]
    ) -> [ModelNode] {
        searches &+= 1
        let search = searches
        var found: [ModelNode] = []
        func find(_ object: any ModelObject, below parent: ModelNode) {
            let node = object.modelNode
            guard !node.flags.contains(.isKnown), node.mark != search else { return }
            if node.isInScope {
                guard node.isAt(self) else { return }
            } else {
                // What the tree does not have is only below objects that it does not have either.
                guard !parent.isInScope, node.home == nil || node.isAt(self) else { return }
                node.bind(object)
                retain(node)
            }
            node.mark = search
            found.append(node)
        }
        // A weak property does not make its object a part of the tree, but the server must have the object.
        func findWeak(_ node: ModelNode) {
            guard node.isIn(self), !node.flags.contains(.isKnown), node.mark != search else { return }
            node.mark = search
            found.append(node)
        }
        for (node, originals) in changes {
            for (property, _) in originals where property.isLink {
                node.forEachChild(of: property) { object in
                    if property.isWeakLink { findWeak(object.modelNode) } else { find(object, below: node) }
                }
            }
        }
        var next = 0
        while next < found.count {
            let node = found[next]
            next += 1
            guard let model = node.model else { continue }
            for property in node.schema(of: model).references where property.isSynced {
                node.forEachChild(of: property) { find($0, below: node) }
            }
            forEachWeakChild(of: node) { child, _ in findWeak(child) }
            if node.flags.contains(.isPlaceholder) { node.forEachChild { find($0, below: node) } }
        }
        return found
    }

    /// Returns the fragments, in the order in which their objects were added or first changed.
    private func fragments(
        of nodes: [ModelNode],
        _ changes: [(node: ModelNode, originals: [(property: ModelProperty, value: JSONValue)])],
        _ adds: [ModelNode]
    ) -> [RecordedFragment] {
        var fragments: [RecordedFragment] = []
        func add(_ node: ModelNode) {
            guard !node.flags.contains(.isKnown), let object = node.model, var fragment = node.addFragment(format)
            else {
                return
            }
            // The properties are built once, because they are accessed often while the set is pending.
            fragment.properties = fragment.properties
            let isNew = !node.flags.contains(.wasKnown)
            let mayBeKnown = !isNew || node.flags.contains(.isFormer)
            let originals = mayBeKnown ? node.allOriginals(format, after: changeSets) : []
            node.flags.insert(.isKnown)
            node.flags.subtract([.wasKnown, .isFormer, .isConfirmed])
            node.pending = nil
            if node.isInScope { forget(node) } else { node.flags.insert(.isLinkedWeakly) }
            fragments.append(
                RecordedFragment(fragment: fragment, originals: originals, object: object, isNew: isNew)
            )
        }
        let search = searches
        var nextChange = 0
        for node in nodes {
            if nextChange < changes.count, changes[nextChange].node === node {
                let originals = changes[nextChange].originals
                nextChange += 1
                guard let object = node.model else { continue }
                let members = originals.map { ($0.property.name, node.json($0.property, format)) }
                let fragment = SyncFragment(
                    .change,
                    uuid: node.uuid,
                    className: object.className,
                    properties: JSONObject(members)
                )
                fragments.append(RecordedFragment(fragment: fragment, originals: originals, object: object))
            } else if node.mark == search, node.isAt(self) {
                add(node)
            }
        }
        for node in adds { add(node) }
        // Nothing that is sent refers to the other objects. They wait until something does.
        for node in nodes where node.home === self && node.flags.isDisjoint(with: [.isKnown, .wasKnown]) {
            if node.pending?.isKept != true { node.pending = nil }
        }
        return fragments
    }
}

extension ModelNode {
    /// Calls `body` with each object that a property refers to, including objects of unknown classes.
    func forEachChild(of property: ModelProperty, _ body: (any ModelObject) -> Void) {
        guard let model else { return }
        property.access?.forEachObject(model, body)
        for slot in extras?.placeholders[property.index] ?? [] { body(slot.placeholder) }
    }
}
