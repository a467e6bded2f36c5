// Type-checked by a test, without an error. The file imports Jetstream alone: expansions name nothing of other modules.
import Jetstream

@Model
public final class Shape {
    public var x = 0.0
    public private(set) var y: Double = 0
    public var next: Shape?
    public var list: [Shape] = []
    var `default` = "" { didSet { changes += 1 } }
    @Key("wire name") var renamed: Int? = nil
    @Local var isSelected = false
    @MinSyncInterval(0.05) var angle: Float = 0
    @Composite(\.x, \.y) public var sum: Double { x + y }
    @Composite(\.`default`) var length: Int { `default`.count }
    @Ignored var changes = 0
    @Ignored lazy var scale = 1.0
    static let limit = 10
    private var hidden = [1, 2]
    var kind = Kind.line

    enum Kind: String, ModelScalar { case line, circle }

    func useHidden() { hidden.append(3) }
}

@Model
open class Figure {
    open var title = ""
    var weight = 1

    public init(title: String) { self.title = title }
}

@Model
public class Circle: Figure, CustomStringConvertible {
    var radius = 1.0
    @Composite(\.radius, \.weight) var mass: Double { radius * Double(weight) }
    @Ignored public var description: String { title }
}

@Model
final class Dot: Circle {
    init() { super.init(title: "dot") }
}

@MainActor
@Model
final class Window {
    var title = ""
    var children: [Window] = []
}

@globalActor
actor Studio {
    static let shared = Studio()
}

@Studio
@Model(on: Studio.self)
final class Track {
    var title = ""
    var next: Track?
}

enum Scene {
    @Model
    fileprivate final class Light {
        var brightness = 1.0
    }
}

@Model
private final class Lamp {
    var lamp: Lamp?
}

func make() {
    let shape = Shape()
    shape.x = 1
    _ = Shape.modelSchema
    _ = Circle(title: "round")
}
