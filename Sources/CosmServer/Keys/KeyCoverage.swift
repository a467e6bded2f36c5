internal import HeliumJSON
internal import HeliumServerKit

/// Decides which keys of its account a key may list, read, make, change and delete: those that are limited at least as
/// much as the key itself.
///
/// A key could otherwise escape each of its limits: a key that expires, or that has a minimum interval, could make one
/// without the limit, or read the secret of one. Labels limit nothing.
struct KeyCoverage {
    private let key: AccessKey
    private let grants: [Grant]

    init(_ key: AccessKey) {
        self.key = key
        grants = key.hasNoLimits ? [] : key.permissions.map(Grant.init)
    }

    /// Returns whether every access that `other` has is one of the key's own.
    ///
    /// A key without permissions, which is one that was abbreviated or cannot be read, is covered only by a key without
    /// limits.
    func covers(_ other: AccessKey) -> Bool {
        if key.hasNoLimits { return true }
        if other.permissions.isEmpty || (other.opensPrivate && !key.opensPrivate) { return false }
        if let end = key.expiresAt {
            guard let otherEnd = other.expiresAt, otherEnd <= end else { return false }
        }
        return other.permissions.allSatisfy(covers)
    }

    private func covers(_ permission: AccessPermission) -> Bool {
        let looser = grants.filter { $0.isLooser(than: permission) }
        return permission.methods.allSatisfy { method in
            let usable = looser.filter { $0.permission.methods.contains(method) }
            if usable.contains(where: \.permission.resources.isEmpty) { return true }
            // Together, so that the cost is the sum of the numbers of resources and not their product.
            let parts = usable.reduce(into: Set()) { $0.formUnion($1.parts) }
            return !permission.resources.isEmpty && permission.resources.allSatisfy { Part.has($0, in: parts) }
        }
    }
}

extension KeyCoverage {
    /// A permission of the key.
    private struct Grant {
        let permission: AccessPermission
        let parts: Set<Part>

        init(_ permission: AccessPermission) {
            self.permission = permission
            parts = Set(permission.resources.map(Part.init))
        }

        /// Returns whether the minimum interval, the address and the referer of another permission limit it at least as
        /// much.
        func isLooser(than other: AccessPermission) -> Bool {
            guard other.minimumInterval ?? 0 >= permission.minimumInterval ?? 0 else { return false }
            if let block = permission.sourceAddress {
                guard let inner = other.sourceAddress, inner == block || AddressBlock.contains(block: inner, in: block)
                else { return false }
            }
            if let referer = permission.referer { return AccessRules.isReferer(other.referer, within: referer) }
            return true
        }
    }

    /// A resource that can be looked up. Ids are compared byte by byte.
    private struct Part: Hashable {
        private let feed: Int?
        private let datastream: ByteText?
        private let trigger: Int?

        init(_ resource: AccessResource) {
            // A resource with a trigger id is that trigger only, whatever else it names.
            trigger = resource.trigger
            feed = resource.trigger == nil ? resource.feed : nil
            datastream = resource.trigger == nil ? resource.datastream.map { ByteText($0) } : nil
        }

        private init(feed: Int) {
            self.feed = feed
            datastream = nil
            trigger = nil
        }

        /// Returns whether some parts contain a resource: itself, or its feed.
        static func has(_ resource: AccessResource, in parts: Set<Self>) -> Bool {
            let part = Self(resource)
            return parts.contains(part) || (part.feed.map { parts.contains(Self(feed: $0)) } ?? false)
        }
    }
}
