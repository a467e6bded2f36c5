import Foundation
import HeliumJSON
import JetstreamCore
import Testing

// What models do in each form that their author may choose: without an actor, of the main actor by an attribute, and of the
// main actor by the module's default. The file is linked into each module that has a form.

nonisolated protocol CanvasForm: ModelObject {
    associatedtype Drawn: ShapeForm
    var name: String { get set }
    var shapes: [Drawn] { get set }
    var selected: Drawn? { get set }
}

nonisolated protocol ShapeForm: ModelObject {
    var x: Double { get set }
    var y: Double { get set }
    var sum: Double { get }
}

/// A form's classes, and paths to their properties as the form's author writes them.
nonisolated struct Form<Canvas: CanvasForm> {
    let canvas: Canvas.Type
    let name: KeyPath<Canvas, String>
    let shapes: KeyPath<Canvas, [Canvas.Drawn]>
    let x: KeyPath<Canvas.Drawn, Double>
    let sum: KeyPath<Canvas.Drawn, Double>
}

nonisolated enum FormBehaviour: String, CaseIterable {
    case keepsWhatIsSet = "an object keeps what is set"
    case calledAtOnce = "an observer is called before the setter returns, by key path and by name"
    case calledOnceATurn = "a coalesced observer is called once a turn, also for a composite"
    case endsWithItsOwner = "an observation ends with its owner"
    case hearsOfElements = "observers of an array hear what comes and goes"
    case hearsOfTheTree = "an observer of the tree hears of what is below"
    case joinsAndLeaves = "objects join a scope when they are reached, and leave when they are not"
    case isShared = "an object that two properties refer to stays until both let go"
    case isRecorded = "changes are recorded, and taken back"
    case isApplied = "what a peer sends is applied, and makes objects of the form's classes"
    case isFreed = "a tree is freed with its scope"
}

extension FormBehaviour {
    nonisolated func check<Canvas: CanvasForm>(_ form: Form<Canvas>) throws {
        let (canvas, shape, calls, turn) = (Canvas(), Canvas.Drawn(), Calls(), Turn())
        switch self {
        case .keepsWhatIsSet:
            (shape.x, shape.y) = (4, 5)
            canvas.shapes = [shape]
            #expect(shape.x == 4 && shape.sum == 9 && canvas.shapes.first === shape)
            #expect(shape.parents.map(\.key) == ["shapes"])
        case .calledAtOnce:
            shape.observeChangeImmediately(calls, form.x) { calls.add() }
            shape.observeChangeImmediately(calls, key: "x") { calls.add() }
            shape.x = 1
            shape.x = 1
            shape.y = 1
            #expect(calls.count == 2)
        case .calledOnceATurn:
            shape.observeChange(calls, form.sum, on: turn) { calls.add() }
            (shape.x, shape.y) = (1, 2)
            #expect(calls.count == 0)
            turn.flush()
            #expect(calls.count == 1)
        case .endsWithItsOwner:
            do {
                let owner = Calls()
                shape.observeChangeImmediately(owner, key: "x") { calls.add() }
                shape.x = 1
            }
            shape.x = 2
            #expect(calls.count == 1)
        case .hearsOfElements:
            canvas.observeCollectionAdd(calls, form.shapes) { if $0 === shape { calls.add() } }
            canvas.observeCollectionRemove(calls, form.shapes) { if $0 === shape { calls.add() } }
            canvas.shapes.append(shape)
            #expect(calls.count == 1)
            canvas.shapes.append(Canvas.Drawn())
            canvas.shapes.removeFirst()
            #expect(calls.count == 2)
        case .hearsOfTheTree:
            let scope = Scope(name: "Drawing", root: canvas)
            canvas.shapes = [shape]
            canvas.observeTreeChange(calls, on: turn) { calls.add() }
            shape.x = 1
            turn.flush()
            #expect(calls.count == 1 && scope.count == 2)
        case .joinsAndLeaves:
            let scope = Scope(name: "Drawing", root: canvas)
            shape.observeAttach(calls) { if $0 === scope { calls.add() } }
            shape.observeDetach(calls) { _ in calls.add() }
            canvas.shapes = [shape]
            #expect(shape.scope === scope && scope.object(id: shape.uuid) === shape)
            canvas.shapes = []
            #expect(shape.scope == nil && calls.count == 2)
        case .isShared:
            let scope = Scope(name: "Drawing", root: canvas)
            canvas.shapes = [shape]
            canvas.selected = shape
            canvas.shapes = []
            #expect(scope.count == 2)
            canvas.selected = nil
            #expect(scope.count == 1)
        case .isRecorded:
            let scope = Scope(name: "Drawing", root: canvas)
            let set = scope.modify {
                canvas.name = "new"
                canvas.shapes = [shape]
            }
            #expect(set.fragments.map(\.kind) == [.change, .add])
            _ = scope.undo(set)
            #expect(canvas.name.isEmpty && canvas.shapes.isEmpty && scope.count == 1)
        case .isApplied:
            let scope = Scope(name: "Drawing", root: canvas)
            let id = ModelID()
            canvas.observeChangeImmediately(calls, form.name) { calls.add() }
            scope.applySyncFragments([
                SyncFragment(
                    .change,
                    uuid: canvas.uuid,
                    className: canvas.className,
                    properties: ["name": "theirs", "shapes": [.string(id.uuidString.lowercased())]]
                ),
                SyncFragment(.add, uuid: id, className: "Shape", properties: ["x": 3]),
            ])
            let made = try #require(canvas.shapes.first)
            #expect(made.uuid == id && made.x == 3 && calls.count == 1)
            #expect(scope.getAndClearSyncFragments() == [])
        case .isFreed:
            weak var object: Canvas.Drawn?
            do {
                let root = Canvas()
                root.shapes = [Canvas.Drawn()]
                let scope = Scope(name: "Drawing", root: root)
                object = root.shapes.first
                #expect(scope.count == 2 && object != nil)
            }
            #expect(object == nil)
        }
    }
}

extension FormBehaviour: CustomTestStringConvertible {
    nonisolated var testDescription: String { rawValue }
}

nonisolated final class Calls {
    private(set) var count = 0
    func add() { count += 1 }
}
