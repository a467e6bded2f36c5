internal import HeliumConcurrency
internal import Synchronization

/// The models of a collection, in order.
final class ModelList<Model: EntityHolder>: Sendable {
    /// What a list changed.
    struct Changes: Sendable {
        var inserted: [Model] = []
        var updated: [Model] = []
        var removed: [Model] = []

        var isOfMembership: Bool { !inserted.isEmpty || !removed.isEmpty }
    }

    private struct State: Sendable {
        var models: [Model] = []
        /// Whom `models` has, so that adding many takes no longer for each.
        var members: Set<ObjectIdentifier> = []
        /// When the last complete list was asked for: an earlier one that comes later is no news.
        var lastList: UInt64 = 0

        mutating func replace(_ new: [Model]) {
            models = new
            members = Set(new.map { ObjectIdentifier($0) })
        }
    }

    private let state = Guarded(State())

    var all: [Model] { state.withLock { $0.models } }

    func model(id: Model.ListID) -> Model? { all.first { $0.listID == id } }

    /// Adds a model at the end unless it is there.
    ///
    /// - Returns: Whether it was added.
    func add(_ model: Model) -> Bool {
        state.withLock { state in
            guard state.members.insert(ObjectIdentifier(model)).inserted else { return false }
            state.models.append(model)
            return true
        }
    }

    /// - Returns: Whether it was there.
    func remove(_ model: Model) -> Bool {
        state.withLock { state in
            guard state.members.remove(ObjectIdentifier(model)) != nil else { return false }
            state.models.removeAll { $0 === model }
            return true
        }
    }

    /// - Returns: The models that went.
    func removeDeleted() -> [Model] {
        state.withLock { state in
            let isDeleted = state.models.map { $0.core.state.withLock { $0.isDeleted } }
            let gone = zip(state.models, isDeleted).filter(\.1).map(\.0)
            if !gone.isEmpty { state.replace(zip(state.models, isDeleted).filter { !$0.1 }.map(\.0)) }
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
        state.withLock { state in
            if context.askedAt < state.lastList { return }
            if isComplete { state.lastList = context.askedAt }
            let models = state.models
            let members = models.map {
                CollectionPlan.Member(id: $0.listID, hasUnsavedWork: $0.mustStay(since: context.askedAt))
            }
            let plan = CollectionPlan(members: members, list: list.map(Model.listID), isComplete: isComplete)
            changes.removed = plan.removed.map { models[$0] }
            let placed = plan.places.map { place -> Model in
                switch place {
                case .kept(let member):
                    return models[member]
                case .updated(let member, let element):
                    updates.append((models[member], element))
                    return models[member]
                case .inserted(let element):
                    let model = Model(known: list[element], context, parent: parent)
                    changes.inserted.append(model)
                    return model
                }
            }
            state.replace(placed)
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
    mutating func add<Model: EntityHolder>(_ changes: ModelList<Model>.Changes) {
        insertedChildren += changes.inserted.compactMap { $0.listID?.description }
        updatedChildren += changes.updated.compactMap { $0.listID?.description }
        removedChildren += changes.removed.compactMap { $0.listID?.description }
    }
}
