import Foundation
import HeliumJSON
import JetstreamCore
import Testing

@Suite("Sequences of memberships", .timeLimit(.minutes(5)))
struct MembershipSequenceTests {
    private let model = TestModel()

    @Test("unread elements of a membership sequence are no more than the array held at one time")
    func bounded() async {
        let first = TestModel()
        model.children = [first]
        let (added, removed) = (model.additions(to: \.children), model.removals(from: \.children))
        let moved = model.moves(in: \.children)
        weak var passing: TestModel?
        for _ in 0..<100 {
            let object = TestModel()
            passing = object
            model.children = [object]
        }
        model.children = []
        #expect(passing == nil)
        var removals = removed.makeAsyncIterator()
        let left = await removals.next()
        #expect(left?.count == 1 && left?.first === first)
        let last = TestModel()
        model.children = [last]
        var additions = added.makeAsyncIterator()
        let came = await additions.next()
        #expect(came?.count == 1 && came?.first === last)
        _ = moved
    }

    @Test("a waiting reader of a membership sequence gets each removal")
    func waits() async {
        var removals = model.removals(from: \.children).makeAsyncIterator()
        for _ in 0..<3 {
            let object = TestModel()
            model.children = [object]
            model.children = []
            let left = await removals.next()
            #expect(left?.count == 1 && left?.first === object)
        }
    }

    @Test("moves that cancel each other out are no element of a membership sequence")
    func movesBack() async {
        let objects = (0..<3).map { _ in TestModel() }
        model.children = objects
        var moves = model.moves(in: \.children).makeAsyncIterator()
        model.children = objects.reversed()
        model.children = objects
        model.children = [objects[1], objects[0]]
        let moved = await moves.next()
        #expect(moved?.count == 1)
    }

    @Test("objects of another class are left out of a membership sequence")
    func otherClasses() async {
        let (one, special) = (TestModel(), DerivedTestModel())
        var additions = model.additions(key: "children", of: DerivedTestModel.self).makeAsyncIterator()
        var removals = model.removals(key: "children", of: DerivedTestModel.self).makeAsyncIterator()
        model.children = [one, special]
        model.children = []
        model.children = [special, one]
        let came = await additions.next()
        #expect(came?.count == 1 && came?.first === special)
        model.children = []
        let left = await removals.next()
        #expect(left?.count == 1 && left?.first === special)
    }

    @Test("a membership sequence ends with its object, after the unread elements")
    func ends() async {
        var model: TestModel? = TestModel()
        let object = TestModel()
        var additions = model?.additions(to: \.children).makeAsyncIterator()
        var detachments = model?.detachments().makeAsyncIterator()
        model?.children = [object]
        model = nil
        let came = await additions?.next()
        #expect(came?.count == 1)
        #expect(await additions?.next() == nil)
        #expect(await detachments?.next() == nil)
    }

    @Test("changes of a peer are elements of a membership sequence when all were applied")
    func remote() async {
        let scope = Scope(name: "test", root: model)
        var additions = model.additions(to: \.children).makeAsyncIterator()
        let id = ModelID()
        scope.applySyncFragments([
            SyncFragment(.add, uuid: id, className: "TestModel", properties: ["integer": 4]),
            SyncFragment(
                .change,
                uuid: model.uuid,
                className: "TestModel",
                properties: ["children": [.string(id.uuidString.lowercased())]]
            ),
        ])
        let came = await additions.next()
        #expect(came?.map(\.uuid) == [id] && came?.first?.integer == 4)
    }
}
