import JetstreamCore

// Models of the main actor.

@MainActor final class MainCanvas {
    private var _name: String = ""
    var name: String {
        get {
            modelNode.access(self, \MainCanvas.name)
            return _name
        }
        set {
            modelNode.mutate(self, \MainCanvas.name, in: MainCanvas.modelSchema, at: 0, from: _name, to: newValue) {
                _name = newValue
            }
        }
    }

    private var _shapes: [MainShape] = []
    var shapes: [MainShape] {
        get {
            modelNode.access(self, \MainCanvas.shapes)
            return _shapes
        }
        set {
            modelNode.mutate(self, \MainCanvas.shapes, in: MainCanvas.modelSchema, at: 1, from: _shapes, to: newValue) {
                _shapes = newValue
            }
        }
    }

    private var _selected: MainShape?
    var selected: MainShape? {
        get {
            modelNode.access(self, \MainCanvas.selected)
            return _selected
        }
        set {
            modelNode.mutate(
                self,
                \MainCanvas.selected,
                in: MainCanvas.modelSchema,
                at: 2,
                from: _selected,
                to: newValue
            ) {
                _selected = newValue
            }
        }
    }

    static let modelSchema = ModelSchema("Canvas", of: MainCanvas.self) {
        [
            .stored("name", \MainCanvas.name, get: { $0._name }, set: { $0.name = $1 }),
            .stored("shapes", \MainCanvas.shapes, get: { $0._shapes }, set: { $0.shapes = $1 }),
            .stored("selected", \MainCanvas.selected, get: { $0._selected }, set: { $0.selected = $1 }),
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

extension MainCanvas: @MainActor ModelObject {}

@MainActor final class MainShape {
    private var _x: Double = 0
    var x: Double {
        get {
            modelNode.access(self, \MainShape.x)
            return _x
        }
        set {
            modelNode.mutate(self, \MainShape.x, in: MainShape.modelSchema, at: 0, from: _x, to: newValue) {
                _x = newValue
            }
        }
    }

    private var _y: Double = 0
    var y: Double {
        get {
            modelNode.access(self, \MainShape.y)
            return _y
        }
        set {
            modelNode.mutate(self, \MainShape.y, in: MainShape.modelSchema, at: 1, from: _y, to: newValue) {
                _y = newValue
            }
        }
    }

    private var _color = RGBAColor(0)
    var color: RGBAColor {
        get {
            modelNode.access(self, \MainShape.color)
            return _color
        }
        set {
            modelNode.mutate(self, \MainShape.color, in: MainShape.modelSchema, at: 2, from: _color, to: newValue) {
                _color = newValue
            }
        }
    }

    var sum: Double { x + y }

    static let modelSchema = ModelSchema("Shape", of: MainShape.self) {
        [
            .stored("x", \MainShape.x, get: { $0._x }, set: { $0.x = $1 }),
            .stored("y", \MainShape.y, get: { $0._y }, set: { $0.y = $1 }),
            .stored("color", \MainShape.color, get: { $0._color }, set: { $0.color = $1 }),
            .composite("sum", \MainShape.sum, of: [\MainShape.x, \MainShape.y]),
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

extension MainShape: @MainActor ModelObject {}
