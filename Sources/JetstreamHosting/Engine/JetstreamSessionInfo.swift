public import Foundation
public import HeliumJSON

/// A session as closures see it.
public struct JetstreamSessionInfo: Hashable, Sendable {
    /// The number of the session, by which the server tells its sessions apart.
    public let id: Int
    /// The parameters of the connection that created it: `X-Jetstream-*` headers and query, in lower case.
    public let connection: JSONObject
    /// The parameters of its SessionCreate.
    public let parameters: JSONObject
}

extension JetstreamSessionInfo: CustomStringConvertible, CustomReflectable {
    /// The number; parameters may be credentials.
    public var description: String { "session \(id)" }

    /// Shows the number; parameters may be credentials.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

/// A request to fetch a scope.
public struct JetstreamFetch: Hashable, Sendable {
    /// The session.
    public let session: JetstreamSessionInfo
    /// The scope's name.
    public let scope: String
    /// The parameters of the ScopeFetch.
    public let parameters: JSONObject
}

/// A property that a client writes.
public struct JetstreamWrite: Hashable, Sendable {
    /// The session.
    public let session: JetstreamSessionInfo
    /// The scope's name.
    public let scope: String
    /// The object.
    public let uuid: UUID
    /// The object's class. With ``JetstreamConfiguration/Compatibility/original``, a change has the class that its sender names.
    public let className: String
    /// Whether the fragment adds the object.
    public let isAdd: Bool
    /// The property's name.
    public let property: String
    /// The value as the client sent it.
    public let value: JSONValue
}

/// Closures that decide what clients may do. A missing one allows everything.
///
/// Each refuses by throwing; a ``JetstreamRefusal`` reaches the client with its message.
public struct JetstreamAuthorization: Sendable {
    /// Decides on a connection by its parameters. Without the session's token, which is not among them.
    public var connection: (@Sendable (JSONObject) async throws -> Void)?
    /// Decides on a new session.
    public var session: (@Sendable (JetstreamSessionInfo) async throws -> Void)?
    /// Decides on a fetch of a scope.
    public var fetch: (@Sendable (JetstreamFetch) async throws -> Void)?
    /// Decides on each property that a client writes. It is called while all other clients wait: it must be quick.
    public var write: (@Sendable (JetstreamWrite) throws -> Void)?

    /// Allows everything.
    public init() {}
}
