import Jetstream

// The models of JetstreamCoreTests, whose conformances are written by hand there, made by the macro.

@Model
final class Canvas {
    var name = ""
    var shapes: [Shape] = []
    var selected: Shape?
}

@Model
final class Shape {
    var x: Double = 0
    var y: Double = 0
    var color = RGBAColor(0)

    @Composite(\.x, \.y)
    var sum: Double { x + y }
}

@MainActor
@Model
@ClassName("Canvas")
final class MainCanvas {
    var name = ""
    var shapes: [MainShape] = []
    var selected: MainShape?
}

@MainActor
@Model
@ClassName("Shape")
final class MainShape {
    var x: Double = 0
    var y: Double = 0
    var color = RGBAColor(0)

    @Composite(\.x, \.y)
    var sum: Double { x + y }
}
