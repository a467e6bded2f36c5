internal import HeliumJSON
internal import HeliumServerKit

/// Reads and writes keys as JSON: in requests, in responses and in the store (Docs/Protocols/Cosm.md §7).
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

    /// Reads the key of a request, with or without the wrapper `key`. The client cannot choose the secret and the
    /// owner.
    ///
    /// - Throws: ``CosmFailure``: 400 for a body that is not a key, 422 for a key that breaks a rule.
    static func read(_ body: JSONValue, secret: String, owner: String) throws(CosmFailure) -> AccessKey {
        let outer = try JSONFields.body(body)
        let fields = try outer.fields("key") ?? outer
        let permissions = try (fields.array("permissions") ?? []).map(permission)
        let key = AccessKey(
            secret: secret,
            owner: owner,
            label: try fields.text("label") ?? "",
            expiresAt: try fields.stamp("expires_at"),
            opensPrivate: try fields.boolean("private_access") ?? false,
            permissions: permissions
        )
        let messages = violations(of: key)
        if !messages.isEmpty { throw .invalid(messages) }
        return key
    }

    private static func permission(_ element: JSONValue) throws(CosmFailure) -> AccessPermission {
        let fields = try JSONFields.body(element)
        var methods: Set<AccessMethod> = []
        for element in try fields.array("access_methods") ?? [] {
            guard let method = AccessMethod(rawValue: element.stringValue?.lowercased() ?? "") else {
                throw .invalid("Access methods are get, put, post and delete")
            }
            methods.insert(method)
        }
        let resources = try (fields.array("resources") ?? []).map(resource)
        return AccessPermission(
            methods: methods,
            label: try nonEmpty(fields.text("label")),
            referer: try nonEmpty(fields.text("referer")),
            sourceAddress: try nonEmpty(fields.text("source_ip")),
            minimumInterval: try fields.integer("minimum_interval"),
            resources: resources
        )
    }

    private static func resource(_ element: JSONValue) throws(CosmFailure) -> AccessResource {
        let fields = try JSONFields.body(element)
        return AccessResource(
            feed: try fields.integer("feed_id"),
            datastream: try fields.text("datastream_id"),
            trigger: try fields.integer("datastream_trigger_id")
        )
    }

    private static func nonEmpty(_ text: String?) -> String? { text?.isEmpty == true ? nil : text }

    static let maximumPermissions = 100
    static let maximumResources = 1_000

    private static func violations(of key: AccessKey) -> [String] {
        var messages: [String] = []
        if key.label.allSatisfy(\.isWhitespace) { messages.append("Label can't be blank") }
        if key.label.unicodeScalars.count > 255 { messages.append("Label is too long (maximum is 255 characters)") }
        if key.permissions.isEmpty { messages.append("Permissions can't be blank") }
        if key.permissions.count > maximumPermissions { messages.append("Permissions are too many") }
        for permission in key.permissions {
            if permission.methods.isEmpty { messages.append("Access methods can't be blank") }
            if permission.resources.count > maximumResources { messages.append("Resources are too many") }
            if permission.minimumInterval ?? 0 < 0 { messages.append("Minimum interval is negative") }
            for resource in permission.resources {
                if resource.datastream != nil, resource.feed == nil {
                    messages.append("A resource with a datastream id needs a feed id")
                }
                if resource == AccessResource() {
                    messages.append("A resource needs a feed id, a datastream id or a trigger id")
                }
            }
        }
        return messages
    }
}
