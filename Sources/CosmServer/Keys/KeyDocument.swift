internal import HeliumJSON
internal import HeliumServerKit

/// Writes keys as JSON in responses and in the store, and reads stored ones (Docs/Protocols/Cosm.md §7).
enum KeyDocument {
    /// Returns the members that xively-python supports. It rejects other members.
    static func json(_ key: AccessKey) -> JSONValue {
        var object: JSONObject = ["api_key": .string(key.secret), "label": .string(key.label)]
        if let end = key.expiresAt { object["expires_at"] = .string(end.text()) }
        object["private_access"] = .bool(key.opensPrivate)
        object["permissions"] = .array(key.permissions.map(json))
        return .object(object)
    }

    private static func json(_ permission: AccessPermission) -> JSONValue {
        let methods = AccessMethod.allCases.filter(permission.methods.contains)
        var object: JSONObject = ["access_methods": .array(methods.map { .string($0.rawValue) })]
        object.set("label", permission.label)
        object.set("referer", permission.referer)
        object.set("source_ip", permission.sourceAddress)
        if let interval = permission.minimumInterval { object["minimum_interval"] = .number(JSONNumber(interval)) }
        if !permission.resources.isEmpty { object["resources"] = .array(permission.resources.map(json)) }
        return .object(object)
    }

    private static func json(_ resource: AccessResource) -> JSONValue {
        var object = JSONObject()
        if let feed = resource.feed { object["feed_id"] = .number(JSONNumber(feed)) }
        if let datastream = resource.datastream { object["datastream_id"] = .string(datastream) }
        if let trigger = resource.trigger { object["datastream_trigger_id"] = .number(JSONNumber(trigger)) }
        return .object(object)
    }

    /// Reads a stored key. Keys of earlier versions may break the rules for new ones.
    static func stored(_ document: JSONValue, secret: String, owner: String) throws(CosmFailure) -> AccessKey {
        try KeyInput(JSONFields.body(document)).key(secret, owner: owner)
    }
}
