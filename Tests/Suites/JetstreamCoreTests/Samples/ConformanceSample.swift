import Foundation
import JetstreamCore

// The sample of ModelObject's documentation, compiled as it is shown.

// sample
final class Marker {
    // Each property has its storage, and accessors that report to the node. 0, 1 … count the properties that the class
    // itself declares, in the order of its schema.
    private var _x: Double = 0
    var x: Double {
        get {
            modelNode.access(self, \Marker.x)
            return _x
        }
        set {
            modelNode.mutate(self, \Marker.x, in: Marker.modelSchema, at: 0, from: _x, to: newValue) { _x = newValue }
        }
    }

    private var _next: Marker? = nil
    var next: Marker? {
        get {
            modelNode.access(self, \Marker.next)
            return _next
        }
        set {
            modelNode.mutate(self, \Marker.next, in: Marker.modelSchema, at: 1, from: _next, to: newValue) {
                _next = newValue
            }
        }
    }

    // Computed properties are written by the author.
    var doubled: Double { x * 2 }

    static let modelSchema = ModelSchema("Marker", of: Marker.self) {
        [
            .stored("x", \Marker.x, get: { $0._x }, set: { $0.x = $1 }),
            .stored("next", \Marker.next, get: { $0._next }, set: { $0.next = $1 }),
            .composite("doubled", \Marker.doubled, of: [\Marker.x]),
        ]
    }

    let modelNode = ModelNode()

    init(uuid: ModelID) { modelNode.identify(uuid) }

    // Frees what is below without a call within a call for each level. For scalars it does nothing.
    deinit {
        ModelTeardown.release(&_x)
        ModelTeardown.release(&_next)
    }
}

extension Marker: ModelObject {}
// end of sample
