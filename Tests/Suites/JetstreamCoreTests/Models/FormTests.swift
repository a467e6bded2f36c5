import JetstreamCore
import Testing

extension Canvas: CanvasForm {}
extension Shape: ShapeForm {}
extension MainCanvas: @MainActor CanvasForm {}
extension MainShape: @MainActor ShapeForm {}

@Suite("Forms of models")
struct FormTests {
    @Test("models without an actor behave as documented", arguments: FormBehaviour.allCases)
    func plain(_ behaviour: FormBehaviour) throws {
        try behaviour.check(
            Form(canvas: Canvas.self, name: \.name, shapes: \.shapes, x: \.x, sum: \.sum)
        )
    }

    @Test("models of the main actor behave as documented", arguments: FormBehaviour.allCases)
    @MainActor
    func main(_ behaviour: FormBehaviour) throws {
        try behaviour.check(
            Form(canvas: MainCanvas.self, name: \.name, shapes: \.shapes, x: \.x, sum: \.sum)
        )
    }

    @Test(
        "models without an actor have sequences of changes",
        .timeLimit(.minutes(5)),
        arguments: FormSequence.allCases
    )
    func plainSequences(_ sequence: FormSequence) async throws {
        try await sequence.check(
            Form(canvas: Canvas.self, name: \.name, shapes: \.shapes, x: \.x, sum: \.sum)
        )
    }

    @Test(
        "models of the main actor have sequences of changes",
        .timeLimit(.minutes(5)),
        arguments: FormSequence.allCases
    )
    @MainActor
    func mainSequences(_ sequence: FormSequence) async throws {
        try await sequence.check(
            Form(canvas: MainCanvas.self, name: \.name, shapes: \.shapes, x: \.x, sum: \.sum)
        )
    }

    @Test("a waiting reader of changes gets those of a later turn", .timeLimit(.minutes(5)))
    @MainActor
    func waiting() async {
        let (canvas, shape) = (MainCanvas(), MainShape())
        Task {
            // Gives no element.
            canvas.shapes = []
            canvas.shapes = [shape]
        }
        for await added in canvas.additions(to: \.shapes) {
            #expect(added.count == 1 && added.first === shape)
            break
        }
    }
}
