import JetstreamCore
import Observation

/// A model object as `@Model` makes it: written by hand, so that the measurements are built without swift-syntax.
final class Node {
    private var _x: Double = 0
    var x: Double {
        get {
            modelNode.access(self, \Node.x)
            return _x
        }
        set {
            modelNode.mutate(self, \Node.x, in: Node.modelSchema, at: 0, from: _x, to: newValue) {
                _x = newValue
            }
        }
    }

    private var _y: Double = 0
    var y: Double {
        get {
            modelNode.access(self, \Node.y)
            return _y
        }
        set {
            modelNode.mutate(self, \Node.y, in: Node.modelSchema, at: 1, from: _y, to: newValue) {
                _y = newValue
            }
        }
    }

    private var _width: Double = 0
    var width: Double {
        get {
            modelNode.access(self, \Node.width)
            return _width
        }
        set {
            modelNode.mutate(self, \Node.width, in: Node.modelSchema, at: 2, from: _width, to: newValue) {
                _width = newValue
            }
        }
    }

    private var _height: Double = 0
    var height: Double {
        get {
            modelNode.access(self, \Node.height)
            return _height
        }
        set {
            modelNode.mutate(self, \Node.height, in: Node.modelSchema, at: 3, from: _height, to: newValue) {
                _height = newValue
            }
        }
    }

    private var _name = ""
    var name: String {
        get {
            modelNode.access(self, \Node.name)
            return _name
        }
        set {
            modelNode.mutate(self, \Node.name, in: Node.modelSchema, at: 4, from: _name, to: newValue) {
                _name = newValue
            }
        }
    }

    private var _isHidden = false
    var isHidden: Bool {
        get {
            modelNode.access(self, \Node.isHidden)
            return _isHidden
        }
        set {
            modelNode.mutate(self, \Node.isHidden, in: Node.modelSchema, at: 5, from: _isHidden, to: newValue) {
                _isHidden = newValue
            }
        }
    }

    private var _nodes: [Node] = []
    var nodes: [Node] {
        get {
            modelNode.access(self, \Node.nodes)
            return _nodes
        }
        set {
            modelNode.mutate(self, \Node.nodes, in: Node.modelSchema, at: 6, from: _nodes, to: newValue) {
                _nodes = newValue
            }
        }
    }

    static let modelSchema = ModelSchema("Node", of: Node.self) {
        [
            .stored("x", \Node.x, get: { $0._x }, set: { $0.x = $1 }),
            .stored("y", \Node.y, get: { $0._y }, set: { $0.y = $1 }),
            .stored("width", \Node.width, get: { $0._width }, set: { $0.width = $1 }),
            .stored("height", \Node.height, get: { $0._height }, set: { $0.height = $1 }),
            .stored("name", \Node.name, get: { $0._name }, set: { $0.name = $1 }),
            .stored("isHidden", \Node.isHidden, get: { $0._isHidden }, set: { $0.isHidden = $1 }),
            .stored("nodes", \Node.nodes, get: { $0._nodes }, set: { $0.nodes = $1 }),
        ]
    }

    let modelNode = ModelNode()

    init(uuid: ModelID) { modelNode.identify(uuid) }

    deinit { ModelTeardown.release(&_nodes) }
}

extension Node: ModelObject {}

/// The same values in an object that can't be observed.
final class PlainNode {
    var x: Double = 0
    var y: Double = 0
    var width: Double = 0
    var height: Double = 0
    var name = ""
    var isHidden = false
    var nodes: [PlainNode] = []
}

/// The same values, observed as Swift's own observation does.
@Observable
final class ObservableNode {
    var x: Double = 0
    var y: Double = 0
    var width: Double = 0
    var height: Double = 0
    var name = ""
    var isHidden = false
    var nodes: [ObservableNode] = []
}
