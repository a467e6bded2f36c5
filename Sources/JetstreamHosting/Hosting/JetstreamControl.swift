public import Foundation
public import HeliumJSON
internal import HeliumServerKit

/// An object of a scope.
public struct JetstreamObject: Hashable, Sendable {
    /// The identifier.
    public let uuid: UUID
    /// The class.
    public let className: String
    /// The properties in their form on the wire: references are identifiers in lower case.
    public let properties: JSONObject
}

/// Reads and changes the scopes of a server while it runs.
public struct JetstreamControl: Sendable {
    let host: JetstreamHost

    /// The number of sessions, connected or not.
    public var sessionCount: Int { get async { await host.sessionCount } }

    /// Returns the objects of a scope: the root first, then depth-first; empty if there is no such scope, or if
    /// it is not served because its root in the store is damaged or of another class.
    public func objects(in scope: String) async -> [JetstreamObject] {
        let fragments = await host.state(of: scope)?["fragments"]?.arrayValue ?? []
        return fragments.compactMap { fragment in
            guard let uuid = fragment["uuid"]?.stringValue.flatMap({ UUID(uuidString: $0) }),
                let name = fragment["clsName"]?.stringValue, let properties = fragment["properties"]?.objectValue
            else { return nil }
            return JetstreamObject(uuid: uuid, className: name, properties: properties)
        }
    }

    /// Changes an object for all sessions (Docs/Protocols/Jetstream.md §5.6).
    ///
    /// - Parameters:
    ///   - scope: The name of the scope.
    ///   - query: `$uuid` of the object, and `$cls` of its class. Default: empty, which selects the root.
    ///   - operators: `$set`, `$push`, `$pull` or `$addToSet`, each with values by path: `["$set": ["author.name":
    ///     "mira"]]`. Objects are written inline or named by `$uuid`; `$each` adds several elements.
    /// - Returns: The added and changed objects, and the parts of the update that failed.
    /// - Throws: ``JetstreamRefusal`` if there is no such scope, if it is not served because its root in the store is damaged
    ///   or of another class, or if the store failed. Nothing was changed then.
    @discardableResult
    public func update(
        _ scope: String,
        where query: JSONObject = [:],
        _ operators: JSONObject
    ) async throws -> JetstreamUpdateResult {
        try await host.update(scope, query, operators)
    }

    /// Drops all sockets without a close frame, like a network failure. Sessions continue.
    public func dropSockets() async { await host.perform(.dropSockets) }

    /// Ends all sessions as if their clients had been silent for too long: their sockets are closed with 4097, and
    /// their tokens become invalid.
    public func expireSessions() async { await host.perform(.expireSessions) }
}

extension JetstreamControl: CustomReflectable {
    /// No children, because the state of the server has the tokens and keys of clients.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
