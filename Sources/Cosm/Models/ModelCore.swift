internal import HeliumConcurrency
internal import HeliumJSON
internal import HeliumKit
internal import Observation
internal import Synchronization

/// The storage of a model: its state behind one lock, its observers, and its scope below other models.
final class ModelCore<Entity: ModelEntity>: Sendable {
    struct State: Sendable {
        var entity: ModelState<Entity>
        var isNew: Bool
        var isDeleted = false
        var parameters: [String: ParameterValue] = [:]
        var delegate: DelegateRelay?
        var updater: ModelUpdater?
    }

    let state: Guarded<State>
    let scope: ModelScope
    let events = ModelEvents.broadcast()
    let writes = AsyncLock()
    let registrar = ObservationRegistrar()

    /// - Parameter number: The number of the request that returned the entity; `nil` if it did not come from the
    ///   server.
    init(_ entity: Entity, knownSince number: UInt64?, isNew: Bool, scope: ModelScope) {
        let entity = ModelState(entity, isKnown: number != nil, at: number ?? EditSequence.next())
        state = Guarded(State(entity: entity, isNew: isNew))
        self.scope = scope
    }

    /// The query parameters of fetches.
    var parameters: [String: ParameterValue] { state.withLock { $0.parameters } }
}

/// An object that keeps an entity in a ``ModelCore``. The implementation that all models share.
protocol EntityHolder: CosmModel {
    associatedtype Entity: ModelEntity
    associatedtype ListID: Hashable & Sendable & CustomStringConvertible

    var core: ModelCore<Entity> { get }

    /// Accesses a member by its property.
    subscript<Value: Hashable & Sendable>(dynamicMember path: WritableKeyPath<Entity, Value>) -> Value { get set }

    /// Returns the identity by which an element of a list is matched with an object.
    static func listID(of entity: Entity) -> ListID?

    /// Creates an object for an entity that the server has.
    init(known entity: Entity, _ context: DocumentContext, parent: ModelScope)

    /// Applies a document, including its children.
    ///
    /// - Returns: The changes.
    func absorb(_ document: Entity, _ context: DocumentContext) -> ModelChanges

    /// Returns whether a pushed document may be older than what is known of the entity and its children.
    func doubts(_ push: Entity) -> Bool

    /// Notes that a pushed document was compared with one that was requested after it arrived. See
    /// ``ModelState/agree(_:with:askedAt:)``.
    func agree(_ push: Entity, with document: Entity, askedAt number: UInt64)

    /// Updates what depends on the entity's id.
    func entityDidChange()

    /// Returns whether a collection keeps the object although a complete list that was requested at `number` does not
    /// contain it.
    func mustStay(since number: UInt64) -> Bool
}

// MARK: Reading

extension EntityHolder {
    func read<Value: Hashable & Sendable>(_ path: WritableKeyPath<Entity, Value>) -> Value {
        core.registrar.access(self, keyPath: \.[dynamicMember: path])
        return core.state.withLock { $0.entity.value[keyPath: path] }
    }

    /// The entity, read without observation.
    var entity: Entity { core.state.withLock { $0.entity.value } }

    func readInfo() -> JSONObject {
        core.registrar.access(self, keyPath: \.info)
        // Encoding the module's own values does not fail.
        return (try? core.state.withLock { $0.entity }.info()) ?? JSONObject()
    }

    func readUnsavedMembers() -> Set<String> {
        core.registrar.access(self, keyPath: \.unsavedMembers)
        return core.state.withLock { $0.entity.unsavedMembers }
    }

    func readIsNew() -> Bool {
        core.registrar.access(self, keyPath: \.isNew)
        return core.state.withLock { $0.isNew }
    }

    func readIsDeleted() -> Bool {
        core.registrar.access(self, keyPath: \.isDeleted)
        return core.state.withLock { $0.isDeleted }
    }
}

// MARK: Changing

