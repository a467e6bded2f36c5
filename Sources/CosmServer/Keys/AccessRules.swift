internal import HeliumJSON
internal import HeliumServerKit

/// Decides the access of keys (Docs/Protocols/Cosm.md §7). REST and the socket share it.
struct AccessRules: Sendable {
    /// The login of the account that manages the other accounts.
    let administrator: String

    func verdict(on question: AccessQuestion, for key: AccessKey, at now: ServerInstant) -> AccessVerdict {
        if let end = key.expiresAt, end <= now { return .expired }
        let usable = key.permissions.filter { permission in
            permission.methods.contains(question.method) && Self.fits(permission, question)
        }
        switch question.target {
        case .account:
            return Self.granted(usable)
        case .newFeed:
            return Self.granted(usable.filter(\.resources.isEmpty))
        case .ownKey where question.method == .get:
            return .granted(minimumInterval: 0)
        case .keys, .ownKey:
            return isMaster(key, question) ? .granted(minimumInterval: 0) : .forbidden
        case .users:
            return key.owner == administrator && key.hasNoLimits ? .granted(minimumInterval: 0) : .forbidden
        case .user(let login):
            // An account is shown with its key, and made with one, which no limit of a key may be passed by.
            guard key.hasNoLimits else { return .forbidden }
            if key.owner == administrator { return .granted(minimumInterval: 0) }
            return login == key.owner && question.method != .delete ? .granted(minimumInterval: 0) : .hidden
        case .feed(let feed):
            return verdict(feed, question.method, usable, key) { $0.includes(feed.id) }
        case .datastream(let feed, let id):
            return verdict(feed, question.method, usable, key) {
                $0.trigger == nil && $0.feed == feed.id && $0.names(id)
            }
        case .trigger(let id, let owner, let feed, let datastream):
            guard owner == key.owner else { return .hidden }
            return Self.granted(
                usable.filter { permission in
                    permission.resources.isEmpty
                        || permission.resources.contains { resource in
                            if let trigger = resource.trigger { return trigger == id }
                            return resource.feed == feed && resource.names(datastream)
                        }
                }
            )
        }
    }

    private func verdict(
        _ feed: AccessTarget.FeedTarget,
        _ method: AccessMethod,
        _ usable: [AccessPermission],
        _ key: AccessKey,
        covers: (AccessResource) -> Bool
    ) -> AccessVerdict {
        let isOwn = feed.owner == key.owner
        if feed.isPrivate, !(isOwn && key.opensPrivate) { return .hidden }
        // Only keys of the owner can write. Any key can read public feeds.
        guard isOwn || method == .get else { return .forbidden }
        return Self.granted(usable.filter { $0.resources.isEmpty || $0.resources.contains(where: covers) })
    }

    /// Returns whether a key is a master key: it has private access, no limit on resources, and all four methods.
    func isMaster(_ key: AccessKey, _ question: AccessQuestion) -> Bool {
        guard key.opensPrivate else { return false }
        let methods = key.permissions.filter { $0.resources.isEmpty && Self.fits($0, question) }
            .reduce(into: Set()) { $0.formUnion($1.methods) }
        return methods.count == AccessMethod.allCases.count
    }

    private static func granted(_ permissions: [AccessPermission]) -> AccessVerdict {
        // Of several permissions that cover the request, the one with the finest resolution counts.
        guard let interval = permissions.map({ $0.minimumInterval ?? 0 }).min() else { return .forbidden }
        return .granted(minimumInterval: interval)
    }

    private static func fits(_ permission: AccessPermission, _ question: AccessQuestion) -> Bool {
        if let address = permission.sourceAddress, !AddressBlock.contains(question.address, in: [address]) {
            return false
        }
        if let referer = permission.referer { return isReferer(question.referer, within: referer) }
        return true
    }

    /// Returns whether a page is at or below the URL or host that a permission names.
    ///
    /// It compares bytes, without a copy: a key has up to a hundred such texts, and the writer evaluates the keys of
    /// triggers.
    static func isReferer(_ referer: String?, within allowed: String) -> Bool {
        guard let referer else { return false }
        var rest = Substring(referer).utf8
        if !allowed.containsBytes(of: "://"), let scheme = rest.firstRange(of: "://".utf8) {
            rest = rest[scheme.upperBound...]
        }
        for byte in allowed.utf8 {
            guard let other = rest.popFirst(), lowercased(other) == lowercased(byte) else { return false }
        }
        guard let next = rest.first else { return true }
        return allowed.utf8.last == UInt8(ascii: "/") || "/?#:".utf8.contains(next)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}

extension AccessRules {
    /// Returns the ids of the feeds that a key can list; `nil` for all visible feeds.
    func listedFeeds(_ key: AccessKey, _ question: AccessQuestion) -> Set<Int>? {
        var ids: Set<Int> = []
        for permission in key.permissions where permission.methods.contains(.get) && Self.fits(permission, question) {
            if permission.resources.isEmpty { return nil }
            for resource in permission.resources {
                if let feed = resource.feed, resource.includes(feed) { ids.insert(feed) }
            }
        }
        return ids
    }
}
