import HeliumJSON
import JetstreamCore

/// A part of an app that observes a document for a while. In the callbacks of all kinds it sometimes makes changes and change
/// sets, as users do.
final class Visitor {
    private unowned let world: SyncWorld
    private unowned let document: Document
    private let name: String
    /// The number of callbacks that are running.
    private var depth = 0
    /// The number of further actions, which ends chains of callbacks.
    private var remaining = 12

    init(_ name: String, of document: Document, in world: SyncWorld) {
        self.name = name
        self.document = document
        self.world = world
        let scope = document.scope
        scope.onRemoteSync(self) { [unowned self] in act(.callbackOfSync) }
        scope.onChanges(self) { [unowned self] set in changed(set) }
        for object in scope.allObjects { watch(object) }
    }

    private func watch(_ object: any ModelObject) {
        object.observeChangeImmediately(self) { [unowned self] in act(.callbackOfChange) }
        object.observeAttach(self) { [unowned self] _ in act(.callbackOfMembership) }
        object.observeDetach(self) { [unowned self] _ in act(.callbackOfMembership) }
        object.observeAddedToParent(self) { [unowned self] _, _ in act(.callbackOfParents) }
        object.observeRemovedFromParent(self) { [unowned self] _, _ in act(.callbackOfParents) }
        guard let canvas = object as? Canvas else { return }
        canvas.observeCollectionAdd(self, \.shapes) { [unowned self] _ in act(.callbackOfCollection) }
        canvas.observeCollectionRemove(self, \.shapes) { [unowned self] _ in act(.callbackOfCollection) }
        canvas.observeCollectionMove(self, \.shapes) { [unowned self] _, _, _ in act(.callbackOfCollection) }
    }

    /// Observes the outcome of a change set.
    func watch(_ set: ChangeSet) {
        set.observeCompletion(self) { [unowned self] _ in act(.callbackOfOutcome) }
        set.observeState(self) { [unowned self] _ in act(.callbackOfOutcome) }
    }

    private func changed(_ set: ChangeSet) {
        act(.callbackOfSet) { [world, document] in
            // The same property as the set, so that their order shows.
            let fragment = set.fragments.first { document.scope.object(id: $0.uuid) != nil }
            guard let fragment, let object = document.scope.object(id: fragment.uuid) else { return }
            EditScene(document, in: world).setValue(of: object)
        }
    }

    // MARK: Acting

    /// Does something at random, unless too many callbacks are running.
    ///
    /// - Parameter change: The changes; `nil` for random ones.
    private func act(_ kind: Kind, _ change: (() -> Void)? = nil) {
        guard !world.isCalm, document.scope.isAttached, depth < 2, remaining > 0, world.random.below(4) == 0 else {
            return
        }
        depth += 1
        defer { depth -= 1 }
        remaining -= 1
        world.count(kind)
        if document.isTakingState { world.count(.callbackOfState) }
        if document.isMaking { world.count(.nestedSet) }
        world.note("\(name) acts: \(kind)")
        let change = change ?? edit
        switch world.random.below(8) {
        case 0, 1: change()
        case 2, 3, 4: document.modify(change)
        case 5: document.modifyAtomically(change)
        case 6:
            guard !document.sets.isEmpty else { return }
            document.scope.undo(document.sets[world.random.below(document.sets.count)])
        default: callProcedure()
        }
    }

    private func edit() {
        _ = Edit.pick(world.random).make(EditScene(document, in: world))
    }

    private func callProcedure() {
        let scene = EditScene(document, in: world)
        guard let folder = scene.pick(scene.folders) else { return }
        let isNested = document.isMaking
        let set = document.modify(procedure: "Folder.rename") { [world] in folder.note = "t\(world.token())" }
        if isNested, set.error?.kind == .invalidChanges { world.count(.nestedProcedure) }
    }
}
