internal import HeliumJSON
internal import HeliumServerKit

/// The content of a request that writes a key (Docs/Protocols/Cosm.md §7). The client cannot choose the secret and the
/// owner.
struct KeyInput: Hashable, Sendable {
    var label: String
    var expiresAt: ServerInstant?
    var opensPrivate: Bool
    var permissions: [AccessPermission]

    /// Reads the key of a request, with or without the wrapper `key`.
    ///
    /// - Throws: ``CosmFailure``: 400 for a body that is not a key, 422 for a key that breaks a rule.
    static func read(_ body: JSONValue) throws(CosmFailure) -> Self {
        let outer = try JSONFields.body(body)
        let input = try Self(outer.fields("key") ?? outer)
        let messages = KeyRules.violations(of: input)
        if !messages.isEmpty { throw .invalid(messages) }
        return input
    }

    /// Reads members without checking the rules for new keys.
    init(_ fields: JSONFields) throws(CosmFailure) {
        label = try fields.text("label") ?? ""
        expiresAt = try fields.stamp("expires_at")
        opensPrivate = try fields.boolean("private_access") ?? false
        permissions = try (fields.array("permissions") ?? []).map(Self.permission)
    }

    func key(_ secret: String, owner: String) -> AccessKey {
        AccessKey(
            secret: secret,
            owner: owner,
            label: label,
            expiresAt: expiresAt,
            opensPrivate: opensPrivate,
            permissions: permissions
        )
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
}

/// The rules for new and changed keys.
enum KeyRules {
    static let maximumPermissions = 100
    /// The maximum number of resources of all permissions together. Every request reads and decodes its key.
    static let maximumResources = 1_000
    static let maximumText = 255
    static let maximumReferer = 2_048

    static func violations(of key: KeyInput) -> [String] {
        var messages: [String] = []
        if key.label.allSatisfy(\.isWhitespace) { messages.append("Label can't be blank") }
        if isTooLong(key.label) { messages.append("Label is too long (maximum is \(maximumText) characters)") }
        if key.permissions.isEmpty { messages.append("Permissions can't be blank") }
        if key.permissions.count > maximumPermissions { messages.append("Permissions are too many") }
        if key.permissions.reduce(0, { $0 + $1.resources.count }) > maximumResources {
            messages.append("Resources are too many (maximum is \(maximumResources))")
        }
        // So many messages would make a long response.
        if !messages.isEmpty { return messages }
        for permission in key.permissions {
            if permission.methods.isEmpty { messages.append("Access methods can't be blank") }
            if isTooLong(permission.label) || isTooLong(permission.sourceAddress) {
                messages.append("Permission text is too long (maximum is \(maximumText) characters)")
            }
            if permission.referer?.utf8.count ?? 0 > maximumReferer { messages.append("Referer is too long") }
            if permission.minimumInterval ?? 0 < 0 { messages.append("Minimum interval is negative") }
            for resource in permission.resources {
                if isTooLong(resource.datastream) { messages.append("A resource's datastream id is too long") }
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

    private static func isTooLong(_ text: String?) -> Bool { text?.unicodeScalars.count ?? 0 > maximumText }
}
