internal import HeliumJSON

/// Converts entities to JSON objects and back.
enum EntityJSON {
    /// Returns the members of an entity.
    ///
    /// - Throws: `EncodingError` if it cannot be encoded as JSON.
    static func object(of entity: some Encodable) throws -> JSONObject {
        try JSONValue(parsing: HeliumJSONEncoder().encodeToBytes(entity)).objectValue ?? JSONObject()
    }

    /// Returns the entity with the given members; `nil` if the type cannot hold them.
    static func entity<Entity: Decodable>(_ type: Entity.Type, of members: JSONObject) -> Entity? {
        try? HeliumJSONDecoder().decode(type, from: JSONValue.object(members).data())
    }

    /// Returns the value that an update sends for an edited member, so that the server removes deleted values.
    ///
    /// An empty value removes a member, and `null` has no effect (Docs/Protocols/Cosm.md §3.3).
    ///
    /// - Parameters:
    ///   - old: The member as the server had it.
    ///   - new: The member as it is now; `nil` if it was removed.
    static func clearing<Entity: ModelEntity>(
        _ name: String,
        old: JSONValue?,
        new: JSONValue?,
        in type: Entity.Type
    ) -> JSONValue? {
        let clearing = type.field(named: name)?.clearing ?? .text
        switch clearing {
        case .text: return new ?? .string("")
        case .list: return new ?? .array([])
        case .object(let serversOwn):
            guard var members = new == nil ? JSONObject() : new?.objectValue else { return new }
            for (name, _) in old?.objectValue ?? JSONObject() where members[name] == nil { members[name] = .string("") }
            for name in serversOwn { members.removeValue(named: name) }
            return members.isEmpty ? nil : .object(members)
        }
    }
}
