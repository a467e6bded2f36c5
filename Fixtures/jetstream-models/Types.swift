// Type-checked by a test: properties of types that a model can't have. Each is one error, at the property.
import Jetstream

struct Other {}

@Model
final class Shape {
    var a = Other()
    var b: [Other] = []
    var c: Other?
    var d = Shape()
    var e: [String: Int] = [:]
    var f: [[Int]] = []
    var g: [Int?] = []
    var h: (Int, Int) = (1, 2)
    var i = Plain.one
    var j: [Int]? = nil
    @Ignored var k = Other()

    enum Plain { case one }
}
