internal import HeliumConcurrency
internal import HeliumJSON

/// The changes of a scope that are sent in one message, and their outcome (Docs/Protocols/Jetstream.md §4).
///
/// ```swift
/// let set = scope.modify { shape.x = 4 }
/// try await set.completion()
/// ```
///
/// The fragments are frozen when the set is sent. A set that was made inside another one is the same object, and has no
/// fragments until the outer closure returns. If the server rejects the set, it is reverted: its properties return
/// to their former values, unless a later set changed them.
public final class ChangeSet {
    /// The progress of a change set.
    public enum State: Sendable, Hashable {
        /// The set is not settled: it has not been sent, or the server has not replied.
        case syncing
        /// The server accepted all fragments.
        case completed
        /// The server rejected some fragments, which were reverted, or some objects were removed before the set was
        /// sent.
        case partiallyReverted
        /// Nothing was accepted. All changes were reverted.
        case reverted
        /// The set was sent in a session that was lost before the reply arrived. It may have been applied. The next
        /// state from the server decides.
        case maybeSent
    }

    /// A fragment, and the values for reverting it.
    struct Change {
        var fragment: SyncFragment
        var originals: [(property: ModelProperty, value: JSONValue)]
        let object: any ModelObject
        /// Whether the fragment adds an object that, as far as this side knows, the server does not have.
        let isNew: Bool
    }

    /// The progress of the set.
    public private(set) var state = State.syncing

    /// The error; `nil` unless the set failed.
    public private(set) var error: JetstreamError?

    /// Whether the server must apply all fragments or none. The original server does not enforce this
    /// (Docs/Protocols/Jetstream.md §4.4).
    public internal(set) var isAtomic: Bool

    /// The procedure of the server that must accept the set: `Model.name`.
    public let procedure: String?

    /// The identifier under which a session sends the set.
    package var changesID: ChangesID?

    /// The error of the changes that could not be reapplied to the state of a new session; `nil` if all could.
    var loss: JetstreamError?

    private(set) var changes: [Change]

    /// The positions of each object's changes; `nil` until first needed. A search of all changes for each object that a
    /// delivery or an add masks would take quadratic time.
    private var places: [ObjectIdentifier: [Int]]?

    /// The position of the first change of each identifier; `nil` until first needed, for the same reason.
    private var positions: ModelTable<Int>?

    /// The objects that left the tree and that the set's original values refer to.
    private(set) var objects: ModelTable<any ModelObject>

    private(set) weak var scope: Scope?
    private var stateObservers: [(ChangeSet) -> Void] = []
    private var completionObservers: [(JetstreamError?) -> Void] = []
    private let outcome = Signal<JetstreamError?>()

    init(
        _ recorded: [RecordedFragment],
        isAtomic: Bool,
        procedure: String?,
        scope: Scope?,
        kept: ModelTable<any ModelObject>
    ) {
        self.isAtomic = isAtomic
        self.procedure = procedure
        self.scope = scope
        changes = []
        objects = ModelTable()
        replace(recorded, kept: kept)
    }

    deinit {
        var taken = changes.map(\.object) + Array(objects.values)
        changes = []
        objects = ModelTable()
        scope?.changeSetReleased(taken)
        ModelTeardown.free(&taken)
    }

    /// Returns whether the set was sent, given the last set that a session sent.
    func isSent(through last: ChangesID?) -> Bool {
        guard let last, let changesID else { return false }
        return changesID.rawValue <= last.rawValue
    }

    /// The fragments, in sending order.
    public var fragments: [SyncFragment] { changes.map(\.fragment) }

    /// Replaces the fragments of a set that was never sent.
    func replace(_ recorded: [RecordedFragment], kept: ModelTable<any ModelObject>) {
        changes = recorded.map {
            Change(fragment: $0.fragment, originals: $0.originals, object: $0.object, isNew: $0.isNew)
        }
        (places, positions) = (nil, nil)
        if kept.isEmpty { return }
        for change in changes {
            for (property, value) in change.originals where property.isLink {
                value.forEachText { id in
                    guard let id = ModelID(wireText: id), let object = kept[id] else { return }
                    objects[id] = object
                }
            }
        }
    }

    /// Returns the positions of the changes of an object, in order.
    private func places(of object: any ModelObject) -> [Int] {
        if let places { return places[ObjectIdentifier(object)] ?? [] }
        var found: [ObjectIdentifier: [Int]] = [:]
        for index in changes.indices { found[ObjectIdentifier(changes[index].object), default: []].append(index) }
        places = found
        return found[ObjectIdentifier(object)] ?? []
    }

    /// Replaces the value that a revert would restore.
    func setOriginal(_ value: JSONValue, of object: any ModelObject, _ property: ModelProperty) {
        for change in places(of: object) {
            for index in changes[change].originals.indices
            where changes[change].originals[index].property === property {
                if property.isLink {
                    scope?.changeSets.replaceReferences(changes[change].originals[index].value, by: value, in: self)
                }
                changes[change].originals[index].value = value
            }
        }
    }