extension EntityHolder {
    /// Changes the state, then notifies observers.
    ///
    /// Observers are notified after the change, not before as with the properties of the macro. An observer on another
    /// thread reads at once and must see the new value.
    ///
    /// - Parameter change: Returns the names of the members that have changed.
    @discardableResult
    func change(_ change: (inout ModelCore<Entity>.State) -> Set<String>) -> Set<String> {
        let (names, isNewChanged, isUnsavedChanged) = core.state.withLock { state in
            let (wasNew, unsaved) = (state.isNew, state.entity.unsavedMembers)
            let names = change(&state)
            return (names, wasNew != state.isNew, unsaved != state.entity.unsavedMembers)
        }
        if !names.isEmpty {
            entityDidChange()
            for name in names { Entity.field(named: name)?.notify(self) }
            core.registrar.withMutation(of: self, keyPath: \.info) {}
        }
        if isNewChanged { core.registrar.withMutation(of: self, keyPath: \.isNew) {} }
        if isUnsavedChanged { core.registrar.withMutation(of: self, keyPath: \.unsavedMembers) {} }
        return names
    }

    func edit<Value: Hashable & Sendable>(_ path: WritableKeyPath<Entity, Value>, to value: Value) {
        change { $0.entity.set(path, to: value, at: EditSequence.next()) }
    }

    func editInfo(_ info: JSONObject) {
        change { $0.entity.setInfo(info, at: EditSequence.next()) }
    }

    func editMember(_ name: String, to value: JSONValue?) {
        change { state in
            state.entity.setMember(name, to: value, at: EditSequence.next())
            return [name]
        }
    }

    func editAll<Failure>(_ change: (inout Entity) throws(Failure) -> Void) throws(Failure) {
        // The caller's closure runs outside of the lock, on a copy, because it may access the model.
        let before = entity
        var edited = before
        try change(&edited)
        self.change { $0.entity.update(from: before, to: edited, at: EditSequence.next()) }
    }

    func discardEdits() {
        change { $0.entity.discardEdits() }
    }

    func setDeleted(_ isDeleted: Bool) {
        let isChanged = core.state.withLock { state in
            defer { state.isDeleted = isDeleted }
            return state.isDeleted != isDeleted
        }
        if isChanged { core.registrar.withMutation(of: self, keyPath: \.isDeleted) {} }
    }

    func setNew(_ isNew: Bool) {
        change { state in
            if isNew, !state.isNew { state.entity.markAllUnsaved(at: EditSequence.next()) }
            state.isNew = isNew
            return []
        }
    }

    func setParameter(_ name: String, to value: (any ParameterConvertible)?) {
        guard let value = value?.parameterValue else { return }
        core.state.withLock { $0.parameters[name] = value }
    }

    func removeParameters() { core.state.withLock { $0.parameters = [:] } }
}

// MARK: Requests

extension EntityHolder {
    /// Performs work with the server, and sends an event if it fails.
    func report<Value>(
        failure: ModelEvent.Kind,
        _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch {
            core.events.send(ModelEvent(failure, error: error))
            throw error
        }
    }

    /// Applies a document of this entity.
    ///
    /// - Returns: The names of the members that have changed.
    func merge(_ document: Entity, askedAt number: UInt64) -> Set<String> {
        change { state in
            state.isNew = false
            return state.entity.merge(document, askedAt: number)
        }
    }
}

// MARK: Pushed documents

extension EntityHolder {
    func doubts(_ push: Entity) -> Bool { core.state.withLock { $0.entity.doubts(push) } }

    func agree(_ push: Entity, with document: Entity, askedAt number: UInt64) {
        core.state.withLock { $0.entity.agree(push, with: document, askedAt: number) }
    }
}

// MARK: Membership in a collection

extension EntityHolder {
    var listID: ListID? { Self.listID(of: entity) }

    /// Whether the object is new or has unsaved members.
    var hasUnsavedWork: Bool {
        core.state.withLock { !$0.isDeleted && ($0.isNew || $0.entity.hasUnsavedMembers) }
    }

    /// Returns whether the object was saved, or a document of it was requested, after `number`.
    func isNewer(than number: UInt64) -> Bool {
        core.state.withLock {
            !$0.isDeleted && ($0.entity.lastConfirmation > number || $0.entity.lastDocument > number)
        }
    }
}
