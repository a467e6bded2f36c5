public import Foundation
public import HeliumJSON

/// An object's creation, or a change of its properties: the unit of states and syncs (Docs/Protocols/Jetstream.md §2.1).
///
/// There is no fragment for a removal: an object is gone when no property of an object in the scope refers to it.
public struct SyncFragment: Sendable, Hashable {
    /// The action on the object.
    public enum Kind: String, Sendable, Hashable {
        /// The object is made. For a known object, a client takes it as a change.
        case add
        /// Properties of a known object are set.
        case change
    }

    /// The action on the object.
    public var kind: Kind
    /// The object's identifier. On the wire it is lower case.
    public var uuid: UUID
    /// The object's class, without a module's name.
    public var className: String
    /// The properties by their names on the wire. May be empty, but is always sent (Jetstream.md §1.9).
    public var properties: JSONObject

    /// A fragment of these parts.
    public init(_ kind: Kind, uuid: UUID, className: String, properties: JSONObject = [:]) {
        self.kind = kind
        self.uuid = uuid
        self.className = className
        self.properties = properties
    }
}
