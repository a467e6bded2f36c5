internal import HeliumServerKit

/// An API key with what it permits (§7).
struct AccessKey: Hashable, Sendable {
    /// The key itself, which is also its id in URLs.
    var secret: String
    /// The login of the account it belongs to.
    var owner: String
    var label: String
    var expiresAt: ServerInstant?
    /// Whether it opens the owner's private feeds.
    var opensPrivate = false
    var permissions: [AccessPermission]
}

/// What some of a key's users may do.
struct AccessPermission: Hashable, Sendable {
    var methods: Set<AccessMethod>
    var label: String?
    var referer: String?
    /// An address, or a block of them in CIDR notation.
    var sourceAddress: String?
    /// The finest history resolution in seconds.
    var minimumInterval: Int?
    /// Empty: the whole account.
    var resources: [AccessResource] = []
}

/// One thing that a permission is restricted to.
struct AccessResource: Hashable, Sendable {
    var feed: Int?
    var datastream: String?
    var trigger: Int?
}

/// get = read, put = update, post = create, delete = delete.
enum AccessMethod: String, CaseIterable, Hashable, Sendable {
    case get, put, post, delete
}

extension AccessKey: CustomStringConvertible, CustomReflectable {
    /// The label and the owner; never the key.
    var description: String { "key \"\(label)\" of \(owner)" }

    var customMirror: Mirror { Mirror(self, children: ["label": label, "owner": owner, "permissions": permissions]) }
}

extension AccessKey {
    /// A key that may do everything to its owner's account.
    static func master(_ secret: String, owner: String, label: String = "master key") -> Self {
        Self(
            secret: secret,
            owner: owner,
            label: label,
            opensPrivate: true,
            permissions: [AccessPermission(methods: Set(AccessMethod.allCases))]
        )
    }
}
