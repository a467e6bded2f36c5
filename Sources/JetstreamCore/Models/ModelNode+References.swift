internal import HeliumJSON
internal import Observation

/// The references of an object in the form of identifiers, which hold no objects.
struct TakenReferences {
    fileprivate var properties: [(property: ModelProperty, value: JSONValue)] = []
    fileprivate var placeholders: [Int: [(id: ModelID, predecessor: ModelID?)]] = [:]
    fileprivate var members: [(name: String, objects: [ModelID])] = []
}

extension ModelNode {
    /// Removes all references to objects without notifications, as if the object was being freed.
    func takeReferences() -> TakenReferences {
        var taken = TakenReferences()
        guard let model else { return taken }
        if let placeholder = model as? ModelPlaceholder {
            taken.members = placeholder.references.map { ($0.name, $0.objects.map(\.modelNode.uuid)) }
            placeholder.takeObjects { _ in }
            return taken
        }
        unnoticed {
            for property in schema(of: model).references {
                guard let access = property.access else { continue }
                taken.properties.append((property, access.json(model, ModelFormat())))
                access.takeObjects(model) { _ in }
            }
        }
        if let extras {
            taken.placeholders = extras.placeholders.mapValues { $0.map { ($0.placeholder.uuid, $0.predecessor) } }
            extras.placeholders = [:]
        }
        return taken
    }

    /// Undoes ``takeReferences()``.
    func putBack(_ taken: TakenReferences, _ source: ModelSource) {
        guard let model else { return }
        if let placeholder = model as? ModelPlaceholder {
            placeholder.putBack(taken.members.map { ($0.name, $0.objects.compactMap { source.object($0.wireText) }) })
        } else {
            unnoticed {
                for (property, value) in taken.properties { _ = property.access?.read(model, value, source) }
            }
            extras?.placeholders = taken.placeholders.mapValues { slots in
                slots.compactMap { id, predecessor in
                    (source.object(id.wireText) as? ModelPlaceholder).map {
                        PlaceholderSlot(placeholder: $0, predecessor: predecessor)
                    }
                }
            }
        }
        flags.remove(.isTornDown)
    }

    /// Runs `body` so that its changes notify neither trees nor observers.
    private func unnoticed(_ body: () -> Void) {
        let observers = registrar
        registrar = nil
        beginTeardown()
        body()
        registrar = observers
    }
}
