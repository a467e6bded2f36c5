public import Foundation
public import HeliumJSON

/// An event of a mirrored scope.
public enum MirrorEvent: Sendable {
    /// The whole tree: after the fetch, and again after each new session. The root is the first object.
    case state(rootUUID: UUID, objects: [MirroredObject])
    /// Changes of other clients or of the server.
    case sync([SyncFragment])
    /// The outcome of a change set that ``MirroredScope/submit(_:isAtomic:procedure:)`` was given.
    case settled(MirroredChanges, Result<[FragmentReply], JetstreamError>)
}

/// Identifies a change set of a ``MirroredScope``.
public struct MirroredChanges: Sendable, Hashable {
    let id: ChangesID
}

extension MirrorEvent {
    /// The event as a line of JSON describes it: `{"event":"state","rootUUID":…,"objects":[…]}` or
    /// `{"event":"sync","fragments":[…]}`; `nil` for the outcome of a change set.
    public var json: JSONValue? {
        switch self {
        case .state(let rootUUID, let objects):
            ["event": "state", "rootUUID": .string(rootUUID.wireText), "objects": .array(objects.map(\.json))]
        case .sync(let fragments): ["event": "sync", "fragments": .array(fragments.map(\.json))]
        case .settled: nil
        }
    }
}

extension MirroredObject {
    /// The object as JSON: `uuid`, `clsName` and `properties`.
    public var json: JSONValue {
        ["uuid": .string(uuid.wireText), "clsName": .string(className), "properties": .object(properties)]
    }
}

extension FragmentReply {
    /// A change set's replies as the member `fragmentReplies` has them on the wire.
    public static func json(_ replies: [FragmentReply]) -> JSONValue { .array(replies.map(\.json)) }
}
