internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// The models of a collection, in order.
final class ModelList<Model: EntityHolder>: Sendable {
    /// The changes of a list.
    struct Changes: Sendable {
        var inserted: [Model] = []
        var updated: [Model] = []
        var removed: [Model] = []

        var isOfMembership: Bool { !inserted.isEmpty || !removed.isEmpty }
    }

    private struct State: Sendable {
        var models: [Model] = []
        /// The members of `models`. With this set, adding a model takes constant time.
        var members: Set<ObjectIdentifier> = []
        /// The number of the request of the last complete list. A list that was requested earlier adds and removes no
        /// models.
        var lastList: UInt64 = 0
        /// The ids of models that were deleted and left the list, each with the number of that. A list that was
        /// requested earlier does not bring them back.
        var departures: [Model.ListID: UInt64] = [:]

        /// Notes that models have left the list. Those that exist on the server can come back.
        mutating func noteDepartures(of gone: [Model]) {
            if departures.count > departureLimit { departures = [:] }
            for model in gone where model.core.state.withLock({ $0.isDeleted }) {
                if let id = model.listID { departures[id] = EditSequence.next() }
            }
        }

        /// The number of departures that are kept until a list is requested after them.
        private var departureLimit: Int { 1024 }

        mutating func replace(_ new: [Model]) {
            models = new
            members = Set(new.map { ObjectIdentifier($0) })
        }
    }

    private let state = Guarded(State())

    var all: [Model] { state.withLock { $0.models } }

    /// Whether a model with one of the ids was deleted, and no list was requested and applied since.
    func hasDeparted(_ ids: some Sequence<Model.ListID>) -> Bool {
        state.withLock { state in !state.departures.isEmpty && ids.contains { state.departures[$0] != nil } }
    }

    func model(id: Model.ListID) -> Model? { all.first { $0.listID == id } }

    /// Adds a model at the end unless the list contains it.
    ///
    /// - Returns: Whether it was added.
    func add(_ model: Model) -> Bool {
        state.withLock { state in
            guard state.members.insert(ObjectIdentifier(model)).inserted else { return false }
            state.models.append(model)
            return true
        }
    }

    /// - Returns: Whether the list contained it.
    func remove(_ model: Model) -> Bool {
        state.withLock { state in
            guard state.members.remove(ObjectIdentifier(model)) != nil else { return false }
            state.models.removeAll { $0 === model }
            state.noteDepartures(of: [model])
            return true
        }
    }

    /// - Returns: The models that were removed.
    func removeDeleted() -> [Model] {
        state.withLock { state in
            let isDeleted = state.models.map { $0.core.state.withLock { $0.isDeleted } }
            let gone = zip(state.models, isDeleted).filter(\.1).map(\.0)
            state.noteDepartures(of: gone)
            if !gone.isEmpty { state.replace(zip(state.models, isDeleted).filter { !$0.1 }.map(\.0)) }
            return gone
        }
    }

    /// Notes that a model was deleted. Nothing changes while the list contains it.
    ///
    /// A list without the entity can have removed the model before its deletion was confirmed, and a response from
    /// before the deletion can have added another model.
    ///
    /// - Returns: The other models of the entity, which was deleted, except new ones.
    func noteDeletion(of model: Model) -> [Model] {
        state.withLock { state in
            guard let id = model.listID, !state.members.contains(ObjectIdentifier(model)) else { return [] }
            state.noteDepartures(of: [model])
            return state.models.filter { $0.listID == id && !$0.core.state.withLock { $0.isNew } }
        }
    }

    /// Applies a list. Models with the same id are updated in place.
    ///
    /// A list that was requested before the last complete one updates models only. Each model takes what later
    /// documents do not state, such as its children.
    ///
    /// - Parameters:
    ///   - isComplete: Whether the list is complete, so that models that it does not contain are removed.
    ///   - unreadable: The ids of elements that the list has, but that could not be read. Their models are kept. `nil`
    ///     if not all of these ids are known, so that no model is removed.
    ///   - parent: The scope that provides the API and ids of new models.
    func merge(
        _ list: [Model.Entity],
        _ context: DocumentContext,
        isComplete: Bool,
        unreadable: Set<Model.ListID>? = [],
        parent: ModelScope
    ) -> Changes {
        var changes = Changes()
        var updates: [(model: Model, element: Int)] = []
        state.withLock { state in
            let models = state.models
            let departures = state.departures.filter { $0.value > context.askedAt }
            let ids = list.map { Model.listID(of: $0).flatMap { departures[$0] == nil ? $0 : nil } }
            if context.askedAt < state.lastList {
                updates = Self.matches(models, ids)
                return
            }
            if isComplete { state.lastList = context.askedAt }
            // A push can have been sent before the deletion.
            if context.isRequested { state.departures = departures }
            let members = models.map {
                CollectionPlan.Member(id: $0.listID, hasUnsavedWork: $0.mustStay(since: context.askedAt))
            }
            let plan = CollectionPlan(
                members: members,
                list: ids,
                isComplete: isComplete && unreadable != nil,
                unreadable: unreadable ?? []
            )
            changes.removed = plan.removed.map { models[$0] }
            state.noteDepartures(of: changes.removed)
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
        // This happens outside of the lock, because observers may access the collection.
        for (model, element) in updates {
            let own = model.absorb(list[element], context)
            guard !own.isEmpty else { continue }
            changes.updated.append(model)
            model.core.events.send(ModelEvent(context.kind, changes: own))
        }
        return changes
    }

    /// Returns the models that a list with these ids contains, each with the last element that has its id.
    private static func matches(_ models: [Model], _ ids: [Model.ListID?]) -> [(model: Model, element: Int)] {
        let elements = Dictionary(ids.enumerated().map { ($1, $0) }) { $1 }
        return models.compactMap { model in
            guard let id = model.listID, !model.core.state.withLock({ $0.isNew }) else { return nil }
            return elements[id].map { (model, $0) }
        }
    }
}

extension UnreadableItems {
    /// The ids of the items; `nil` if one has none, so that each model of a collection may be its model.
    var completeIDs: [String]? { ids.count == count ? ids : nil }
}

extension ModelChanges {
    /// Adds the changes of the children.
    mutating func add<Model: EntityHolder>(_ changes: ModelList<Model>.Changes) {
        insertedChildren += changes.inserted.compactMap { $0.listID?.description }
        updatedChildren += changes.updated.compactMap { $0.listID?.description }
        removedChildren += changes.removed.compactMap { $0.listID?.description }
    }
}
