/// What becomes of a collection's models when a list arrives: a pure decision, by ids alone.
///
/// Models are kept by identity: whoever holds one sees it change in place. Only a list that is complete takes models
/// away, and never one that holds unsaved work.
struct CollectionPlan<ID: Hashable & Sendable>: Hashable, Sendable {
    /// A model of the collection as the decision sees it.
    struct Member: Hashable, Sendable {
        /// Its id; `nil` for one that has none yet.
        var id: ID?
        /// Whether it has to stay even if the list doesn't have it: it is new, or has unsaved members.
        var hasUnsavedWork: Bool
    }

    /// A place in the collection afterwards.
    enum Place: Hashable, Sendable {
        /// The model at this index of the collection, updated with the element at that index of the list.
        case updated(member: Int, element: Int)
        /// A new model for the element at this index of the list.
        case inserted(element: Int)
        /// The model at this index of the collection, as it is.
        case kept(member: Int)
    }

    /// The collection afterwards, in its order.
    private(set) var places: [Place] = []
    /// The indices of the models that go.
    private(set) var removed: [Int] = []

    /// Decides.
    ///
    /// The list's order counts; what stays though the list doesn't have it comes after. Of two elements with one id the
    /// last counts, in the place of the first. Elements without an id are left out: nothing could be done with them.
    ///
    /// - Parameter isComplete: Whether the list is all there is, so that what it leaves out is gone.
    init(members: [Member], list: [ID?], isComplete: Bool) {
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
            if isComplete, !member.hasUnsavedWork { removed.append(index) } else { places.append(.kept(member: index)) }
        }
        if !isComplete { keepOrder(of: members.count) }
    }

    /// Part of a list says nothing about order: the models stay where they are, new ones come after.
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
