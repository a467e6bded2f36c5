package import Foundation
package import JetstreamCore

/// An object of a graph: values of several kinds, and references that may share objects and go round in circles.
package final class GraphNode {
    private var _text: String?
    package var text: String? {
        get {
            modelNode.access(self, \GraphNode.text)
            return _text
        }
        set {
            modelNode.mutate(self, \GraphNode.text, in: GraphNode.modelSchema, at: 0, from: _text, to: newValue) {
                _text = newValue
            }
        }
    }

    private var _count: Double = 7
    package var count: Double {
        get {
            modelNode.access(self, \GraphNode.count)
            return _count
        }
        set {
            modelNode.mutate(self, \GraphNode.count, in: GraphNode.modelSchema, at: 1, from: _count, to: newValue) {
                _count = newValue
            }
        }
    }

    private var _done = false
    package var done: Bool {
        get {
            modelNode.access(self, \GraphNode.done)
            return _done
        }
        set {
            modelNode.mutate(self, \GraphNode.done, in: GraphNode.modelSchema, at: 2, from: _done, to: newValue) {
                _done = newValue
            }
        }
    }

    private var _due: Date?
    package var due: Date? {
        get {
            modelNode.access(self, \GraphNode.due)
            return _due
        }
        set {
            modelNode.mutate(self, \GraphNode.due, in: GraphNode.modelSchema, at: 3, from: _due, to: newValue) {
                _due = newValue
            }
        }
    }

    private var _tags: [String] = []
    package var tags: [String] {
        get {
            modelNode.access(self, \GraphNode.tags)
            return _tags
        }
        set {
            modelNode.mutate(self, \GraphNode.tags, in: GraphNode.modelSchema, at: 4, from: _tags, to: newValue) {
                _tags = newValue
            }
        }
    }

    private var _next: GraphNode?
    package var next: GraphNode? {
        get {
            modelNode.access(self, \GraphNode.next)
            return _next
        }
        set {
            modelNode.mutate(self, \GraphNode.next, in: GraphNode.modelSchema, at: 5, from: _next, to: newValue) {
                _next = newValue
            }
        }
    }

    private var _nodes: [GraphNode] = []
    package var nodes: [GraphNode] {
        get {
            modelNode.access(self, \GraphNode.nodes)
            return _nodes
        }
        set {
            modelNode.mutate(self, \GraphNode.nodes, in: GraphNode.modelSchema, at: 6, from: _nodes, to: newValue) {
                _nodes = newValue
            }
        }
    }

    private var _leaf: GraphLeaf?
    package var leaf: GraphLeaf? {
        get {
            modelNode.access(self, \GraphNode.leaf)
            return _leaf
        }
        set {
            modelNode.mutate(self, \GraphNode.leaf, in: GraphNode.modelSchema, at: 7, from: _leaf, to: newValue) {
                _leaf = newValue
            }
        }
    }

    package static let modelSchema = ModelSchema("Node", of: GraphNode.self) {
        [
            .stored("text", \GraphNode.text, get: { $0._text }, set: { $0.text = $1 }),
            .stored("count", \GraphNode.count, get: { $0._count }, set: { $0.count = $1 }),
            .stored("done", \GraphNode.done, get: { $0._done }, set: { $0.done = $1 }),
            .stored("due", \GraphNode.due, get: { $0._due }, set: { $0.due = $1 }),
            .stored("tags", \GraphNode.tags, get: { $0._tags }, set: { $0.tags = $1 }),
            .stored("next", \GraphNode.next, get: { $0._next }, set: { $0.next = $1 }),
            .stored("nodes", \GraphNode.nodes, get: { $0._nodes }, set: { $0.nodes = $1 }),
            .stored("leaf", \GraphNode.leaf, get: { $0._leaf }, set: { $0.leaf = $1 }),
        ]
    }

    package let modelNode = ModelNode()

    package init(uuid: ModelID) { modelNode.identify(uuid) }

    deinit {
        ModelTeardown.release(&_next)
        ModelTeardown.release(&_nodes)
        ModelTeardown.release(&_leaf)
    }
}

extension GraphNode: ModelObject {}

/// An object of another class, which refers back.
package final class GraphLeaf {
    private var _node: GraphNode?
    package var node: GraphNode? {
        get {
            modelNode.access(self, \GraphLeaf.node)
            return _node
        }
        set {
            modelNode.mutate(self, \GraphLeaf.node, in: GraphLeaf.modelSchema, at: 0, from: _node, to: newValue) {
                _node = newValue
            }
        }
    }

    package static let modelSchema = ModelSchema("Leaf", of: GraphLeaf.self) {
        [.stored("node", \GraphLeaf.node, get: { $0._node }, set: { $0.node = $1 })]
    }

    package let modelNode = ModelNode()

    package init(uuid: ModelID) { modelNode.identify(uuid) }

    deinit { ModelTeardown.release(&_node) }
}

extension GraphLeaf: ModelObject {}
