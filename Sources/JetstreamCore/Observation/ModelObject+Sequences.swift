extension ModelObject {
    /// The names of the properties that changed, as they change.
    ///
    /// Changes that come while nobody waits are put together: a slow reader gets one element for many changes, with each name
    /// once. The sequence ends with the object or with the task that reads it.
    ///
    /// - Parameter keys: Names on the wire, each a property's. `nil` for all properties.
    public func changes(keys: [String]? = nil) -> ModelChangeSequence {
        let names = modelNode.schema(of: self).properties.map(\.name)
        let changes = ModelChangeSequence()
        changes.state.observations.append(
            add(changes.state, .changes(keys.map(places))) {
                [weak state = changes.state, end = changes.state.makeEnd()] event in
                _ = end
                if case .changed(let property) = event { state?.note(names[property], property) }
            }
        )
        return changes
    }

    /// The names of the properties that changed, as they change: see ``changes(keys:)``.
    public func changes(of keyPath: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>...) -> ModelChangeSequence {
        let schema = modelNode.schema(of: self)
        return changes(keys: ([keyPath] + others).map { schema.properties[property($0).index].name })
    }

    /// An element whenever the object or anything below it changed: its key is empty.
    public func treeChanges() -> ModelChangeSequence {
        let changes = ModelChangeSequence()
        let node = modelNode
        changes.state.observations.append(
            add(changes.state, .tree) { [weak state = changes.state, weak node, end = changes.state.makeEnd()] _ in
                _ = end
                state?.note("", 0)
                node?.home?.beginTreeTurn()
            }
        )
        return changes
    }
}

/// Changes of an object, for one reader in the isolation where the object lives.
public struct ModelChangeSequence: AsyncSequence {
    /// The names of the properties that changed since the last element, in the order of the schema.
    public typealias Element = [String]

    final class State {
        var observations: [ModelObservation] = []
        private var changed: [(index: Int, name: String)] = []
        let signals: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() {
            (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        }

        func note(_ name: String, _ index: Int) {
            if changed.contains(where: { $0.index == index }) { return }
            changed.append((index, name))
            continuation.yield()
        }

        func take() -> [String] {
            let names = changed.sorted { $0.index < $1.index }.map(\.name)
            changed = []
            return names
        }

        /// Ends the sequence when the observed object is gone.
        func makeEnd() -> End { End(continuation) }

        deinit { continuation.finish() }
    }

    final class End {
        private let continuation: AsyncStream<Void>.Continuation
        init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }
        deinit { continuation.finish() }
    }

    let state = State()

    /// Reads the changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let state: State
        var signals: AsyncStream<Void>.AsyncIterator

        /// The next changes; `nil` when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [String]? {
            repeat {
                let names = state.take()
                if !names.isEmpty { return names }
            } while await signals.next(isolation: actor) != nil
            return nil
        }

        /// The next changes; `nil` when the task is cancelled.
        public mutating func next() async -> [String]? { await next(isolation: #isolation) }
    }

    /// An iterator. Several share the elements.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(state: state, signals: state.signals.makeAsyncIterator())
    }
}
