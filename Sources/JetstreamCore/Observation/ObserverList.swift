/// A thing that happened to an object.
enum ModelEvent {
    case changed(Int)
    case treeChanged
    case elementAdded(Int, any ModelObject, Int)
    case elementRemoved(Int, any ModelObject, Int)
    case elementMoved(Int, any ModelObject, Int, Int)
    case attached(Scope)
    case detached(Scope)
    case addedToParent(any ModelObject, key: String)
    case removedFromParent(any ModelObject, key: String)
}

/// One observer: which events it wants, and the closure that gets them.
final class ModelObserver {
    enum Interest {
        /// Changes of these properties; of any if `nil`.
        case changes(Set<Int>?)
        case tree
        case additions(Int)
        case removals(Int)
        case moves(Int)
        case attaching
        case detaching
        case parentAdded
        case parentRemoved
    }

    let interest: Interest
    private(set) weak var owner: AnyObject?
    private let hasOwner: Bool
    private var handler: ((ModelEvent) -> Void)?
    /// What the closure makes due, once a turn.
    private let report: CoalescedReport?

    init(
        _ interest: Interest,
        owner: AnyObject?,
        report: CoalescedReport?,
        _ handler: @escaping (ModelEvent) -> Void
    ) {
        self.interest = interest
        self.report = report
        self.owner = owner
        hasOwner = owner != nil
        self.handler = handler
    }

    /// Whether the observer is cancelled, or its owner gone.
    var isOver: Bool { handler == nil || (hasOwner && owner == nil) }

    /// Drops the closure, with what it holds.
    func cancel() { handler = nil }

    func call(_ event: ModelEvent) { handler?(event) }

    /// Whether a change of a property is news: it is wanted, and makes a report due that was not.
    func isNews(_ property: Int) -> Bool {
        guard case .changes(let properties) = interest, report?.isDue != true else { return false }
        return properties?.contains(property) ?? true
    }

    func wants(_ event: ModelEvent) -> Bool {
        switch (interest, event) {
        case (.changes(nil), .changed), (.tree, .treeChanged), (.attaching, .attached), (.detaching, .detached),
            (.parentAdded, .addedToParent), (.parentRemoved, .removedFromParent):
            true
        case (.changes(let properties?), .changed(let property)): properties.contains(property)
        case (.additions(let wanted), .elementAdded(let property, _, _)): wanted == property
        case (.removals(let wanted), .elementRemoved(let property, _, _)): wanted == property
        case (.moves(let wanted), .elementMoved(let property, _, _, _)): wanted == property
        default: false
        }
    }
}

/// The observers of one object, in the order of their registration.
final class ObserverList {
    private var observers: [ModelObserver] = []

    func add(_ observer: ModelObserver) {
        observers.removeAll(where: \.isOver)
        observers.append(observer)
    }

    func removeAll(of owner: AnyObject) {
        for observer in observers where observer.owner === owner { observer.cancel() }
        observers.removeAll(where: \.isOver)
    }

    /// Calls the observers that want to know of a change: most sets of a property come here alone.
    func fireChange(of property: Int) {
        var isAnyOver = false
        for observer in observers where observer.isNews(property) {
            if observer.isOver { isAnyOver = true } else { observer.call(.changed(property)) }
        }
        if isAnyOver { observers.removeAll(where: \.isOver) }
    }

    /// Calls the observers that want an event. They may add and remove observers meanwhile: those that are added do not get
    /// this event, those that are removed get none any more.
    func fire(_ event: ModelEvent) {
        var isAnyOver = false
        for observer in observers {
            if observer.isOver {
                isAnyOver = true
            } else if observer.wants(event) {
                observer.call(event)
            }
        }
        if isAnyOver { observers.removeAll(where: \.isOver) }
    }

    var observesTree: Bool {
        observers.contains {
            if case .tree = $0.interest { return !$0.isOver }
            return false
        }
    }

    func observesMoves(of property: Int) -> Bool {
        observers.contains {
            if case .moves(property) = $0.interest { return !$0.isOver }
            return false
        }
    }
}

/// The observers of a scope, in the order of their registration.
final class ScopeObservers<Value> {
    private final class Observer {
        weak var owner: AnyObject?
        let hasOwner: Bool
        var handler: ((Value) -> Void)?

        init(_ owner: AnyObject?, _ handler: @escaping (Value) -> Void) {
            self.owner = owner
            hasOwner = owner != nil
            self.handler = handler
        }

        var isOver: Bool { handler == nil || (hasOwner && owner == nil) }
    }

    private var observers: [Observer] = []

    func add(_ owner: AnyObject?, _ handler: @escaping (Value) -> Void) -> ModelObservation {
        let observer = Observer(owner, handler)
        observers.removeAll(where: \.isOver)
        observers.append(observer)
        return ModelObservation(isOwned: owner != nil) { [weak observer] in observer?.handler = nil }
    }

    func removeAll(of owner: AnyObject) { observers.removeAll { $0.owner === owner || $0.isOver } }

    func fire(_ value: Value) {
        for observer in observers where !observer.isOver { observer.handler?(value) }
        observers.removeAll(where: \.isOver)
    }
}
