/// An event of an object.
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

/// An observer: the events that it is interested in, and its closure.
final class ModelObserver {
    enum Interest {
        /// Changes of these properties; of all properties if `nil`.
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
    /// The report that the closure makes due, at most once per turn.
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

    /// Whether the observer was cancelled or its owner was released.
    var isOver: Bool { handler == nil || (hasOwner && owner == nil) }

    /// Releases the closure. A report that is due is not made.
    func cancel() {
        handler = nil
        report?.cancel()
    }

    func call(_ event: ModelEvent) { handler?(event) }

    /// Returns whether a change of a property matters: the observer is interested, and its report is not due yet.
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

/// The observers of one object, in the order of registration.
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

    /// Calls the observers of a change. Setting a property usually only calls this function.
    func fireChange(of property: Int) {
        var isAnyOver = false
        for observer in observers where observer.isNews(property) {
            if observer.isOver { isAnyOver = true } else { observer.call(.changed(property)) }
        }
        if isAnyOver { observers.removeAll(where: \.isOver) }
    }

    /// Calls the observers that are interested in an event. They may add and remove observers: an added observer does
    /// not receive this event, and a removed one receives no more events.
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

/// The observers of a scope, in the order of registration.
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
    /// The values of which the observers were not notified yet.
    private var due: [Value] = []
    private var isFiring = false

    func add(_ owner: AnyObject?, _ handler: @escaping (Value) -> Void) -> ModelObservation {
        let observer = Observer(owner, handler)
        observers.removeAll(where: \.isOver)
        observers.append(observer)
        return ModelObservation(isOwned: owner != nil) { [weak observer] in observer?.handler = nil }
    }

    /// Removes the observers of an owner. They are not called any more, even if an event is being delivered.
    func removeAll(of owner: AnyObject) {
        for observer in observers where observer.owner === owner { observer.handler = nil }
        observers.removeAll(where: \.isOver)
    }

    /// Calls the observers with each value. If one of them causes another value, all receive it after these.
    func fire(_ values: [Value]) {
        due += values
        if isFiring || due.isEmpty { return }
        isFiring = true
        while !due.isEmpty {
            let values = due
            due = []
            for value in values {
                for observer in observers where !observer.isOver { observer.handler?(value) }
            }
        }
        isFiring = false
        observers.removeAll(where: \.isOver)
    }
}
