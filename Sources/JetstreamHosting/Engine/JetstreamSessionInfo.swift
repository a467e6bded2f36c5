public import Foundation
public import HeliumJSON

/// A session as passed to closures.
public struct JetstreamSessionInfo: Hashable, Sendable {
    /// The number of the session, which distinguishes it from the server's other sessions.
    public let id: Int
    /// The parameters of the connection that created the session: `X-Jetstream-*` headers and query, in lower case.
    public let connection: JSONObject
    /// The parameters of the SessionCreate.
    public let parameters: JSONObject
}

extension JetstreamSessionInfo: CustomStringConvertible, CustomReflectable {
    /// The number of the session. Parameters are left out because they may be credentials.
    public var description: String { "session \(id)" }

    /// A mirror with the number only. Parameters are left out because they may be credentials.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

/// A request to fetch a scope.
public struct JetstreamFetch: Hashable, Sendable {
    /// The session.
    public let session: JetstreamSessionInfo
    /// The name of the scope.
    public let scope: String
    /// The parameters of the ScopeFetch.
    public let parameters: JSONObject
}

extension JetstreamFetch: CustomStringConvertible, CustomReflectable {
    /// The session and the scope: `session 1 fetches Board`. Parameters are left out because they may be credentials.
    public var description: String { "\(session) fetches \(scope)" }

    /// A mirror without the parameters, which may be credentials.
    public var customMirror: Mirror { Mirror(self, children: ["session": session, "scope": scope]) }
}

/// A property that a client writes.
public struct JetstreamWrite: Hashable, Sendable {
    /// The session.
    public let session: JetstreamSessionInfo
    /// The name of the scope.
    public let scope: String
    /// The object.
    public let uuid: UUID
    /// The class of the object. With ``JetstreamConfiguration/Compatibility/original``, a change has the class that its
    /// sender names.
    public let className: String
    /// Whether the fragment adds the object.
    public let isAdd: Bool
    /// The name of the property.
    public let property: String
    /// The value that the client sent.
    public let value: JSONValue
}

/// Closures that decide what clients may do. A missing closure allows everything.
///
/// A closure rejects by throwing. The message of a ``JetstreamRefusal`` is sent to the client.
public struct JetstreamAuthorization: Sendable {
    /// Decides on a connection by its parameters. The session token is not among them.
    public var connection: (@Sendable (JSONObject) async throws -> Void)?
    /// Decides on a new session.
    public var session: (@Sendable (JetstreamSessionInfo) async throws -> Void)?
    /// Decides on a fetch of a scope.
    public var fetch: (@Sendable (JetstreamFetch) async throws -> Void)?
    /// Decides on each property that a client writes. It must be fast, because all other clients wait while it runs.
    public var write: (@Sendable (JetstreamWrite) throws -> Void)?

    /// Creates an authorization that allows everything.
    public init() {}
}
