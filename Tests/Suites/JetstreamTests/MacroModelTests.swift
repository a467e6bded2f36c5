import Foundation
import HeliumJSON
import Jetstream
import Observation
import Synchronization
import Testing

/// A class that `@Model` has expanded, seen from outside.
@Suite("Models made by the macro", .timeLimit(.minutes(5)))
struct MacroModelTests {
    @Test("the schema of a macro model has every property by its wire name, in order")
    func names() {
        let names = Everything.modelSchema.properties.map(\.name)
        #expect(
            names == [
                "string", "optionalString", "bool", "int", "int8", "uint64", "optionalInt", "float", "double", "date",
                "data", "identifier", "color", "kind", "optionalLabel", "strings", "kinds", "child", "children",
                "wire name", "uuid", "isSelected", "angle", "summary", "version", "observed",
            ]
        )
        #expect(Everything.modelSchema.className == "All" && More.modelSchema.className == "More")
    }

    private static let kind = ModelKind.enumeration(name: "Kind", raw: .number, values: [1, 2])

    @Test(
        "each property of a macro model has the kind of its type",
        arguments: [
            ("string", ModelKind.string), ("optionalString", .optional(.string)), ("bool", .boolean), ("int", .number),
            ("int8", .number), ("uint64", .number), ("optionalInt", .optional(.number)), ("float", .number),
            ("double", .number), ("date", .date), ("data", .string), ("identifier", .string), ("color", .number),
            ("kind", kind), ("optionalLabel", .optional(.enumeration(name: "Label", raw: .string, values: []))),
            ("strings", .array(.string)), ("kinds", .array(kind)), ("child", .optional(.reference)),
            ("children", .array(.reference)),
        ]
    )
    func kinds(_ name: String, _ kind: ModelKind) throws {
        let property = try #require(Everything.modelSchema.property(named: name))
        #expect(property.kind == kind)
    }

    @Test("attributes of a macro model are in the schema, and a composite has no kind")
    func attributes() throws {
        let schema = Everything.modelSchema
        #expect(try #require(schema.property(named: "isSelected")).attributes == .init(isLocal: true))
        #expect(try #require(schema.property(named: "angle")).attributes == .init(minSyncInterval: 0.05))
        #expect(try #require(schema.property(named: "string")).attributes == .init())
        #expect(try #require(schema.property(named: "summary")).kind == nil)
        for name in ["log", "constant", "scale", "owner", "limit", "renamed", "default"] {
            #expect(schema.property(named: name) == nil)
        }
    }

    @Test("a subclass of a macro model has the inherited properties first")
    func subclass() {
        let names = More.modelSchema.properties.map(\.name)
        #expect(names == Everything.modelSchema.properties.map(\.name) + ["extra", "total"])
        let more = More(extra: 3)
        more.int = 4
        #expect(more.extra == 3 && more.total == 7)
        #expect(type(of: more as Everything).modelSchema === More.modelSchema)
    }

    @Test("what a property observer changes is sent with a local change, and not with one of the server")
    func propertyObserver() {
        let meter = Meter()
        let scope = Scope(name: "Meter", root: meter)
        func receive(_ value: JSONValue) {
            scope.receive(
                .sync([SyncFragment(.change, uuid: meter.uuid, className: "Meter", properties: ["value": value])])
            )
        }
        meter.value = 1
        let sent = scope.getAndClearSyncFragments().map(\.properties)
        #expect(sent.count == 1 && sent.first?["value"] == 1 && sent.first?["peak"] == 1)
        receive(2)
        #expect(meter.value == 2 && meter.peak == 2)
        #expect(scope.getAndClearSyncFragments().isEmpty)
        // An observer is called after the server's changes, and what it changes is sent.
        let observation = meter.observeChangeImmediately(nil, key: "value") { meter.readings += 1 }
        receive(3)
        #expect(scope.getAndClearSyncFragments().map(\.properties) == [["readings": 1]])
        observation.cancel()
    }

    @Test("a macro model has the given identifier, or a new one")
    func identifiers() {
        let uuid = UUID()
        #expect(Everything(uuid: uuid).uuid == uuid && More(uuid: uuid).uuid == uuid)
        #expect(Everything().uuid != Everything().uuid)
        let shape = Shape()
        #expect(shape.uuid == shape.uuid)
    }

    @Test("observers in a macro model's declaration run for a changed value, and see both values")
    func declaredObservers() {
        let everything = Everything()
        everything.observed = 0
        #expect(everything.log.isEmpty)
        everything.observed = 2
        everything.observed = 2
        #expect(everything.log == ["will 2", "did 0"])
    }

    @Test("a property with a private setter is set by its class")
    func privateSetter() {
        let everything = Everything()
        everything.advance()
        everything.advance()
        #expect(everything.version == 2)
    }

    @Test("Observation follows stored properties of a macro model, and composites")
    func observation() {
        let everything = Everything()
        let changes = Mutex(0)
        func track(_ read: () -> Void) {
            withObservationTracking(read) { changes.withLock { $0 += 1 } }
        }
        track { _ = everything.int }
        everything.double = 1
        everything.int = 1
        #expect(changes.withLock { $0 } == 0)
        everything.int = 2
        #expect(changes.withLock { $0 } == 1)
        track { _ = everything.summary }
        everything.default = "x"
        #expect(changes.withLock { $0 } == 2)
        track { _ = everything.children }
        everything.children.append(Everything())
        #expect(changes.withLock { $0 } == 3)
    }

    @Test("a long chain of macro models is freed without recursion, and own deinitializers run")
    func teardown() {
        var first: Link? = Link()
        weak let last = first
        for _ in 0..<20_000 {
            let link = Link()
            link.next = first
            first = link
        }
        #expect(last != nil)
        first = nil
        #expect(last == nil)
        let ends = Mutex(0)
        do {
            let everything = Everything()
            everything.child = More(extra: 1) { ends.withLock { $0 += 1 } }
        }
        #expect(ends.withLock { $0 } == 1)
    }

    @Test("a macro model of the main actor keeps its values")
    @MainActor
    func mainActor() {
        let canvas = MainCanvas()
        let shape = MainShape()
        shape.x = 4
        canvas.shapes.append(shape)
        canvas.selected = shape
        #expect(canvas.shapes.count == 1 && canvas.selected === shape && shape.sum == 4)
        #expect(MainCanvas.modelSchema.className == "Canvas")
    }

    @Test("a macro model of another global actor keeps its values")
    @Studio
    func studio() {
        let track = Track()
        track.title = "one"
        track.next = Track()
        #expect(track.title == "one" && track.next != nil)
        let object: any ModelObject = track
        #expect(object.className == "Track")
    }
}
