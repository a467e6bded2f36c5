import Testing

@testable import Cosm

@Suite("What a list does to a collection")
struct CollectionPlanTests {
    private typealias Plan = CollectionPlan<String>

    private func plan(_ members: [(String?, Bool)], _ list: [String?], isComplete: Bool = true) -> Plan {
        Plan(members: members.map { Plan.Member(id: $0.0, hasUnsavedWork: $0.1) }, list: list, isComplete: isComplete)
    }

    @Test("models stay by id, in the list's order, new ones come and others go")
    func complete() {
        let plan = plan([("a", false), ("b", false), ("c", false)], ["c", "d", "a"])
        #expect(
            plan.places == [.updated(member: 2, element: 0), .inserted(element: 1), .updated(member: 0, element: 2)]
        )
        #expect(plan.removed == [1])
    }

    @Test("what holds unsaved work stays, at the end, with an id or without")
    func unsaved() {
        let plan = plan([("a", true), (nil, true), ("b", false)], ["b"])
        #expect(plan.places == [.updated(member: 2, element: 0), .kept(member: 0), .kept(member: 1)])
        #expect(plan.removed.isEmpty)
    }

    @Test("a part of a list takes nothing away and moves nothing")
    func partial() {
        let plan = plan([("a", false), ("b", false)], ["c", "b"], isComplete: false)
        #expect(plan.places == [.kept(member: 0), .updated(member: 1, element: 1), .inserted(element: 0)])
        #expect(plan.removed.isEmpty)
    }

    @Test("of two elements with one id the last counts, in the first one's place")
    func duplicates() {
        #expect(
            plan([("a", false)], ["a", "b", "a"]).places == [.updated(member: 0, element: 2), .inserted(element: 1)]
        )
        #expect(plan([], ["x", "x"]).places == [.inserted(element: 1)])
    }

    @Test("of two models with one id the first is updated")
    func twins() {
        let plan = plan([("a", false), ("a", true)], ["a"])
        #expect(plan.places == [.updated(member: 0, element: 0), .kept(member: 1)])
    }

    @Test("an element without an id is left out")
    func anonymous() {
        #expect(plan([], [nil, "a"]).places == [.inserted(element: 1)])
    }

    @Test("an empty list empties the collection, but for unsaved work")
    func empty() {
        let plan = plan([("a", false), ("b", true)], [])
        #expect(plan.places == [.kept(member: 1)])
        #expect(plan.removed == [0])
    }
}
