import HeliumJSON
import Testing

@testable import JetstreamCore

@Suite("Constraints of change sets")
struct ConstraintTests {
    private typealias Condition = Constraint.Property
    private let schema = TestModel.modelSchema

    private func add(_ properties: JSONObject) -> SyncFragment { Receiver.add(2, properties) }

    /// Whether a change from `old` to `new` matches.
    private func matches(_ condition: Condition, from old: JSONValue?, to new: JSONValue) -> Bool {
        Constraint(.change, className: "TestModel", properties: ["array": condition])
            .matches(Receiver.change(1, ["array": new]), schema) { _ in old }
    }

    @Test("each fragment of a set needs a constraint", .original("testMultipleMatching"))
    func multiple() {
        let root = TestModel()
        let scope = Scope(name: "test", root: root)
        let set = scope.modify {
            root.string = "a"
            root.childModel = TestModel()
            root.array = [AnotherTestModel()]
        }
        let constraints = [
            Constraint(.add, className: "TestModel"), Constraint(.add, className: "AnotherTestModel"),
            Constraint(
                .change,
                className: "TestModel",
                properties: ["string": .value("a"), "childModel": .hasNewValue, "array": .inserts],
                allowsAdditionalProperties: false
            ),
        ]
        #expect(Constraint.matchesAllConstraints(constraints, set))
        #expect(!Constraint.matchesAllConstraints(Array(constraints.dropLast()), set))
        #expect(Constraint.matchesAllConstraints(constraints + [Constraint(.add, className: "Unused")], set))
    }

    @Test(
        "a constraint of a new value matches any value",
        .original("testSimpleValueExistsChangeMatching"),
        arguments: ["a", nil] as [JSONValue]
    )
    func newValue(value: JSONValue) {
        for key in ["string", "childModel"] {
            let constraint = Constraint(.change, className: "TestModel", properties: [key: .hasNewValue])
            #expect(constraint.matches(Receiver.change(1, JSONObject([(key, value)])), schema))
            #expect(!constraint.matches(Receiver.change(1, ["integer": 1]), schema))
        }
    }

    @Test("a constraint may match by kind and class only", .original("testSimpleAddMatching"))
    func add() {
        let constraint = Constraint(.add, className: "TestModel")
        #expect(constraint.matches(add(["string": "a"]), schema))
        #expect(!constraint.matches(Receiver.change(2, ["string": "a"]), schema))
        #expect(!Constraint(.add, className: "Other").matches(add([:]), schema))
    }

    @Test(
        "a constraint may have values and allow additional properties",
        .original(
            """
            testSimpleAddWithPropertiesMatching, testSimpleAddWithPropertiesMatchingWithBadAdditionalProperties, \
            testSimpleAddWithPropertiesMatchingWithAllowedAdditionalProperties
            """
        ),
        arguments: [
            (["string": "a"], false, true), (["string": "a", "integer": 1], false, false),
            (["string": "a", "integer": 1], true, true), (["string": "b"], true, false), ([:], true, false),
        ] as [(JSONObject, Bool, Bool)]
    )
    func additional(properties: JSONObject, isAllowed: Bool, isMatch: Bool) {
        let constraint = Constraint(
            .add,
            className: "TestModel",
            properties: ["string": .value("a")],
            allowsAdditionalProperties: isAllowed
        )
        #expect(constraint.matches(add(properties), schema) == isMatch)
    }

    @Test(
        "a constraint of an insertion into an added array needs one element",
        .original("testSimpleAddWithArrayInsertPropertyMatching")
    )
    func addInsert() {
        let inserts = Constraint(.add, className: "TestModel", properties: ["array": .inserts])
        #expect(inserts.matches(add(["array": [Receiver.text(3)]]), schema))
        #expect(!inserts.matches(add(["array": []]), schema))
        let removes = Constraint(.add, className: "TestModel", properties: ["array": .removes])
        #expect(!removes.matches(add(["array": []]), schema))
    }

    @Test(
        "a constraint of a changed array compares with the original length",
        .original(
            """
            testSimpleChangeWithArrayInsertPropertyMatching, testSimpleChangeWithArrayInsertPropertyNotMatching, \
            testSimpleChangeWithArrayRemovePropertyMatching, testSimpleChangeWithArrayRemovePropertyNotMatching
            """
        )
    )
    func change() {
        #expect(matches(.inserts, from: [], to: [1]))
        #expect(!matches(.inserts, from: [1], to: [1]))
        #expect(matches(.removes, from: [1], to: []))
        #expect(!matches(.removes, from: [1], to: [1]))
        #expect(!matches(.inserts, from: nil, to: [1]))
        #expect(!matches(.inserts, from: [], to: "a"))
        #expect(matches(.value([1]), from: [], to: [1.0]))
    }
}
