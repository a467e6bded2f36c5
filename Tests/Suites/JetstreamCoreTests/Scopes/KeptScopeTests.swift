import Foundation
import HeliumJSON
import Testing

@testable import JetstreamCore

/// The scopes of a root that a test frees.
enum FreedRootForm: CaseIterable, Sendable {
    case noScope
    case privateScope
    case keptPrivateScope
    case scope
}

/// A model with code in its deinitializer.
private final class DyingModel: TestModel {
    var whenFreed: (DyingModel) -> Void = { _ in }

    deinit { whenFreed(self) }
}

/// The relations of objects when they were freed.
private final class LastRelations {
    var all: [[Int]] = []
}

/// Scopes and objects that an app keeps longer than what they belonged to.
@Suite("Scopes kept past their root, and objects past their scope")
struct KeptScopeTests {
    /// Frees the root of a private scope.
    ///
    /// - Returns: The scope, and two objects that were in it: one directly below the root, and one below an object that is freed
    ///   with the root.
    private func freeRoot(isRecording: Bool) throws -> (scope: Scope, child: TestModel, deep: TestModel) {
        let root = TestModel()
        root.isScopeRoot = true
        let scope = try #require(root.scope)
        scope.isRecording = isRecording
        let (child, between, deep) = (TestModel(), TestModel(), TestModel())
        root.childModel = child
        root.childModel2 = between
        between.childModel = deep
        child.childModel = deep
        #expect(scope.count == 4)
        root.string = "changed"
        return (scope, child, deep)
    }

    @Test(
        "a private scope that is kept past its root is empty, and its objects belong to nothing",
        arguments: [false, true]
    )
    func empty(isRecording: Bool) throws {
        let (scope, child, deep) = try freeRoot(isRecording: isRecording)
        #expect(scope.root == nil && scope.count == 0 && scope.allObjects.isEmpty && scope.stateFragments.isEmpty)
        #expect(scope.object(id: child.uuid) == nil)
        #expect(child.scope == nil && deep.scope == nil && child.parents.isEmpty)
        #expect(deep.parents.map { $0.parent as? TestModel === child } == [true])
        #expect(scope.flush() == nil && scope.getAndClearSyncFragments().isEmpty)
        scope.applySyncFragments([Receiver.change(1, ["string": "late"])])
        scope.removeRoot()
    }

    @Test(
        "an object that is freed with its parents can use its relations in its deinitializer, and has no parents",
        arguments: FreedRootForm.allCases,
        [false, true]
    )
    func deinitializer(form: FreedRootForm, hasChild: Bool) {
        let relations = LastRelations()
        var kept: Scope?
        do {
            let root = TestModel()
            switch form {
            case .noScope: break
            case .privateScope: root.isScopeRoot = true
            case .keptPrivateScope:
                root.isScopeRoot = true
                kept = root.scope
            case .scope: kept = Scope(name: "test", root: root)
            }
            let (below, between) = (DyingModel(), TestModel())
            root.childModel = below
            root.childModel2 = between
            between.childModel = below
            if hasChild { below.childModel = TestModel() }
            below.whenFreed = { object in
                object.detach()
                let scope = object.scope
                let roots = [scope?.root, scope?.object(id: object.uuid)].compactMap(\.self)
                let others = object.childModelObjects.count + (scope?.allObjects.count ?? 0)
                relations.all.append([object.parents.count, roots.count, others, object.isScopeRoot ? 1 : 0])
                object.childModel = nil
            }
            if form == .scope { kept = nil }
        }
        #expect(relations.all == [[0, 0, 0, 0]])
        #expect(kept?.count ?? 0 == 0)
    }

    @Test("objects of a scope whose root was freed can be unlinked, detached and used in another scope")
    func unlinking() throws {
        let (scope, child, deep) = try freeRoot(isRecording: false)
        child.childModel = nil
        #expect(deep.parents.isEmpty)
        child.childModel2 = deep
        deep.detach()
        #expect(child.childModel2 == nil)
        child.childModel = deep
        let other = Scope(name: "other", root: child)
        #expect(other.count == 2 && deep.scope === other && scope.count == 0)
        child.childModel = nil
        #expect(other.count == 1 && deep.scope == nil)
        scope.setRoot(deep)
        #expect(deep.scope === scope && scope.root === deep)
    }

    @Test("an object that was freed before its changes were collected is no parent of those that it referred to")
    func freedBeforeCollection() {
        let root = TestModel()
        let scope = Scope(name: "test", root: root)
        let deep = TestModel()
        do {
            let between = TestModel()
            root.childModel = between
            between.childModel = deep
            between.string = "changed"
            root.childModel = nil
        }
        #expect(deep.parents.isEmpty)
        deep.detach()
        #expect(scope.flush()?.fragments.count ?? 1 == 1 && deep.scope == nil)
        root.childModel2 = deep
        #expect(deep.scope === scope && deep.parents.map(\.key) == ["childModel2"])
    }

    @Test("objects with one identifier whose removals wait for replies are safe after their scope was freed")
    func sameIdentifier() throws {
        var objects: [TestModel] = []
        weak var freed: Scope?
        do {
            let receiver = Receiver()
            let (root, scope) = (receiver.root, receiver.scope)
            let session = RecordingSession()
            scope.attach(session.hooks())
            receiver.receiveChild()
            freed = scope
            objects.append(try #require(root.childModel))
            scope.modify { root.childModel = nil }
            for _ in 0..<2 {
                let next = TestModel(uuid: Receiver.id(2))
                objects.append(next)
                scope.modify { root.childModel = next }
                scope.modify { root.childModel = nil }
            }
            for object in objects { object.string = "removed" }
        }
        #expect(freed == nil)
        for object in objects {
            object.string = "changed"
            object.childModel = TestModel()
            #expect(object.scope == nil && object.parents.isEmpty)
        }
        let other = Scope(name: "other", root: objects[0])
        objects[0].childModel2 = objects[1]
        #expect(objects[1].scope === other)
    }
}
