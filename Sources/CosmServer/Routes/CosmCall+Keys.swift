internal import HeliumServerKit

extension CosmCall {
    func listKeys() throws -> CosmResponse {
        try use.authorize(.keys)
        let feed = try parameters.integer("feed_id")
        let sizes = try keys.sizes(of: key.owner)
        var room = ListRoom(count: sizes.count, maximumBytes: maxima.answerBytes)
        // In XML `&` has five bytes, and a resource has three times the bytes of the stored JSON.
        let factor = format == .xml ? 5 : 1
        let coverage = KeyCoverage(key)
        var listed: [Granted<AccessKey>] = []
        for (position, bytes) in sizes {
            if let feed {
                guard let found = try keys.key(at: position), coverage.covers(found),
                    found.permissions.contains(where: { $0.resources.contains { $0.feed == feed } })
                else { continue }
                let granted = try use.grant(found)
                listed.append(room.take(factor * bytes) ? granted : granted.withoutPermissions())
            } else if room.take(factor * bytes) {
                guard let found = try keys.key(at: position), coverage.covers(found) else { continue }
                listed.append(try use.grant(found))
            } else if key.hasNoLimits, let found = try keys.abbreviatedKey(at: position) {
                // Whether a key covers another one is seen from the permissions.
                listed.append(try use.grant(found))
            }
        }
        return .reading(.keys(listed))
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
