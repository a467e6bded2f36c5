import JetstreamCore
import Testing

@Suite("Forms of models")
struct FormTests {
    @Test("a plain object keeps what is set")
    func plain() {
        let shape = Shape()
        shape.x = 4
        #expect(shape.sum == 4)
    }

    @Test("an object of the main actor keeps what is set")
    @MainActor
    func main() {
        let shape = MainShape()
        shape.x = 4
        #expect(shape.sum == 4)
    }
}
