// A reader gets what happened since its last element, put together: what waits to be read is never more than the object has.

extension ModelObject {
    /// The names of the properties that changed, as they change.
    ///
    /// Changes that come while nobody waits are put together: a slow reader gets one element for many changes, with each name
    /// once, in the order of the schema. The sequence ends with the object or with the task that reads it.
    ///
    /// - Parameter keys: Names on the wire, each a property's. `nil` for all properties.
    public func changes(keys: [String]? = nil) -> ModelChangeSequence<[String]> {
        let names = modelNode.schema(of: self).properties.map(\.name)
        return sequence(ChangedNames(), .changes(keys.map(places))) { state, event in
            if case .changed(let property) = event { state.note(names[property], property) }
        }
    }

    /// The names of the properties that changed, as they change: see ``changes(keys:)``.
    public func changes(
        of keyPath: PartialKeyPath<Self>,
        _ others: PartialKeyPath<Self>...
    ) -> ModelChangeSequence<[String]> {
        let schema = modelNode.schema(of: self)
        return changes(keys: ([keyPath] + others).map { schema.properties[property($0).index].name })
    }

    /// An element whenever the object or anything below it changed: its key is empty.
    public func treeChanges() -> ModelChangeSequence<[String]> {
        let node = modelNode
        return sequence(ChangedNames(), .tree) { [weak node] state, _ in
            state.note("", 0)
            node?.home?.beginTreeTurn()
        }
    }

    /// A sequence of what `note` makes of events. It ends with the object.
    func sequence<Element, State: ModelChangeState<Element>>(
        _ state: State,
        _ interests: ModelObserver.Interest...,
        note: @escaping (State, ModelEvent) -> Void
    ) -> ModelChangeSequence<Element> {
        let end = state.makeEnd()
        for interest in interests {
            // The list of observers may keep the closure for a while after the reader is gone: the state must not be kept by it.
            _ = add(state, interest) { [weak state] event in
                _ = end
                if let state { note(state, event) }
            }
        }
        return ModelChangeSequence(state: state)
    }
}

/// The names of changed properties that were not read yet.
private final class ChangedNames: ModelChangeState<[String]> {
    private var changed: [(index: Int, name: String)] = []

    func note(_ name: String, _ index: Int) {
        if changed.contains(where: { $0.index == index }) { return }
        changed.append((index, name))
        signal()
    }

    override func take() -> [String]? {
        if changed.isEmpty { return nil }
        let names = changed.sorted { $0.index < $1.index }.map(\.name)
        changed = []
        return names
    }
}
