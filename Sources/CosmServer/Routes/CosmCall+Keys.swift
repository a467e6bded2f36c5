internal import HeliumServerKit

extension CosmCall {
    func listKeys() throws -> CosmResponse {
        try use.authorize(.keys)
        let visible = try visibleKeys(onFeed: parameters.integer("feed_id"))
        var room = ListRoom(count: visible.count, maximumBytes: maxima.answerBytes)
        // In XML `&` has five bytes, and a resource has three times the bytes of the stored JSON.
        let factor = format == .xml ? 5 : 1
        var listed: [Granted<AccessKey>] = []
        for (position, bytes) in visible {
            let isWhole = room.take(factor * bytes)
            if !isWhole, key.hasNoLimits {
                guard let found = try keys.abbreviatedKey(at: position) else { continue }
                listed.append(try use.grant(found))
            } else {
                // Whether a key covers another one is seen from the permissions.
                guard let found = try keys.key(at: position) else { continue }
                let granted = try use.grant(found)
                listed.append(isWhole ? granted : granted.withoutPermissions())
            }
        }
        return .reading(.keys(listed))
    }

    /// Returns the positions and sizes of the keys in the list. Others have no room in it, so that a reader neither loses
    /// permissions to them nor learns of them.
    ///
    /// They are read one by one, because all of them together may not fit into memory.
    private func visibleKeys(onFeed feed: Int?) throws -> [(position: Int64, bytes: Int)] {
        let sizes = try keys.sizes(of: key.owner)
        if key.hasNoLimits, feed == nil { return sizes }
        let coverage = KeyCoverage(key)
        return try sizes.filter { position, _ in
            guard let found = try keys.key(at: position), found.secret == key.secret || coverage.covers(found) else {
                return false
            }
            guard let feed else { return true }
            return found.permissions.contains { $0.resources.contains { $0.feed == feed } }
        }
    }

    func createKey(_ input: KeyInput) throws -> CosmResponse {
        try use.authorize(.keys)
        let new = input.key(state.store.newSecret(), owner: key.owner)
        try use.authorize(making: new)
        try requireRoom(
            for: "keys",
            own: keys.count(of: key.owner),
            of: maxima.keysPerUser,
            all: keys.count(),
            of: maxima.keys
        )
        try keyWriter.insert(new)
        return .created("/keys/\(new.secret)")
    }

    func readKey(_ secret: String) throws -> CosmResponse { .reading(.key(try grantedKey(secret))) }

    func updateKey(_ secret: String, _ input: KeyInput) throws -> CosmResponse {
        let stored = try changeableKey(secret).object
        let changed = input.key(stored.secret, owner: stored.owner)
        try use.authorize(making: changed)
        try keyWriter.update(changed)
        return .done
    }

    func deleteKey(_ secret: String) throws -> CosmResponse {
        _ = try changeableKey(secret)
        try keyWriter.delete(secret)
        return .wrote(WriteEffect(ended: [.key(secret)]))
    }

    /// Returns a key that may be changed and deleted.
    func changeableKey(_ secret: String) throws -> Granted<AccessKey> {
        let key = try grantedKey(secret)
        // The master key cannot be changed, because the ready line has announced it.
        if secret == state.store.masterKey { throw CosmFailure.forbidden }
        return key
    }

    /// Returns a key of the same account if the request's key has access to it.
    private func grantedKey(_ secret: String) throws -> Granted<AccessKey> {
        // The right is checked first, so that a key without it does not learn which keys there are.
        if secret != key.secret { try use.authorize(.keys) }
        guard let found = try keys.key(secret) else { throw CosmFailure.notFound }
        return try use.grant(found)
    }
}
