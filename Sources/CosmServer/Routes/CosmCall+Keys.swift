internal import HeliumServerKit

extension CosmCall {
    func listKeys() throws -> CosmResponse {
        try authorize(.keys)
        let all = try keys.keys(of: key.owner)
        guard let feed = try parameters.integer("feed_id") else { return .reading(.keys(all)) }
        return .reading(.keys(all.filter { $0.permissions.contains { $0.resources.contains { $0.feed == feed } } }))
    }

    func createKey() throws -> CosmResponse {
        try authorize(.keys)
        if try keys.count() >= maxima.keys { throw CosmFailure.full("keys") }
        let secret = state.store.newSecret()
        try keys.insert(try keyInBody(secret))
        return .created("/keys/\(secret)")
    }

    func readKey(_ secret: String) throws -> CosmResponse { .reading(.key(try authorizedKey(secret))) }

    func updateKey(_ secret: String) throws -> CosmResponse {
        let stored = try authorizedKey(secret)
        // The master key cannot be changed, because the ready line has announced it.
        if secret == state.store.masterKey { throw CosmFailure.forbidden }
        try keys.update(try keyInBody(stored.secret))
        return .done
    }

    func deleteKey(_ secret: String) throws -> CosmResponse {
        _ = try authorizedKey(secret)
        if secret == state.store.masterKey { throw CosmFailure.forbidden }
        try keys.delete(secret)
        return .wrote(WriteEffect(ended: [.key(secret)]))
    }

    private func keyInBody(_ secret: String) throws -> AccessKey {
        let owner = key.owner
        return try body(
            json: { body throws(CosmFailure) in try KeyDocument.read(body, secret: secret, owner: owner) },
            xml: { node throws(CosmFailure) in
                try KeyDocument.read(XMLInput.key(node), secret: secret, owner: owner)
            }
        )
    }

    /// Returns a key of the same account if the request's key has access to it. Any key can read itself.
    private func authorizedKey(_ secret: String) throws -> AccessKey {
        try authorize(secret == key.secret ? .ownKey : .keys)
        guard let found = try keys.key(secret), found.owner == key.owner else { throw CosmFailure.notFound }
        return found
    }
}
