import Foundation
import HeliumJSON
import Testing

@testable import JetstreamCore

@Suite("Model objects")
struct ModelObjectTests {
    @Test("a schema has the declared properties only", .original("testModelProperties"))
    func properties() {
        #expect(TestModel.modelSchema.property(named: "string")?.kind == .optional(.string))
        #expect(TestModel.modelSchema.property(named: "composite")?.kind == .some(nil))
        #expect(TestModel.modelSchema.property(named: "_string") == nil)
        #expect(TestModel.modelSchema.property(named: "uuid") == nil)
    }

    @Test("an object's children are those of references and arrays", .original("testChildModelObjectsAccessor"))
    func children() {
        let model = TestModel()
        model.childModel = TestModel()
        model.childModel2 = TestModel()
        model.array = [AnotherTestModel(), AnotherTestModel()]
        #expect(model.childModelObjects.count == 4)
        #expect(model.childModelObjects.first === model.childModel)
    }

    @Test(
        "an object in an array and in a reference has two parents, then one, then none",
        .original("testModelObjectPropertyRemoveParentUsingDifferingParentAndChildTypes")
    )
    func parents() {
        let (model, child) = (TestModel(), AnotherTestModel())
        model.array = [child]
        model.another = child
        #expect(child.parents.map(\.key) == ["array", "another"])
        model.array = []
        #expect(child.parents.map(\.key) == ["another"])
        model.another = nil
        #expect(child.parents.isEmpty)
    }

    @Test("a subclass has its superclass's properties first")
    func inherits() {
        let names = DerivedTestModel.modelSchema.properties.map(\.name)
        #expect(Array(names.dropLast(2)) == TestModel.modelSchema.properties.map(\.name))
        #expect(Array(names.suffix(2)) == ["extra", "partner"])
        #expect(TestModel.modelSchema.property(named: "extra") == nil)
        let model: TestModel = DerivedTestModel()
        #expect(model.className == "DerivedTestModel")
        let changes = Counter()
        model.observeChangeImmediately(changes, key: "extra") { changes.add() }
        (model as? DerivedTestModel)?.extra = 4
        model.integer = 5
        #expect(changes.count == 1)
    }

    @Test("key paths of a subclass name inherited properties and composites")
    func inheritedKeyPaths() {
        let model = DerivedTestModel()
        let changes = [Counter(), Counter(), Counter()]
        model.observeChangeImmediately(changes[0], \DerivedTestModel.integer) { changes[0].add() }
        model.observeChangeImmediately(changes[1], \DerivedTestModel.composite) { changes[1].add() }
        model.observeChangeImmediately(changes[2], \DerivedTestModel.extra) { changes[2].add() }
        model.integer = 1
        model.float32 = 1
        model.extra = 1
        #expect(changes.map(\.count) == [1, 1, 1])
    }

    @Test("properties are read and set by name as JSON")
    func byName() throws {
        let model = TestModel()
        try model.setJSON(12, forKey: "integer")
        try model.setJSON("abc", forKey: "string")
        #expect(model.integer == 12)
        #expect(model.json(forKey: "string") == "abc")
        #expect(model.json(forKey: "composite") == nil)
        #expect(throws: ModelKeyError(reason: .unknownProperty, className: "TestModel", key: "absent")) {
            try model.setJSON(1, forKey: "absent")
        }
        #expect(throws: ModelKeyError(reason: .readOnly, className: "TestModel", key: "composite")) {
            try model.setJSON(1, forKey: "composite")
        }
        #expect(throws: ModelKeyError(reason: .unfitValue, className: "TestModel", key: "int8")) {
            try model.setJSON(1000, forKey: "int8")
        }
        let scope = Scope(name: "test", root: model)
        let child = AnotherTestModel()
        model.another = child
        #expect(throws: ModelKeyError(reason: .wrongClass, className: "TestModel", key: "childModel")) {
            try model.setJSON(.string(child.uuid.uuidString), forKey: "childModel")
        }
        try model.setJSON([.string(child.uuid.uuidString)], forKey: "array")
        #expect(model.array.first === child)
        #expect(scope.count == 2)
    }
}
