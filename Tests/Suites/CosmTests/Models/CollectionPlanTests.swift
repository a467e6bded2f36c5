import Testing

@testable import Cosm

@Suite("Updates of a collection by a list")
struct CollectionPlanTests {
    private typealias Plan = CollectionPlan<String>

    private func plan(_ members: [(String?, Bool)], _ list: [String?], isComplete: Bool = true) -> Plan {
        Plan(members: members.map { Plan.Member(id: $0.0, hasUnsavedWork: $0.1) }, list: list, isComplete: isComplete)
    }

    @Test("a list keeps models by id in its order, and adds and removes others")
    func complete() {
        let plan = plan([("a", false), ("b", false), ("c", false)], ["c", "d", "a"])
        #expect(
            plan.places == [.updated(member: 2, element: 0), .inserted(element: 1), .updated(member: 0, element: 2)]
        )
        #expect(plan.removed == [1])
    }

    @Test("a model with unsaved changes stays at the end of a collection, with or without an id")
    func unsaved() {
        let plan = plan([("a", true), (nil, true), ("b", false)], ["b"])
        #expect(plan.places == [.updated(member: 2, element: 0), .kept(member: 0), .kept(member: 1)])
        #expect(plan.removed.isEmpty)
    }

    @Test("a partial list removes nothing and moves nothing")
    func partial() {
        let plan = plan([("a", false), ("b", false)], ["c", "b"], isComplete: false)
        #expect(plan.places == [.kept(member: 0), .updated(member: 1, element: 1), .inserted(element: 0)])
        #expect(plan.removed.isEmpty)
    }

    @Test("the last of two elements with one id counts, at the position of the first")
    func duplicates() {
        #expect(
            plan([("a", false)], ["a", "b", "a"]).places == [.updated(member: 0, element: 2), .inserted(element: 1)]
        )
        #expect(plan([], ["x", "x"]).places == [.inserted(element: 1)])
    }

    @Test("the first of two models with one id is updated")
    func twins() {
        let plan = plan([("a", false), ("a", true)], ["a"])
        #expect(plan.places == [.updated(member: 0, element: 0), .kept(member: 1)])
    }

    @Test("an element without an id is left out")
    func anonymous() {
        #expect(plan([], [nil, "a"]).places == [.inserted(element: 1)])
    }

    @Test("an empty list empties a collection, except for unsaved changes")
    func empty() {
        let plan = plan([("a", false), ("b", true)], [])
        #expect(plan.places == [.kept(member: 1)])
        #expect(plan.removed == [0])
    }
}
