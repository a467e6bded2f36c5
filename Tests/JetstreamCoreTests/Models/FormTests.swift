import JetstreamCore
import Testing

extension Canvas: CanvasForm {}
extension Shape: ShapeForm {}
extension MainCanvas: @MainActor CanvasForm {}
extension MainShape: @MainActor ShapeForm {}

@Suite("Forms of models")
struct FormTests {
    @Test("objects without an actor", arguments: FormBehaviour.allCases)
    func plain(_ behaviour: FormBehaviour) throws {
        try behaviour.check(
            Form(canvas: Canvas.self, name: \.name, shapes: \.shapes, x: \.x, sum: \.sum)
        )
    }

    @Test("objects of the main actor", arguments: FormBehaviour.allCases)
    @MainActor
    func main(_ behaviour: FormBehaviour) throws {
        try behaviour.check(
            Form(canvas: MainCanvas.self, name: \.name, shapes: \.shapes, x: \.x, sum: \.sum)
        )
    }
}
