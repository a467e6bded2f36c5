internal import HeliumJSON
internal import HeliumServerKit

/// An API key with its permissions (Docs/Protocols/Cosm.md §7).
struct AccessKey: Hashable, Sendable {
    /// The key itself. It is also the id in URLs.
    var secret: String
    /// The login of the account that the key belongs to.
    var owner: String
    var label: String
    var expiresAt: ServerInstant?
    /// Whether the key gives access to the owner's private feeds.
    var opensPrivate = false
    var permissions: [AccessPermission]
}

/// A permission of a key.
struct AccessPermission: Hashable, Sendable {
    var methods: Set<AccessMethod>
    var label: String?
    var referer: String?
    /// The IP address or the block of addresses in CIDR notation that requests must come from; `nil` for any.
    var sourceAddress: String?
    /// The finest resolution of history, in seconds; `nil` for no limit.
    var minimumInterval: Int?
    /// The resources that the permission is limited to; empty for the whole account.
    var resources: [AccessResource] = []

    /// Whether the permission is for every resource, address, page and resolution.
    fileprivate var hasNoLimits: Bool {
        resources.isEmpty && sourceAddress == nil && referer == nil && minimumInterval ?? 0 <= 0
    }
}

/// A resource that a permission is limited to.
struct AccessResource: Hashable, Sendable {
    var feed: Int?
    var datastream: String?
    var trigger: Int?

    /// Returns whether the resource is a whole feed. With a datastream it is only that one, and with a trigger only the
    /// trigger.
    func includes(_ id: Int) -> Bool { feed == id && datastream == nil && trigger == nil }

    /// Returns whether the resource includes a datastream of its feed. Ids are compared byte by byte, as the store
    /// does: texts that Swift considers equal can name two datastreams.
    func names(_ id: String) -> Bool { datastream.map { $0.hasSameBytes(as: id) } ?? true }
}

/// An access method: `get` reads, `put` updates, `post` creates, `delete` deletes.
enum AccessMethod: String, CaseIterable, Hashable, Sendable {
    case get, put, post, delete
}

extension AccessKey: CustomStringConvertible, CustomReflectable {
    /// The label and the owner, without the key.
    var description: String { "key \"\(label)\" of \(owner)" }

    var customMirror: Mirror { Mirror(self, children: ["label": label, "owner": owner, "permissions": permissions]) }
}

extension AccessKey {
    /// Returns a key with all permissions for its owner's account.
    static func master(_ secret: String, owner: String, label: String = "master key") -> Self {
        Self(
            secret: secret,
            owner: owner,
            label: label,
            opensPrivate: true,
            permissions: [AccessPermission(methods: Set(AccessMethod.allCases))]
        )
    }

    /// Whether the key is a master key wherever it is used, now and later, and reads all of the history.
    var hasNoLimits: Bool {
        guard opensPrivate, expiresAt == nil else { return false }
        let methods = permissions.filter(\.hasNoLimits).reduce(into: Set()) { $0.formUnion($1.methods) }
        return methods.count == AccessMethod.allCases.count
    }
}
