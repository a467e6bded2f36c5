// Unread events are combined, so that a reader never has more of them to process than the object has properties.

extension ModelObject {
    /// Returns a sequence of the names of changed properties.
    ///
    /// Changes that occur while the reader does not wait are combined: a slow reader receives one element for many
    /// changes, with each name once, in the order of the schema. The sequence ends with the object or with the task
    /// that reads it.
    ///
    /// - Parameter keys: Names on the wire. Each must be the name of a property. `nil` for all properties.
    public func changes(keys: [String]? = nil) -> ModelChangeSequence<[String]> {
        let names = modelNode.schema(of: self).properties.map(\.name)
        return sequence(ChangedNames(), .changes(keys.map(places))) { state, event in
            if case .changed(let property) = event { state.note(names[property], property) }
        }
    }

    /// Returns a sequence of the names of changed properties: see ``changes(keys:)``.
    public func changes(
        of keyPath: PartialKeyPath<Self>,
        _ others: PartialKeyPath<Self>...
    ) -> ModelChangeSequence<[String]> {
        changes(keys: ([keyPath] + others).flatMap { properties($0).map(\.name) })
    }

    /// Returns a sequence with an element whenever the object or anything below it changed. Its key is empty.
    public func treeChanges() -> ModelChangeSequence<[String]> {
        let node = modelNode
        return sequence(ChangedNames(), .tree) { [weak node] state, _ in
            state.note("", 0)
            node?.home?.beginTreeTurn()
        }
    }

    /// Returns a sequence of the elements that `note` derives from events. It ends with the object.
    func sequence<Element, State: ModelChangeState<Element>>(
        _ state: State,
        _ interests: ModelObserver.Interest...,
        note: @escaping (State, ModelEvent) -> Void
    ) -> ModelChangeSequence<Element> {
        let end = state.makeEnd()
        for interest in interests {
            // The list of observers may keep the closure for a while after the reader was released, so it must not
            // retain the state.
            _ = add(state, interest) { [weak state] event in
                _ = end
                if let state { note(state, event) }
            }
        }
        return ModelChangeSequence(state: state)
    }
}

/// The unread names of changed properties.
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
