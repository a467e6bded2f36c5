internal import HeliumConcurrency
internal import HeliumJSON

/// The changes of a scope that travel in one message, and their outcome (Docs/Protocols/Jetstream.md §4).
///
/// ```swift
/// let set = scope.modify { shape.x = 4 }
/// try await set.completion()
/// ```
///
/// Its fragments do not change once it was sent. A set that is refused is taken back: its properties get the values from
/// before, unless a later set changed them.
public final class ChangeSet {
    /// The progress of a change set.
    public enum State: Sendable, Hashable {
        /// It is not settled: the server has not replied, or the set is not sent yet.
        case syncing
        /// The server accepted all.
        case completed
        /// The server refused some fragments, which were taken back, or some of the objects were gone before the set was sent.
        case partiallyReverted
        /// Nothing was accepted: all is taken back.
        case reverted
        /// It was sent in a session that was lost before the reply came. It may have been applied; what the next state says
        /// stands.
        case maybeSent
    }

    /// One fragment, and how to take it back.
    struct Change {
        var fragment: SyncFragment
        var originals: [(property: ModelProperty, value: JSONValue)]
        let object: any ModelObject
        /// Whether it adds an object that the server does not have, as far as this side knows.
        let isNew: Bool
    }

    /// The progress of the set.
    public private(set) var state = State.syncing

    /// The error, if the set did not complete.
    public private(set) var error: JetstreamError?

    /// Whether the server is to apply all or nothing. The original server does not do so
    /// (Docs/Protocols/Jetstream.md §4.4).
    public let isAtomic: Bool

    /// The procedure of the server that must accept the set: `Model.name`.
    public let procedure: String?

    /// The identifier under which a session sends the set.
    package var changesID: ChangesID?

    /// The error of the changes that could not be made again on the state of a new session; `nil` if all could.
    var loss: JetstreamError?

    private(set) var changes: [Change]

    /// The objects that the set's originals refer to and that have left the tree.
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
        ModelTeardown.free(&taken)
    }

    /// Whether the set was sent, if the last set that a session has sent is this one.
    func isSent(through last: ChangesID?) -> Bool {
        guard let last, let changesID else { return false }
        return changesID.rawValue <= last.rawValue
    }

    /// The fragments, in the order in which they are sent.
    public var fragments: [SyncFragment] { changes.map(\.fragment) }

    /// Puts other fragments in place: of a set that was never sent.
    func replace(_ recorded: [RecordedFragment], kept: ModelTable<any ModelObject>) {
        changes = recorded.map {
            Change(fragment: $0.fragment, originals: $0.originals, object: $0.object, isNew: $0.isNew)
        }
        if kept.isEmpty { return }
        for change in changes {
            for (property, value) in change.originals where property.holdsModels {
                value.forEachText { id in
                    guard let id = ModelID(wireText: id), let object = kept[id] else { return }
                    objects[id] = object
                }
            }
        }
    }

    /// Replaces the value to which a revert would go back.
    func setOriginal(_ value: JSONValue, of object: any ModelObject, _ property: ModelProperty) {
        for change in changes.indices where changes[change].object === object {
            for index in changes[change].originals.indices
            where changes[change].originals[index].property === property {
                if property.holdsModels {
                    scope?.changeSets.replaceReferences(changes[change].originals[index].value, by: value, in: self)
                }
                changes[change].originals[index].value = value
            }
        }
    }

    /// The value that the set gives a property; `nil` if it does not change it.
    func value(of property: ModelProperty, of object: any ModelObject) -> JSONValue? {
        let change = changes.last { $0.object === object && $0.originals.contains { $0.property === property } }
        // An add does not tell of what is nothing.
        return change.map { $0.fragment.properties[property.name] ?? (property.isArray ? .array([]) : .null) }
    }

    /// The object with that identifier, if the set changes or adds it.
    func object(_ id: ModelID) -> (any ModelObject)? {
        changes.first { $0.object.modelNode.uuid == id }?.object ?? objects[id]
    }

    /// The set as a session sends it.
    package func outgoing(as id: ChangesID) -> OutgoingChanges {
        OutgoingChanges(id: id, fragments: fragments, isAtomic: isAtomic, procedure: procedure)
    }

    // MARK: The outcome

    /// Settles the set, once.
    func finish(_ state: State, _ error: JetstreamError?) {
        guard self.state == .syncing, state != .syncing else { return }
        self.state = state
        self.error = error
        let (observers, completions) = (stateObservers, completionObservers)
        stateObservers = []
        completionObservers = []
        outcome.settle(.success(error))
        for observer in observers { observer(self) }
        for completion in completions { completion(error) }
    }

    /// Calls `handler` when the set is settled, at once if it is.
    ///
    /// - Parameters:
    ///   - owner: Held weakly. When it is gone, the handler is not called. `nil` for none.
    ///   - handler: Gets the error; `nil` if the set completed.
    public func observeCompletion(_ owner: AnyObject?, _ handler: @escaping (JetstreamError?) -> Void) {
        guard state == .syncing else { return handler(error) }
        let isOwned = owner != nil
        completionObservers.append { [weak owner] error in
            if !isOwned || owner != nil { handler(error) }
        }
    }

    /// Calls `handler` when the state changes, with the set.
    ///
    /// - Parameter owner: Held weakly. When it is gone, the handler is not called. `nil` for none.
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

    /// Takes a set back that was not sent, or that the caller knows to be refused, without an error.
    ///
    /// Use ``Scope/undo(_:)`` for a set that the server has or may have.
    package func revert(_ error: JetstreamError) { scope?.settle(self, .reverted(error)) }
}
