import JetstreamCore
import Testing

@Suite("Models under main actor isolation by default")
struct DefaultIsolationTests {
    @Test("an object keeps what is set")
    func sets() {
        let shape = Shape()
        shape.x = 4
        #expect(shape.x == 4)
        #expect(shape.sum == 4)
    }
}
