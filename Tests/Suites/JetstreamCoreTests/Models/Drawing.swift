import JetstreamCore

// Models without an actor of their own: plain here, and the main actor's in the module whose default isolation that is.

final class Canvas {
    private var _name: String = ""
    var name: String {
        get {
            modelNode.access(self, \Canvas.name)
            return _name
        }
        set {
            modelNode.mutate(self, \Canvas.name, in: Canvas.modelSchema, at: 0, from: _name, to: newValue) {
                _name = newValue
            }
        }
    }

    private var _shapes: [Shape] = []
    var shapes: [Shape] {
        get {
            modelNode.access(self, \Canvas.shapes)
            return _shapes
        }
        set {
            modelNode.mutate(self, \Canvas.shapes, in: Canvas.modelSchema, at: 1, from: _shapes, to: newValue) {
                _shapes = newValue
            }
        }
    }

    private var _selected: Shape?
    var selected: Shape? {
        get {
            modelNode.access(self, \Canvas.selected)
            return _selected
        }
        set {
            modelNode.mutate(self, \Canvas.selected, in: Canvas.modelSchema, at: 2, from: _selected, to: newValue) {
                _selected = newValue
            }
        }
    }

    static let modelSchema = ModelSchema("Canvas", of: Canvas.self) {
        [
            .stored("name", \Canvas.name, get: { $0._name }, set: { $0.name = $1 }),
            .stored("shapes", \Canvas.shapes, get: { $0._shapes }, set: { $0.shapes = $1 }),
            .stored("selected", \Canvas.selected, get: { $0._selected }, set: { $0.selected = $1 }),
        ]
    }

    let modelNode = ModelNode()

    init(uuid: ModelID) { modelNode.identify(uuid) }

    deinit {
        ModelTeardown.release(&_name)
        ModelTeardown.release(&_shapes)
        ModelTeardown.release(&_selected)
    }
}

extension Canvas: ModelObject {}

final class Shape {
    private var _x: Double = 0
    var x: Double {
        get {
            modelNode.access(self, \Shape.x)
            return _x
        }
        set {
            modelNode.mutate(self, \Shape.x, in: Shape.modelSchema, at: 0, from: _x, to: newValue) { _x = newValue }
        }
    }

    private var _y: Double = 0
    var y: Double {
        get {
            modelNode.access(self, \Shape.y)
            return _y
        }
        set {
            modelNode.mutate(self, \Shape.y, in: Shape.modelSchema, at: 1, from: _y, to: newValue) { _y = newValue }
        }
    }

    private var _color = RGBAColor(0)
    var color: RGBAColor {
        get {
            modelNode.access(self, \Shape.color)
            return _color
        }
        set {
            modelNode.mutate(self, \Shape.color, in: Shape.modelSchema, at: 2, from: _color, to: newValue) {
                _color = newValue
            }
        }
    }

    var sum: Double { x + y }

    static let modelSchema = ModelSchema("Shape", of: Shape.self) {
        [
            .stored("x", \Shape.x, get: { $0._x }, set: { $0.x = $1 }),
            .stored("y", \Shape.y, get: { $0._y }, set: { $0.y = $1 }),
            .stored("color", \Shape.color, get: { $0._color }, set: { $0.color = $1 }),
            .composite("sum", \Shape.sum, of: [\Shape.x, \Shape.y]),
        ]
    }

    let modelNode = ModelNode()

    init(uuid: ModelID) { modelNode.identify(uuid) }

    deinit {
        ModelTeardown.release(&_x)
        ModelTeardown.release(&_y)
        ModelTeardown.release(&_color)
    }
}

extension Shape: ModelObject {}
