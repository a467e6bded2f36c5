import JetstreamCore
import Testing

extension Canvas: CanvasForm {}
extension Shape: ShapeForm {}

@Suite("Models under main actor isolation by default")
struct DefaultIsolationTests {
    @Test("models of a module on the main actor behave as documented", arguments: FormBehaviour.allCases)
    func behaviours(_ behaviour: FormBehaviour) throws {
        try behaviour.check(Form(canvas: Canvas.self, name: \.name, shapes: \.shapes, x: \.x, sum: \.sum))
    }

    @Test(
        "models of a module on the main actor have sequences of changes",
        .timeLimit(.minutes(5)),
        arguments: FormSequence.allCases
    )
    func sequences(_ sequence: FormSequence) async throws {
        try await sequence.check(Form(canvas: Canvas.self, name: \.name, shapes: \.shapes, x: \.x, sum: \.sum))
    }

    @Test("an observer on the main actor is called in a later turn", .timeLimit(.minutes(5)))
    func turns() async {
        let (shape, calls) = (Shape(), Calls())
        await withCheckedContinuation { continuation in
            shape.observeChange(calls) {
                calls.add()
                continuation.resume()
            }
            (shape.x, shape.y) = (1, 2)
            #expect(calls.count == 0)
        }
        #expect(calls.count == 1)
    }

    @Test("changes of a model on the main actor are a sequence", .timeLimit(.minutes(5)))
    func sequence() async {
        let shape = Shape()
        var changes = shape.changes(of: \.x).makeAsyncIterator()
        shape.x = 1
        shape.x = 2
        #expect(await changes.next() == ["x"])
    }
}
