/// The plan for updating a collection's models with a list. It is a pure decision based on ids.
///
/// Models keep their identity, so their holders see them change in place. Only a complete list removes models, and
/// never one with unsaved work.
struct CollectionPlan<ID: Hashable & Sendable>: Hashable, Sendable {
    /// A model of the collection, as far as the decision needs it.
    struct Member: Hashable, Sendable {
        /// Its id; `nil` for a model without an id.
        var id: ID?
        /// Whether the model is kept even if the list does not contain it, because it is new or has unsaved members.
        var hasUnsavedWork: Bool
    }

    /// A position in the updated collection.
    enum Place: Hashable, Sendable {
        /// The model at an index of the collection, updated with the element at an index of the list.
        case updated(member: Int, element: Int)
        /// A new model for the element at an index of the list.
        case inserted(element: Int)
        /// The model at an index of the collection, unchanged.
        case kept(member: Int)
    }

    /// The updated collection in its order.
    private(set) var places: [Place] = []
    /// The indices of the models that are removed.
    private(set) var removed: [Int] = []

    /// Creates the plan.
    ///
    /// The order is that of the list. Models that the list does not contain come after it. Of two elements with the
    /// same id the last one is used, at the position of the first. Elements without an id are left out, because they
    /// cannot be matched.
    ///
    /// - Parameters:
    ///   - isComplete: Whether the list is complete, so that models that it does not contain are removed.
    ///   - unreadable: The ids of elements that the list has, but that could not be read. Their models are kept.
    init(members: [Member], list: [ID?], isComplete: Bool, unreadable: Set<ID> = []) {
        var indices: [ID: Int] = [:]
        for (index, member) in members.enumerated() {
            if let id = member.id, indices[id] == nil { indices[id] = index }
        }
        var placeOfID: [ID: Int] = [:]
        var isPlaced = [Bool](repeating: false, count: members.count)
        for (element, id) in list.enumerated() {
            guard let id else { continue }
            let member = indices[id]
            let place = member.map { Place.updated(member: $0, element: element) } ?? .inserted(element: element)
            if let earlier = placeOfID[id] {
                places[earlier] = place
            } else {
                placeOfID[id] = places.count
                places.append(place)
            }
            if let member { isPlaced[member] = true }
        }
        for (index, member) in members.enumerated() where !isPlaced[index] {
            let isKept = !isComplete || member.hasUnsavedWork || member.id.map(unreadable.contains) ?? false
            if !isKept { removed.append(index) } else { places.append(.kept(member: index)) }
        }
        if !isComplete { keepOrder(of: members.count) }
    }

    /// Restores the order of the models, because a partial list does not determine it. New models come last.
    private mutating func keepOrder(of count: Int) {
        var present = [Place?](repeating: nil, count: count)
        var new: [Place] = []
        for place in places {
            switch place {
            case .updated(let member, _), .kept(let member): present[member] = place
            case .inserted: new.append(place)
            }
        }
        places = present.compactMap(\.self) + new
    }
}
