internal import HeliumConcurrency
internal import Synchronization

/// A model that a collection holds.
protocol ListedModel: ObservedModel {
    associatedtype ListID: Hashable & Sendable & CustomStringConvertible

    /// By what a list's element and a model are the same.
    static func listID(of entity: Entity) -> ListID?

    /// A model of what the server has.
    init(known entity: Entity, parent: ModelScope)

    /// Takes over a document, the children in it too.
    ///
    /// - Returns: What became different.
    func absorb(_ document: Entity, _ context: DocumentContext) -> ModelChanges

    /// Whether it may not go when a list comes without it that was asked for at `number`.
    func mustStay(since number: UInt64) -> Bool
}

extension ListedModel {
    var listID: ListID? { Self.listID(of: entity) }

    /// Whether it is new, has unsaved members, or was saved after `number`.
    func hasOwnWork(since number: UInt64) -> Bool {
        core.state.withLock { state in
            if state.isDeleted { return false }
            return state.isNew || state.entity.hasUnsavedMembers || state.entity.lastConfirmation > number
        }
    }
}

/// The models of a collection, in order.
final class ModelList<Model: ListedModel>: Sendable {
    /// What a list changed.
    struct Changes: Sendable {
        var inserted: [Model] = []
        var updated: [Model] = []
        var removed: [Model] = []

        var isOfMembership: Bool { !inserted.isEmpty || !removed.isEmpty }
    }

    private let models = Guarded<[Model]>([])

    var all: [Model] { models.withLock { $0 } }

    func model(id: Model.ListID) -> Model? { all.first { $0.listID == id } }

    /// Adds a model at the end unless it is there.
    ///
    /// - Returns: Whether it was added.
    func add(_ model: Model) -> Bool {
        models.withLock { models in
            if models.contains(where: { $0 === model }) { return false }
            models.append(model)
            return true
        }
    }

    /// - Returns: Whether it was there.
    func remove(_ model: Model) -> Bool {
        models.withLock { models in
            guard let index = models.firstIndex(where: { $0 === model }) else { return false }
            models.remove(at: index)
            return true
        }
    }

    /// - Returns: The models that went.
    func removeDeleted() -> [Model] {
        models.withLock { models in
            let gone = models.filter { $0.core.state.withLock { $0.isDeleted } }
            if !gone.isEmpty { models.removeAll { model in gone.contains { $0 === model } } }
            return gone
        }
    }

    /// Takes over a list: models stay where one has the same id, and are changed in place.
    ///
    /// - Parameters:
    ///   - isComplete: Whether what the list leaves out is gone.
    ///   - parent: Whom new models ask for API and ids.
    func merge(
        _ list: [Model.Entity],
        _ context: DocumentContext,
        isComplete: Bool,
        parent: ModelScope
    ) -> Changes {
        var changes = Changes()
        var updates: [(model: Model, element: Int)] = []
        models.withLock { models in
            let members = models.map {
                CollectionPlan.Member(id: $0.listID, hasUnsavedWork: $0.mustStay(since: context.askedAt))
            }
            let plan = CollectionPlan(members: members, list: list.map(Model.listID), isComplete: isComplete)
            changes.removed = plan.removed.map { models[$0] }
            models = plan.places.map { place in
                switch place {
                case .kept(let member):
                    return models[member]
                case .updated(let member, let element):
                    updates.append((models[member], element))
                    return models[member]
                case .inserted(let element):
                    let model = Model(known: list[element], parent: parent)
                    changes.inserted.append(model)
                    return model
                }
            }
        }
        // Outside of the lock: observers may look at the collection.
        for (model, element) in updates {
            let own = model.absorb(list[element], context)
            guard !own.isEmpty else { continue }
            changes.updated.append(model)
            model.core.events.send(ModelEvent(context.kind, changes: own))
        }
        return changes
    }
}

extension ModelChanges {
    /// Adds what happened to the children.
    mutating func add<Model: ListedModel>(_ changes: ModelList<Model>.Changes) {
        insertedChildren += changes.inserted.compactMap { $0.listID?.description }
        updatedChildren += changes.updated.compactMap { $0.listID?.description }
        removedChildren += changes.removed.compactMap { $0.listID?.description }
    }
}