    /// Returns the value that the set gives a property; `nil` if the set does not change it.
    func value(of property: ModelProperty, of object: any ModelObject) -> JSONValue? {
        let place = places(of: object).last { changes[$0].originals.contains { $0.property === property } }
        return place.map { value(of: property, at: $0) }
    }

    /// Returns the value that the set's add of an object gives a property; `nil` if the set does not add the object.
    func addedValue(of property: ModelProperty, of object: any ModelObject) -> JSONValue? {
        places(of: object).last { changes[$0].fragment.kind == .add }.map { value(of: property, at: $0) }
    }

    private func value(of property: ModelProperty, at place: Int) -> JSONValue {
        // An add leaves out properties without a value.
        changes[place].fragment.properties[property.name] ?? (property.isArray ? .array([]) : .null)
    }

    /// Returns the object with an identifier if the set changes or adds it.
    func object(_ id: ModelID) -> (any ModelObject)? {
        position(of: id).map { changes[$0].object } ?? objects[id]
    }

    private func position(of id: ModelID) -> Int? {
        if let positions { return positions[id] }
        var found = ModelTable<Int>()
        for index in changes.indices.reversed() { found[changes[index].object.modelNode.uuid] = index }
        positions = found
        return found[id]
    }

    /// Returns the set in the form in which a session sends it.
    package func outgoing(as id: ChangesID) -> OutgoingChanges {
        OutgoingChanges(id: id, fragments: fragments, isAtomic: isAtomic, procedure: procedure)
    }

    // MARK: The outcome

    /// Settles the set. Later calls have no effect.
    func finish(_ state: State, _ error: JetstreamError?) {
        guard self.state == .syncing, state != .syncing else { return }
        self.state = state
        self.error = error
        let (observers, completions) = (stateObservers, completionObservers)
        stateObservers = []
        completionObservers = []
        outcome.settle(.success(error))
        if observers.isEmpty, completions.isEmpty { return }
        let report = {
            for observer in observers { observer(self) }
            for completion in completions { completion(error) }
        }
        if let scope, scope.holdsEvents { scope.heldEvents.append(report) } else { report() }
    }

    /// Settles the set when other sets are settled that contain its changes: each adds an object that the set changed.
    func finish(with adds: [(ChangeSet, any ModelObject)]) {
        var waiting = adds.count
        func note(_ set: ChangeSet, _ object: any ModelObject) {
            waiting -= 1
            if !set.hasAdded(object) {
                finish(set.state == .maybeSent ? .maybeSent : .reverted, set.error)
            } else if waiting == 0 {
                finish(.completed, nil)
            }
        }
        if adds.isEmpty { return finish(.completed, nil) }
        for (set, object) in adds {
            if set.state == .syncing { set.observeState(nil) { note($0, object) } } else { note(set, object) }
        }
    }

    /// Returns whether the server accepted the add of an object. The set is settled.
    private func hasAdded(_ object: any ModelObject) -> Bool {
        switch state {
        case .completed: return true
        case .syncing, .reverted, .maybeSent: return false
        case .partiallyReverted:
            let place = changes.firstIndex { $0.fragment.kind == .add && $0.object === object }
            guard let place, let error else { return false }
            // Without errors of fragments, what was left of the set on a new state was accepted.
            return place >= error.fragmentErrors.count || error.fragmentErrors[place] == nil
        }
    }

    /// Calls `handler` when the set is settled, or at once if it already is.
    ///
    /// - Parameters:
    ///   - owner: An object that is held weakly. After it is released, the handler is not called. `nil` for no owner.
    ///   - handler: Receives the error; `nil` if the set completed.
    public func observeCompletion(_ owner: AnyObject?, _ handler: @escaping (JetstreamError?) -> Void) {
        guard state == .syncing else { return handler(error) }
        let isOwned = owner != nil
        completionObservers.append { [weak owner] error in
            if !isOwned || owner != nil { handler(error) }
        }
    }

    /// Calls `handler` with the set when its state changes.
    ///
    /// - Parameters:
    ///   - owner: An object that is held weakly. After it is released, the handler is not called. `nil` for no owner.
    ///   - handler: Receives the set, whose ``state`` is the new one.
    public func observeState(_ owner: AnyObject?, _ handler: @escaping (ChangeSet) -> Void) {
        let isOwned = owner != nil
        stateObservers.append { [weak owner] set in
            if !isOwned || owner != nil { handler(set) }
        }
    }

    /// Waits until the set is settled.
    ///
    /// - Throws: ``JetstreamError`` if the set did not complete; `CancellationError` if the task is cancelled.
    public nonisolated(nonsending) func completion() async throws {
        let outcome = outcome
        if let error = try await outcome.value() { throw error }
    }

    // MARK: Undoing

    /// Reverts a set that was not sent, or that is known to be rejected, without throwing an error.
    ///
    /// Use ``Scope/undo(_:)`` for a set that the server has or may have.
    package func revert(_ error: JetstreamError) { scope?.settle(self, .reverted(error)) }
}
