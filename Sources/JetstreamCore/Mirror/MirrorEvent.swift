public import Foundation
public import HeliumJSON

/// An event of a mirrored scope.
public enum MirrorEvent: Sendable {
    /// The whole tree, after the fetch and after each new session. The root is the first object.
    case state(rootUUID: UUID, objects: [MirroredObject])
    /// Changes by other clients or by the server.
    case sync([SyncFragment])
    /// The outcome of a change set passed to ``MirroredScope/submit(_:isAtomic:procedure:)``.
    case settled(MirroredChanges, Result<[FragmentReply], JetstreamError>)
}

/// Identifies a change set of a ``MirroredScope``.
public struct MirroredChanges: Sendable, Hashable {
    let id: ChangesID
}

extension MirrorEvent {
    /// The event as a line of JSON: `{"event":"state","rootUUID":…,"objects":[…]}` or
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
    /// Returns the replies to a change set in the form of the member `fragmentReplies` on the wire.
    public static func json(_ replies: [FragmentReply]) -> JSONValue { .array(replies.map(\.json)) }
}
