public import Foundation
public import HeliumJSON
public import Observation

/// An object of a tree that reports its changes and can be synced (Docs/Protocols/Jetstream.md §3).
///
/// Classes conform with the macro `@Model`. Model objects are not `Sendable`: they stay in the isolation of their
/// owner. A class with a global actor, like `@MainActor`, conforms for that actor: `extension Shape: @MainActor
/// ModelObject {}`.
///
/// ## Members of a conformance
///
/// ```swift
/// final class Marker {
///     // Each property has its storage, and accessors that report to the node. 0, 1 … count the properties that the class
///     // itself declares, in the order of its schema.
///     private var _x: Double = 0
///     var x: Double {
///         get {
///             modelNode.access(self, \Marker.x)
///             return _x
///         }
///         set {
///             modelNode.mutate(self, \Marker.x, in: Marker.modelSchema, at: 0, from: _x, to: newValue) { _x = newValue }
///         }
///     }
///
///     private var _next: Marker? = nil
///     var next: Marker? {
///         get {
///             modelNode.access(self, \Marker.next)
///             return _next
///         }
///         set {
///             modelNode.mutate(self, \Marker.next, in: Marker.modelSchema, at: 1, from: _next, to: newValue) {
///                 _next = newValue
///             }
///         }
///     }
///
///     // Computed properties are written by the author.
///     var doubled: Double { x * 2 }
///
///     static let modelSchema = ModelSchema("Marker", of: Marker.self) {
///         [
///             .stored("x", \Marker.x, get: { $0._x }, set: { $0.x = $1 }),
///             .stored("next", \Marker.next, get: { $0._next }, set: { $0.next = $1 }),
///             .composite("doubled", \Marker.doubled, of: [\Marker.x]),
///         ]
///     }
///
///     let modelNode = ModelNode()
///
///     init(uuid: ModelID) { modelNode.identify(uuid) }
///
///     // Frees what is below without a call within a call for each level. For scalars it does nothing.
///     deinit {
///         ModelTeardown.release(&_x)
///         ModelTeardown.release(&_next)
///     }
/// }
///
/// extension Marker: ModelObject {}
/// ```
///
/// `Shape()` comes from a protocol extension, which calls `init(uuid:)` with a random identifier.
///
/// A class that is not final declares a static constant for its schema, which its accessors name, and `class var
/// modelSchema: ModelSchema { shapeSchema }`. A subclass overrides that property, creates its schema with `super:
/// super.modelSchema`, counts its own properties from 0, uses the inherited `modelNode`, and declares `required
/// init(uuid:)`. A composite that depends on inherited properties names them: `of: ["x": \Circle.x]`.
public protocol ModelObject: AnyObject, ModelElement, Observable {
    /// The name and the properties of the class.
    static var modelSchema: ModelSchema { get }

    /// The node of the object in its tree.
    var modelNode: ModelNode { get }

    /// Creates an object with an identifier and default values, for objects that a peer created.
    init(uuid: ModelID)
}

/// The identifier of a model object: a UUID, in lower case on the wire (Docs/Protocols/Jetstream.md §2.1).
public typealias ModelID = UUID

extension ModelObject {
    /// Creates an object with a random identifier and default values.
    ///
    /// The identifier is generated when it is first needed: `init(uuid:)` receives the nil UUID (RFC 9562 §5.9).
    public init() { self.init(uuid: .unassigned) }
}

// MARK: As a value of a property

extension ModelObject {
    /// The kind of model objects: a reference.
    @inlinable
    public static var modelKind: ModelKind { .reference }

    /// Returns whether two references are to the same object.
    @inlinable
    public static func isSame(_ left: Self, _ right: Self) -> Bool { left === right }

    /// Returns the object's identifier in lower case.
    public func modelJSON(_ format: ModelFormat) -> JSONValue { .string(modelNode.uuid.wireText) }

    /// Returns the object with an identifier if it is known and of this class.
    @inlinable
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> Self? {
        guard case .string(let id) = json else { return nil }
        return source.object(id) as? Self
    }

    /// The object itself.
    @inlinable
    public var asModelObject: (any ModelObject)? { self }

    /// This class.
    @inlinable
    public static var modelObjectType: (any ModelObject.Type)? { Self.self }
}

// MARK: Identity and place

extension ModelObject {
    /// The identifier, random unless given. A scope replaces the identifier of its root with the server's.
    public var uuid: UUID { modelNode.uuid }

    /// The name of the class on the wire.
    public var className: String { modelNode.schema(of: self).className }
}
